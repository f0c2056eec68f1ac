extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which a condition holds, found by halving; the end if there is none.
  ///
  /// ```swift
  /// [1, 4, 9].partitioningIndex { $0 >= 4 }  // 1
  /// ```
  ///
  /// - Parameter isInSecondPart: The condition. Where it holds for an element, it holds for all after it.
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
