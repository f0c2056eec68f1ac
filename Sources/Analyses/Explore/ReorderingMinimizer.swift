import ActionLog
import ReplayEngine

/// Moves steps of a violating order back to their recorded positions, while the violation still occurs.
///
/// A systematic search finds orders with few departures from the recording, but a random walk departs everywhere. Steps
/// after the violation don't run, so the result may also omit steps at the end.
struct ReorderingMinimizer {
  private let explorer: Explorer

  init(_ explorer: Explorer) { self.explorer = explorer }

  /// Returns a similar violation with fewer departures from the recorded order, or the given one if none is found.
  ///
  /// - Parameters:
  ///   - violation: A confirmed violation.
  ///   - replays: The number of replays so far, to which each attempt adds its replays.
  /// - Returns: A violation of the same kind.
  /// - Throws: `HostFailure`, `StreamError`, `Interrupted`.
  func reduced(
    _ violation: Explorer.Violation,
    _ replays: inout Int
  ) throws -> Explorer.Violation {
    guard violation.interruption == nil else { return violation }
    var best = violation
    var size = 8
    // Groups of steps are tried first, because random walks move many steps. Single steps follow.
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

  /// Returns a smallest set of steps whose removal leaves the others in recorded order.
  static func moved(in order: [Int]) -> [Int] {
    let kept = Set(longestRise(in: order))
    return order.filter { !kept.contains($0) }
  }

  /// Returns the order with the given steps moved back to their recorded positions.
  static func putting(_ steps: Set<Int>, backIn order: [Int]) -> [Int] {
    var result = order.filter { !steps.contains($0) }
    for step in steps.sorted() {
      let place = result.firstIndex { $0 > step } ?? result.endIndex
      result.insert(step, at: place)
    }
    return result
  }

  /// Returns one of the longest increasing subsequences.
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
