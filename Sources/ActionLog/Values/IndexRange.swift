/// A range of indexes in a logged `IndexSet`.
struct IndexRange {
  let indexes: Range<Int>

  /// Reads a single index; `nil` for anything else.
  init?(index json: JSON) {
    guard let index = json.int, index >= 0, index < .max - 1 else { return nil }
    indexes = index..<index + 1
  }

  /// Reads a range such as `{"location":1,"length":2}`; `nil` for anything else.
  init?(_ json: JSON) {
    guard let object = json.object, object.count == 2, let start = object["location"]?.int,
      let length = object["length"]?.int, start >= 0, length > 0, length < .max - 1 - start
    else { return nil }
    indexes = start..<start + length
  }
}

extension JSON {
  /// The indexes in a logged `IndexSet`, in order; `nil` for other values, and for more indexes than a person reads.
  var indexSet: [JSON]? {
    // A set without indexes looks like any structure with an empty list of this name.
    guard let object, object.count == 1, let ranges = object["indexes"]?.array, !ranges.isEmpty
    else { return nil }
    var indexes: [JSON] = []
    for json in ranges {
      guard let range = IndexRange(json), range.indexes.count <= Self.mostIndexes - indexes.count
      else { return nil }
      indexes += range.indexes.map { .number(JSON.Number($0)) }
    }
    return indexes
  }

  /// The maximum number of indexes that are listed, which is more than a line has room for.
  private static let mostIndexes = 1000
}
