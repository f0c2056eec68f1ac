import Dispatch
import Synchronization

/// Delta debugging (Zeller and Hildebrandt, ddmin) for elements with dependencies.
///
/// It removes chunks of the remaining elements, with the elements that depend on them, while the property holds. At the
/// end, no single element can be removed: the result is 1-minimal, unless the search was stopped.
struct DeltaDebugging<Element: Hashable & Sendable>: Sendable {
  /// Removes elements and those that depend on them.
  let removing: @Sendable (_ removed: [Element], _ kept: Set<Element>) -> Set<Element>
  /// Returns whether the property holds for a set of elements.
  let holds: @Sendable (Set<Element>) -> Bool
  /// Returns whether the search should end.
  let isStopped: @Sendable () -> Bool
  /// The number of candidates to test in parallel.
  var jobs = 1

  /// The result of a search.
  struct Result {
    var kept: Set<Element>
    /// Whether the search is complete, so that no single element can be removed.
    var isMinimal: Bool
  }

  /// Runs the search.
  ///
  /// - Parameters:
  ///   - elements: The elements, for which the property holds.
  ///   - order: The order that determines which elements are neighbors.
  /// - Returns: The remaining elements.
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
        // All chunks of a single element have been tried.
        if chunks.count >= kept.count { return Result(kept: kept, isMinimal: true) }
        parts = min(parts * 2, kept.count)
      }
    }
    return Result(kept: kept, isMinimal: true)
  }

  /// Returns the elements without the first unnecessary chunk.
  ///
  /// Several chunks are tested in parallel, but the first one in order wins. Therefore, the result doesn't depend on
  /// the number of jobs.
  private func firstThatHolds(_ chunks: [[Element]], of kept: Set<Element>) -> Set<Element>? {
    // Starts at the end, because earlier elements rarely depend on later ones.
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

  /// Returns a number of contiguous chunks whose sizes differ by at most one.
  private static func chunks(of elements: [Element], parts: Int) -> [[Element]] {
    let parts = min(max(parts, 1), elements.count)
    return (0..<parts).map { part in
      Array(elements[(part * elements.count / parts)..<((part + 1) * elements.count / parts)])
    }
  }
}
