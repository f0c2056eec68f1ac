import Dispatch
import Synchronization

/// Delta debugging (Zeller and Hildebrandt, ddmin) over elements of which some cannot be without others.
///
/// Chunks of the remaining elements are removed, together with the elements that depend on them, as long as the property holds.
/// At the end no single element can go: the result is 1-minimal, unless the search was stopped.
struct DeltaDebugging<Element: Hashable & Sendable>: Sendable {
  /// Some elements without others and the elements that depend on these.
  let removing: @Sendable (_ removed: [Element], _ kept: Set<Element>) -> Set<Element>
  /// Whether the property still holds for these elements.
  let holds: @Sendable (Set<Element>) -> Bool
  /// Whether the search has to end.
  let isStopped: @Sendable () -> Bool
  /// How many candidates are tried at the same time.
  var jobs = 1

  /// The result of a search.
  struct Result {
    var kept: Set<Element>
    /// Whether the search came to its end, so that no single element can go.
    var isMinimal: Bool
  }

  /// Searches.
  ///
  /// - Parameters:
  ///   - elements: Everything, for which the property holds.
  ///   - order: The order in which neighbours go together.
  /// - Returns: The elements that are left.
  func minimize(
    _ elements: Set<Element>,
    by order: (Element, Element) -> Bool
  ) -> Result {
    var kept = elements
    var parts = 2
    while !kept.isEmpty {
      guard !isStopped() else { return Result(kept: kept, isMinimal: false) }
      let chunks = Self.chunks(of: kept.sorted(by: order), parts: parts)
      if let smaller = firstThatHolds(chunks, of: kept) {
        kept = smaller
        parts = max(2, min(parts - 1, kept.count))
      } else {
        guard !isStopped() else { return Result(kept: kept, isMinimal: false) }
        // Chunks of one element each have all been tried.
        if chunks.count >= kept.count { return Result(kept: kept, isMinimal: true) }
        parts = min(parts * 2, kept.count)
      }
    }
    return Result(kept: kept, isMinimal: true)
  }

  /// The elements without the first chunk that is not needed.
  ///
  /// Chunks are tried a few at a time; the first in order counts, so that the result does not depend on how many.
  private func firstThatHolds(_ chunks: [[Element]], of kept: Set<Element>) -> Set<Element>? {
    // Late elements are least likely to be needed by early ones, so they go first.
    var rest = chunks.reversed()[...]
    while !rest.isEmpty, !isStopped() {
      let batch = rest.prefix(jobs).map { removing($0, kept) }
      rest = rest.dropFirst(jobs)
      if let index = firstIndex(of: batch, where: holds) { return batch[index] }
    }
    return nil
  }

  private func firstIndex(
    of batch: [Set<Element>],
    where holds: @Sendable (Set<Element>) -> Bool
  ) -> Int? {
    guard batch.count > 1 else { return batch.firstIndex(where: holds) }
    let found = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: batch.count) { index in
      if holds(batch[index]) { found.withLock { $0.append(index) } }
    }
    return found.withLock { $0.min() }
  }

  /// As many runs of neighbours as asked for, of sizes that differ by one at most.
  private static func chunks(of elements: [Element], parts: Int) -> [[Element]] {
    let parts = min(max(parts, 1), elements.count)
    return (0..<parts).map { part in
      Array(elements[(part * elements.count / parts)..<((part + 1) * elements.count / parts)])
    }
  }
}
