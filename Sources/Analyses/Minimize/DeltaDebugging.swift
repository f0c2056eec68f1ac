import Dispatch
import Synchronization

/// Minimizes a set of elements by delta debugging (ddmin, by Zeller and Hildebrandt), with dependencies.
///
/// Chunks of elements are removed, together with the elements that depend on them, while a property holds. Unless the
/// search is stopped, the result is 1-minimal, which means that no single element can be removed.
struct DeltaDebugging<Element: Hashable & Sendable>: Sendable {
  /// A closure that removes elements, and all elements that depend on them, from a set.
  let removing: @Sendable (_ removed: [Element], _ kept: Set<Element>) -> Set<Element>
  /// A closure that returns whether a set of elements has the property.
  let holds: @Sendable (Set<Element>) -> Bool
  /// A closure that returns whether the search must end.
  let isStopped: @Sendable () -> Bool
  /// The maximum number of sets to test at the same time.
  var jobs = 1

  /// The elements that remain after a search.
  struct Result {
    var kept: Set<Element>
    /// Whether the search is complete, so that no single element can be removed.
    var isMinimal: Bool
  }

  /// Removes elements while the remaining elements have the property.
  ///
  /// - Parameters:
  ///   - elements: A set of elements that has the property.
  ///   - order: The order of the elements, by which they are divided into chunks.
  /// - Returns: The elements that remain.
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
        // Each chunk has a single element, and none of them can be removed.
        if chunks.count >= kept.count { return Result(kept: kept, isMinimal: true) }
        parts = min(parts * 2, kept.count)
      }
    }
    return Result(kept: kept, isMinimal: true)
  }

  /// Returns the set without the first chunk that can be removed, or `nil` if there is none.
  ///
  /// Several chunks are tested at the same time, but the first one in the order of the tests is removed. The result
  /// therefore doesn't depend on the number of jobs.
  private func firstThatHolds(_ chunks: [[Element]], of kept: Set<Element>) -> Set<Element>? {
    // The last chunk is tried first, because earlier elements rarely depend on later ones.
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

  /// Divides elements into contiguous chunks whose sizes differ by at most one.
  private static func chunks(of elements: [Element], parts: Int) -> [[Element]] {
    let parts = min(max(parts, 1), elements.count)
    return (0..<parts).map { part in
      Array(elements[(part * elements.count / parts)..<((part + 1) * elements.count / parts)])
    }
  }
}
