import ActionLog

/// Compares two changes by their results, even if the changed states differ elsewhere.
struct ChangeComparison {
  private let first: JSON
  private let second: JSON
  private let origin: IDMapping.IDProvenance

  /// Creates a comparison of changes to two states.
  ///
  /// - Parameters:
  ///   - first: The state of the first log before its change.
  ///   - second: The state of the second log before its change.
  ///   - origin: The origin of values that the changes create.
  init(of first: JSON, _ second: JSON, from origin: IDMapping.IDProvenance) {
    (self.first, self.second, self.origin) = (first, second, origin)
  }

  /// Returns whether two patches have the same result, apart from mapped ids and dates.
  ///
  /// - Parameters:
  ///   - patch: The patch of the first log.
  ///   - other: The patch of the second log.
  ///   - ids: The mapping between the ids and dates of both logs. The comparison adds pairs that it finds in the
  ///     patches.
  /// - Returns: Whether both patches have the same result.
  func isSame(_ patch: JSON.Patch, _ other: JSON.Patch, _ ids: inout IDMapping) -> Bool {
    guard patch.operations.count == other.operations.count else { return false }
    for (one, another) in zip(patch.operations, other.operations) {
      guard isSame(one, another, &ids) else { return false }
    }
    return true
  }

  private func isSame(
    _ old: JSON.Patch.Operation,
    _ new: JSON.Patch.Operation,
    _ ids: inout IDMapping
  ) -> Bool {
    switch (old, new) {
    case (.add(let path, let value), .add(let another, let replayed)):
      return isSame(path, another, inserts: true, ids) && isSame(value, replayed, &ids)
    case (.replace(let path, let value), .replace(let another, let replayed)),
      (.test(let path, let value), .test(let another, let replayed)):
      return isSame(path, another, ids) && isSame(value, replayed, &ids)
    case (.remove(let path), .remove(let another)): return isSame(path, another, ids)
    case (.move(let from, let path), .move(let otherFrom, let another)),
      (.copy(let from, let path), .copy(let otherFrom, let another)):
      return isSame(from, otherFrom, ids) && isSame(path, another, inserts: true, ids)
    case (.splice(let path, let splice), .splice(let another, let replayed)):
      return splice == replayed && isSame(path, another, ids)
    default: return false
    }
  }

  private func isSame(_ value: JSON, _ replayed: JSON, _ ids: inout IDMapping) -> Bool {
    ids.translated(replayed, like: value, from: origin) == value
  }

  private func isSame(
    _ path: JSON.Pointer,
    _ another: JSON.Pointer,
    inserts: Bool = false,
    _ ids: IDMapping
  ) -> Bool {
    let place = RowIDPath(path, in: first, inserts: inserts)
    let other = RowIDPath(another, in: second, inserts: inserts)
    return place.steps == other.steps.map { ids.translated($0) }
  }
}

/// A path into a state that identifies rows by their ids or values instead of their indexes.
struct RowIDPath {
  private(set) var steps: [JSON] = []

  /// Looks up the rows along a path.
  ///
  /// - Parameters:
  ///   - path: The path into the state, with row indexes.
  ///   - state: The state that contains the path.
  ///   - inserts: Whether an element is inserted at the path. The row before it then identifies the position.
  init(_ path: JSON.Pointer, in state: JSON, inserts: Bool) {
    var value: JSON? = state
    for (depth, token) in path.tokens.enumerated() {
      let isLast = depth + 1 == path.tokens.count
      guard case .array(let elements)? = value else {
        steps.append(.string(token))
        value = value?[token]
        continue
      }
      let index = token == "-" ? elements.count : JSON.Pointer.index(token) ?? elements.count
      let isInsertion = inserts && isLast
      let row = isInsertion ? index - 1 : index
      guard elements.indices.contains(row) else {
        steps.append(isInsertion && index == 0 ? ["first"] : .number(JSON.Number(index)))
        value = nil
        continue
      }
      value = elements[row]
      steps.append([Self.name(of: elements[row], at: row), .bool(isInsertion)])
    }
  }

  private static func name(of row: JSON, at index: Int) -> JSON {
    if let id = row["id"] { return id }
    // A row without an id is identified by its index, unless it is a scalar, which identifies itself.
    return row.object == nil && row.array == nil ? row : .number(JSON.Number(index))
  }
}
