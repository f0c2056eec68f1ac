extension RandomAccessCollection where Index == Int {
  /// Finds the first element that satisfies a condition, by binary search.
  ///
  /// ```swift
  /// [1, 4, 9].partitioningIndex { $0 >= 4 }  // 1
  /// ```
  ///
  /// - Parameter isInSecondPart: The condition. If an element satisfies it, all following elements must satisfy it too.
  /// - Returns: The index of the first element that satisfies the condition, or the end index if none does.
  @inlinable
  package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
