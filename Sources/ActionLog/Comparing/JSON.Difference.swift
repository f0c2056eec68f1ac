extension JSON {
  /// A place at which two values differ, and the value of each of them there.
  package struct Difference: Hashable, Sendable {
    /// The place in the first value; for a value that only the second has, the place in the second.
    package let path: Pointer
    package let expected: JSON?
    package let actual: JSON?
    /// The place of the element in the second value; `nil` unless it is an array element that has moved.
    package var movedTo: Pointer?
    /// The places as people read them; for the first differences alone, which are those that are shown.
    package var places = ReadablePlaces()
  }

  /// The places at which two values differ, in the order of the first value.
  ///
  /// Elements of arrays are the same if they are equal or, where all have an `id`, if that is equal; the others are paired in
  /// order between those that stay. Elements of one array alone come after those of both.
  ///
  /// - Parameters:
  ///   - old: The first value.
  ///   - new: The second value.
  ///   - isInPlace: Whether elements are compared with those at the same index instead, so that each place is one in both.
  /// - Returns: The differences; none for equal values.
  package static func differences(
    from old: JSON,
    to new: JSON,
    isInPlace: Bool = false
  ) -> [Difference] {
    var differences = Differences(isInPlace: isInPlace)
    differences.append(from: old, to: new, at: Pointer())
    for index in differences.all.indices.prefix(ReadablePlaces.most) {
      differences.all[index].places = ReadablePlaces(differences.all[index], old, new)
    }
    return differences.all
  }
}

/// A place in Swift notation, and the place to which it has moved.
///
/// It follows from the pointer and the value that this leads into, so it makes no difference to equality.
package struct ReadablePlaces: Sendable, Hashable {
  /// `nil` where the value was not at hand.
  package let place: String?
  package let movedTo: String?

  init() { (place, movedTo) = (nil, nil) }

  fileprivate init(_ difference: JSON.Difference, _ old: JSON, _ new: JSON) {
    let notation = Notation()
    place = notation.place(difference.path, in: difference.expected == nil ? new : old)
    movedTo = difference.movedTo.map { notation.place($0, in: new) }
  }

  /// The places as a JSON array.
  package var json: JSON {
    .array([place, movedTo].map { $0.map(JSON.string) ?? .null })
  }

  /// Reads places from their JSON form; what is not there is not known.
  package init(json: JSON) {
    place = json.array?.first?.string
    movedTo = json.array?.last?.string
  }

  /// More are not shown.
  fileprivate static let most = 64

  package static func == (lhs: Self, rhs: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

private struct Differences {
  var all: [JSON.Difference] = []
  private let isInPlace: Bool

  init(isInPlace: Bool) { self.isInPlace = isInPlace }

  mutating func append(from old: JSON, to new: JSON, at path: JSON.Pointer) {
    switch (old, new) {
    // What a log says of a value that it does not hold is one thing.
    case (.object(let object), _) where object.keys.first == "$opaque",
      (_, .object(let object)) where object.keys.first == "$opaque":
      if old != new { add(path, old, new) }
    // One of the logs may hold no more than the type and the description.
    case (.object(let object), _)
    where object.keys.first == "$error" && old.isError(like: new):
      break
    case (.object(let old), .object(let new)):
      for (key, value) in old {
        if let changed = new[key] {
          append(from: value, to: changed, at: path.appending(key))
        } else {
          add(path.appending(key), value, nil)
        }
      }
      for (key, value) in new where old.slot(of: key) == nil {
        add(path.appending(key), nil, value)
      }
    case (.array(let old), .array(let new)): append(from: old, to: new, at: path)
    default: if old != new { add(path, old, new) }
    }
  }

  private mutating func add(_ path: JSON.Pointer, _ old: JSON?, _ new: JSON?) {
    all.append(JSON.Difference(path: path, expected: old, actual: new))
  }

  private mutating func append(from old: [JSON], to new: [JSON], at path: JSON.Pointer) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let alignment = alignment(old, start..<old.count - end, new, start..<new.count - end)
    func place(_ index: Int) -> JSON.Pointer { path.appending(String(index)) }
    for pair in alignment.kept {
      // Of elements that have moved, one may be at its old index.
      if pair.isMoved, pair.old != pair.new {
        all.append(
          JSON.Difference(
            path: place(pair.old),
            expected: old[pair.old],
            actual: new[pair.new],
            movedTo: place(pair.new)
          )
        )
      }
      append(from: old[pair.old], to: new[pair.new], at: place(pair.old))
    }
    for index in alignment.removed.reversed() { add(place(index), old[index], nil) }
    for index in alignment.inserted { add(place(index), nil, new[index]) }
  }

  private func alignment(
    _ old: [JSON],
    _ oldRange: Range<Int>,
    _ new: [JSON],
    _ newRange: Range<Int>
  ) -> RowAlignment {
    if isInPlace { return RowAlignment(pairing: oldRange, newRange) }
    // Elements are identified by their `id` if all have distinct ones, or else by their whole value.
    let ids = Self.ids(of: old).flatMap { old in Self.ids(of: new).map { (old: old, new: $0) } }
    let keys = ids ?? (old: old, new: new)
    return RowAlignment(
      old: oldRange,
      new: newRange,
      oldKey: { keys.old[$0] },
      newKey: { keys.new[$0] }
    )
  }

  private static func ids(of elements: [JSON]) -> [JSON]? {
    var ids: [JSON] = []
    for element in elements {
      guard let id = element["id"] else { return nil }
      ids.append(id)
    }
    return Set(ids).count == ids.count ? ids : nil
  }
}
