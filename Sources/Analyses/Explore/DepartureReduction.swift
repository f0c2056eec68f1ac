import ActionLog
import ReplayEngine

/// Puts the steps of an order back to where they were recorded, as long as the order shows the same violation.
///
/// A search near the recorded order finds few departures; a walk at random departs everywhere. Steps after the violation have
/// not come, so an order may also be one that leaves steps out at its end.
struct DepartureReduction {
  private let explorer: Explorer

  init(_ explorer: Explorer) { self.explorer = explorer }

  /// The violation with the fewest departures that putting steps back leads to.
  ///
  /// - Parameters:
  ///   - violation: A violation that was confirmed.
  ///   - replays: Counts the replays.
  /// - Returns: A violation of the same kind.
  /// - Throws: `HostFailure`, `StreamError`, `Interrupted`.
  func reduced(
    _ violation: Explorer.Violation,
    _ replays: inout Int
  ) throws -> Explorer.Violation {
    guard violation.interruption == nil else { return violation }
    var best = violation
    var size = 8
    // Many at once first, for walks at random; then one by one, until none can go back.
    while true {
      let moved = Self.moved(in: best.order)
      guard !moved.isEmpty, !explorer.isTimeUp() else { return best }
      size = min(size, moved.count)
      var isSmaller = false
      for start in stride(from: 0, to: moved.count, by: size) {
        let back = Set(moved[start..<min(start + size, moved.count)])
        if let found = try attempt(Self.putting(back, backIn: best.order), best, &replays) {
          best = found
          isSmaller = true
          break
        }
      }
      if !isSmaller {
        guard size > 1 else { return best }
        size /= 2
      }
    }
  }

  private func attempt(
    _ order: [Int],
    _ best: Explorer.Violation,
    _ replays: inout Int
  ) throws -> Explorer.Violation? {
    let log = explorer.log
    var interleaving = Interleaving(order: [])
    var done: Set<Int> = []
    for step in order where log.isEnabled(step, after: done, without: [:]) {
      done.insert(step)
      interleaving.order.append(step)
    }
    let attempt = try explorer.interleavings.attempt(interleaving, judge: explorer.judge)
    replays += attempt.replays
    guard let found = try explorer.confirmed(attempt, &replays), found.kind == best.kind,
      Self.moved(in: found.order).count < Self.moved(in: best.order).count
    else { return nil }
    return found
  }

  /// The steps that do not come where they were recorded: as few as there can be.
  static func moved(in order: [Int]) -> [Int] {
    let kept = Set(longestRise(in: order))
    return order.filter { !kept.contains($0) }
  }

  /// An order with some steps where they were recorded.
  static func putting(_ steps: Set<Int>, backIn order: [Int]) -> [Int] {
    var result = order.filter { !steps.contains($0) }
    for step in steps.sorted() {
      let place = result.firstIndex { $0 > step } ?? result.endIndex
      result.insert(step, at: place)
    }
    return result
  }

  /// The most numbers that rise from left to right.
  static func longestRise(in numbers: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous: [Int?] = []
    for (index, number) in numbers.enumerated() {
      let place = tails.firstIndex { numbers[$0] >= number } ?? tails.count
      previous.append(place > 0 ? tails[place - 1] : nil)
      if place == tails.count { tails.append(index) } else { tails[place] = index }
    }
    var rise: [Int] = []
    var next = tails.last
    while let index = next {
      rise.append(numbers[index])
      next = previous[index]
    }
    return rise.reversed()
  }
}
