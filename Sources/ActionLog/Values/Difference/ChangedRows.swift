/// The rows that differ between two arrays stored in chunks, if only a few rows changed in place.
struct ChangedRows<Element> {
  private(set) var old: [Element] = []
  private(set) var new: [Element] = []
  /// The indexes of the differing rows in the complete arrays.
  private(set) var places: [Int] = []

  /// Finds the rows that differ, or returns `nil` if the chunks have different lengths or more than `limit` rows
  /// differ.
  init?(
    _ oldChunks: [[Element]],
    _ newChunks: [[Element]],
    from start: Int,
    _ rows: RowComparison<Element>,
    atMost limit: Int
  ) {
    guard oldChunks.count == newChunks.count else { return nil }
    var start = start
    for (old, new) in zip(oldChunks, newChunks) {
      guard old.count == new.count else { return nil }
      if !old.span.isIdentical(to: new.span) {
        guard
          let changes = rows.changes(
            old.span,
            new.span,
            in: 0..<new.count,
            atMost: limit - places.count
          )
        else { return nil }
        for index in changes {
          self.old.append(old[index])
          self.new.append(new[index])
          places.append(start + index)
        }
      }
      start += new.count
    }
  }
}
