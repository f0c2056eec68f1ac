import ActionLog

/// The paths in two states that changes have touched since the last comparison.
///
/// Paths are stored as members of the state, or as rows in one array of a member. The time for a comparison therefore
/// does not grow with the number of rows.
struct TouchedPaths {
  /// A touched row that is identified by its id.
  struct TouchedRow {
    /// The row's id in the first log and in the second log.
    let ids: (first: JSON, second: JSON)
    /// Indexes in both states at which the search for the row starts, because rows may have moved.
    var hints: (first: Int, second: Int)
  }

  /// An array and the rows in it that were touched.
  struct Rows {
    let array: JSON.Pointer
    /// The touched rows, keyed by their ids in the first log.
    var rows: [JSON: TouchedRow] = [:]
  }

  /// The part of a member that was touched: all of it, or some rows.
  enum TouchedPart {
    case whole
    case rows(Rows)
  }

  /// The touched parts, keyed by member name, or `nil` if the entire state was touched.
  private(set) var members: [String: TouchedPart]? = [:]

  /// A value that covers the entire state.
  static let all: TouchedPaths = {
    var places = TouchedPaths()
    places.members = nil
    return places
  }()

  var isEmpty: Bool { members?.isEmpty == true }

  /// The maximum number of touched rows in one array.
  ///
  /// If more rows were touched, the entire member is compared.
  private static let mostRows = 64

  /// Adds the paths that a patch touches.
  ///
  /// - Parameters:
  ///   - patch: The patch, from either log.
  ///   - state: The state before the patch, or `nil` if it is not known.
  ///   - side: The log that contains the patch and the state.
  ///   - mapping: The mapping between the ids of both logs, which finds the row in the other log.
  mutating func insert(
    _ patch: JSON.Patch,
    in state: JSON?,
    of side: AlignedComparisonResult.Side,
    _ mapping: IDMapping
  ) {
    for path in patch.operations.lazy.flatMap(\.paths) { insert(path, state, side, mapping) }
  }

  private mutating func insert(
    _ path: JSON.Pointer,
    _ state: JSON?,
    _ side: AlignedComparisonResult.Side,
    _ mapping: IDMapping
  ) {
    guard let name = path.tokens.first else {
      members = nil
      return
    }
    guard var known = members else { return }
    if case .whole? = known[name] { return }
    known[name] = part(path, state, side, mapping, known[name])
    members = known
  }

  private func part(
    _ path: JSON.Pointer,
    _ state: JSON?,
    _ side: AlignedComparisonResult.Side,
    _ mapping: IDMapping,
    _ known: TouchedPart?
  ) -> TouchedPart {
    guard let (depth, index, id) = Self.row(path, state) else { return .whole }
    let array = JSON.Pointer(Array(path.tokens[..<depth]))
    var rows = Rows(array: array)
    if case .rows(let other)? = known {
      guard other.array == array else { return .whole }
      rows = other
    }
    let ids: (first: JSON, second: JSON) =
      side == .first ? (id, mapping.untranslated(id)) : (mapping.translated(id), id)
    guard rows.rows[ids.first] != nil || rows.rows.count < Self.mostRows else { return .whole }
    var row = rows.rows[ids.first] ?? TouchedRow(ids: ids, hints: (index, index))
    if side == .first { row.hints.first = index } else { row.hints.second = index }
    rows.rows[ids.first] = row
    return .rows(rows)
  }

  /// Returns the row that a path leads into.
  ///
  /// Returns `nil` if no row on the path has an id, or if the path leads to an entire row or its id.
  private static func row(
    _ path: JSON.Pointer,
    _ state: JSON?
  ) -> (depth: Int, index: Int, id: JSON)? {
    var value = state
    for (depth, token) in path.tokens.enumerated() {
      switch value {
      case .array(let elements)?:
        guard depth + 1 < path.tokens.count, path.tokens[depth + 1] != "id",
          let index = JSON.Pointer.index(token), elements.indices.contains(index),
          let id = elements[index]["id"]
        else { return nil }
        return (depth, index, id)
      case .object(let object)?:
        guard object.firstKey?.hasPrefix("$") != true else { return nil }
        value = object[token]
      default: return nil
      }
    }
    return nil
  }
}

