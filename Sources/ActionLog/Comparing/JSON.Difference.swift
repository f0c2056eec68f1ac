extension JSON {
  /// A path at which two values differ, and both values at that path.
  package struct Difference: Hashable, Sendable {
    /// The path in the first value, or in the second value if the path exists only there.
    package let location: ValueLocation
    package let expected: JSON?
    package let actual: JSON?
    /// The path of an array element that has moved, in the second value.
    ///
    /// `nil` for other differences.
    package var movedTo: Pointer?
    /// The paths in Swift notation.
    ///
    /// Filled in for the first 64 differences of a comparison, because reports show no more.
    package var places = DifferencePathNotation()

    /// The path as a JSON pointer.
    package var path: Pointer { location.pointer }
  }

  /// Returns the paths at which two values differ, in the order of the first value.
  ///
  /// Elements of arrays match if their `id` members are equal. If not all elements have distinct `id` members, elements
  /// match if they are equal. Unmatched elements between two matches are paired in order. Added and removed elements of
  /// an array come after the elements that both arrays have.
  ///
  /// - Parameters:
  ///   - old: The first value.
  ///   - new: The second value.
  ///   - isInPlace: Whether elements are compared by index instead, so that each path is the same in both values.
  /// - Returns: The differences, or an empty array for equal values.
  package static func differences(
    from old: JSON,
    to new: JSON,
    isInPlace: Bool = false
  ) -> [Difference] {
    var differences = JSONDifferenceFinder(isInPlace: isInPlace)
    differences.append(from: old, to: new, at: ValueLocation())
    for index in differences.all.indices {
      let difference = differences.all[index]
      differences.all[index].places =
        index < DifferencePathNotation.most
        ? DifferencePathNotation(difference, old, new) : DifferencePathNotation(difference.location)
    }
    return differences.all
  }
}

