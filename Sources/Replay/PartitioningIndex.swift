extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that satisfies a condition, by binary search, or the end index if there is
  /// none.
  ///
  /// ```swift
  /// [1, 4, 9].partitioningIndex { $0 >= 4 }  // 1
  /// ```
  ///
  /// - Parameter isInSecondPart: The condition. If an element satisfies it, all following elements must satisfy it too.
  /// - Returns: The index.
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