// MARK: - Extracting touched parts

extension TouchedPaths {
  /// Extracts the touched parts of two states.
  ///
  /// Rows keep the indexes that they have in the first state. The elements between them are `null`.
  ///
  /// - Parameters:
  ///   - first: The state from the first log.
  ///   - second: The state from the second log.
  /// - Returns: The touched part of each state, and the paths that these parts cover. If a touched row is missing in
  ///   one state, the parts contain the entire member.
  func parts(_ first: JSON, _ second: JSON) -> (first: JSON, second: JSON, places: TouchedPaths) {
    guard let members, let old = first.object, let new = second.object else {
      return (first, second, .all)
    }
    var result = self
    var parts: ([(key: String, value: JSON)], [(key: String, value: JSON)]) = ([], [])
    let names = members.keys.sorted {
      (old.slot(of: $0) ?? .max, $0) < (old.slot(of: $1) ?? .max, $1)
    }
    for name in names {
      if case .rows(let rows)? = members[name], let pair = rows.parts(first, second) {
        parts.0.append((name, pair.first))
        parts.1.append((name, pair.second))
        continue
      }
      result.members?[name] = .whole
      if let value = old[name] { parts.0.append((name, value)) }
      if let value = new[name] { parts.1.append((name, value)) }
    }
    return (
      .object(JSON.Object(members: parts.0)), .object(JSON.Object(members: parts.1)), result
    )
  }
}

extension TouchedPaths.Rows {
  /// Reduces a member of both states to the touched rows.
  ///
  /// Returns `nil` if the array or a row is missing in one state.
  fileprivate func parts(_ first: JSON, _ second: JSON) -> (first: JSON, second: JSON)? {
    guard let old = first[array]?.array, let new = second[array]?.array else { return nil }
    var found: [(index: Int, old: JSON, new: JSON)] = []
    for row in rows.values {
      guard let index = Self.index(of: row.ids.first, in: old, near: row.hints.first),
        let other = Self.index(of: row.ids.second, in: new, near: row.hints.second)
      else { return nil }
      found.append((index, old[index], new[other]))
    }
    let count = (found.map(\.index).max() ?? 0) + 1
    var elements = (
      [JSON](repeating: .null, count: count), [JSON](repeating: .null, count: count)
    )
    for row in found { (elements.0[row.index], elements.1[row.index]) = (row.old, row.new) }
    let path = array.tokens[...]
    guard
      let part = Self.wrapped(.array(elements.0), path, in: first),
      let otherPart = Self.wrapped(.array(elements.1), path, in: first)
    else { return nil }
    return (part, otherPart)
  }

  /// Returns the index of the row with an id, or `nil` if no row has the id.
  ///
  /// The search starts at `hint` and moves away from it in both directions.
  private static func index(of id: JSON, in rows: [JSON], near hint: Int) -> Int? {
    for distance in 0..<max(rows.count - hint, hint + 1) {
      let (after, before) = (hint + distance, hint - distance)
      if after < rows.count, rows[after]["id"] == id { return after }
      if before >= 0, before < rows.count, rows[before]["id"] == id { return before }
    }
    return nil
  }

  /// Rebuilds a state's member around an array, with `null` for all values outside of the array.
  private static func wrapped(
    _ value: JSON,
    _ path: ArraySlice<String>,
    in state: JSON
  ) -> JSON? {
    guard let name = path.first else { return value }
    guard let object = state.object, let next = object[name],
      let inner = wrapped(value, path.dropFirst(), in: next)
    else { return nil }
    // The object at the root is built by the caller, so only the member's value is returned.
    return path.startIndex == 0
      ? inner
      : .object(
        JSON.Object(
          members: object.map { key, _ in (key: key, value: key == name ? inner : .null) }
        )
      )
  }
}