/// The paths of a difference in Swift notation.
///
/// Ignored by `==`, because they follow from the pointer and the values.
package struct DifferencePathNotation: Sendable, Hashable {
  /// The difference's path in Swift notation, without `changedCase`.
  ///
  /// `nil` if the values that contain the difference were not available.
  package let place: String?
  package let movedTo: String?
  /// The name of the enum case at the end of the path, if the two values hold different cases there.
  package let changedCase: String?
  /// The positions of the pointer's tokens that are array indexes, or `nil` if they are unknown.
  private let elements: [Int]?

  init() { (place, movedTo, changedCase, elements) = (nil, nil, nil, nil) }

  fileprivate init(_ location: JSON.ValueLocation) {
    (place, movedTo, changedCase, elements) = (nil, nil, nil, location.elements)
  }

  fileprivate init(_ difference: JSON.Difference, _ old: JSON, _ new: JSON) {
    let notation = Notation()
    let root = difference.expected == nil ? new : old
    changedCase = Self.changedCase(difference, old, new)
    let path = difference.path
    place = notation.pathText(
      changedCase == nil ? path : JSON.Pointer(Array(path.tokens.dropLast())),
      in: root
    )
    movedTo = difference.movedTo.map { notation.pathText($0, in: new) }
    elements = difference.location.elements
  }

  /// Returns the name of the case at the end of the path, or `nil` unless the other value holds a different case there.
  private static func changedCase(
    _ difference: JSON.Difference,
    _ old: JSON,
    _ new: JSON
  ) -> String? {
    guard (difference.expected == nil) != (difference.actual == nil),
      case .name(let name)? = difference.location.steps.last
    else { return nil }
    let place = JSON.Pointer(Array(difference.path.tokens.dropLast()))
    let names = [old, new].map { root -> String? in
      guard let object = root[place]?.object, object.count == 1, object.values[0].object != nil
      else { return nil }
      return object.keys[0]
    }
    guard let first = names[0], let second = names[1], first != second else { return nil }
    return name.isSwiftIdentifier ? name : nil
  }

  /// The paths as a JSON array, the form in which processes exchange them.
  package var json: JSON {
    let depths = elements.map { JSON.array($0.map { .number(JSON.Number($0)) }) }
    let texts = [place, movedTo, changedCase].map { $0.map(JSON.string) ?? .null }
    return .array(texts + [depths ?? .null])
  }

  /// Creates paths from the array that `json` returns.
  ///
  /// A property whose element is missing from the array becomes `nil`.
  package init(json: JSON) {
    let parts = json.array ?? []
    place = parts.first?.string
    movedTo = parts.count > 1 ? parts[1].string : nil
    changedCase = parts.count > 2 ? parts[2].string : nil
    elements = parts.count > 3 ? parts[3].array?.compactMap(\.int) : nil
  }

  /// Returns a location for a pointer.
  ///
  /// Treats tokens of digits as indexes if `elements` is `nil`.
  func location(_ pointer: JSON.Pointer) -> JSON.ValueLocation {
    elements.map { JSON.ValueLocation(pointer, elements: $0) }
      ?? JSON.ValueLocation(pointer, in: nil)
  }

  /// The maximum number of differences per comparison that get paths in Swift notation.
  fileprivate static let most = 64

  package static func == (lhs: Self, rhs: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

private struct JSONDifferenceFinder {
  var all: [JSON.Difference] = []
  private let isInPlace: Bool

  init(isInPlace: Bool) { self.isInPlace = isInPlace }

  mutating func append(from old: JSON, to new: JSON, at path: JSON.ValueLocation) {
    switch (old, new) {
    // `$opaque` marks a value of which a log contains only the type. The value is compared as one.
    case (.object(let object), _) where object.firstKey == "$opaque",
      (_, .object(let object)) where object.firstKey == "$opaque":
      if old != new { add(path, old, new) }
    // One of the logs can contain only the error's type and description.
    case (.object(let object), _)
    where object.firstKey == "$error" && old.isError(like: new):
      break
    // A tagged value is compared as one value, except for the value inside an error.
    case (.object(let object), .object(let other))
    where object.firstKey?.isTag == true || other.firstKey?.isTag == true:
      if let (old, new) = Self.errorValues(object, other), old != new {
        append(from: old, to: new, at: path.appending(.name("$error")).appending(.name("value")))
      } else if old != new {
        add(path, old, new)
      }
    case (.object(let old), .object(let new)):
      for (key, value) in old {
        if let changed = new[key] {
          append(from: value, to: changed, at: path.appending(.name(key)))
        } else {
          add(path.appending(.name(key)), value, nil)
        }
      }
      for (key, value) in new where old.slot(of: key) == nil {
        add(path.appending(.name(key)), nil, value)
      }
    case (.array(let old), .array(let new)): append(from: old, to: new, at: path)
    default: if old != new { add(path, old, new) }
    }
  }

  /// Returns the values inside two errors, or `nil` if the errors have different types or no values.
  private static func errorValues(_ old: JSON.Object, _ new: JSON.Object) -> (JSON, JSON)? {
    guard let old = old["$error"], let new = new["$error"], old["type"] == new["type"],
      let oldValue = old["value"], let newValue = new["value"]
    else { return nil }
    return (oldValue, newValue)
  }

  private mutating func add(_ path: JSON.ValueLocation, _ old: JSON?, _ new: JSON?) {
    all.append(JSON.Difference(location: path, expected: old, actual: new))
  }

  private mutating func append(from old: [JSON], to new: [JSON], at path: JSON.ValueLocation) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let alignment = alignment(old, start..<old.count - end, new, start..<new.count - end)
    func elementLocation(_ index: Int) -> JSON.ValueLocation { path.appending(.index(index)) }
    for pair in alignment.kept {
      // If several elements have moved, one of them can still be at its old index.
      if pair.isMoved, pair.old != pair.new {
        all.append(
          JSON.Difference(
            location: elementLocation(pair.old),
            expected: old[pair.old],
            actual: new[pair.new],
            movedTo: elementLocation(pair.new).pointer
          )
        )
      }
      append(from: old[pair.old], to: new[pair.new], at: elementLocation(pair.old))
    }
    for index in alignment.removed.reversed() { add(elementLocation(index), old[index], nil) }
    for index in alignment.inserted { add(elementLocation(index), nil, new[index]) }
  }

  private func alignment(
    _ old: [JSON],
    _ oldRange: Range<Int>,
    _ new: [JSON],
    _ newRange: Range<Int>
  ) -> RowAlignment {
    if isInPlace { return RowAlignment(pairing: oldRange, newRange) }
    // Elements are identified by their `id` if all have distinct ones, and otherwise by their value.
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
