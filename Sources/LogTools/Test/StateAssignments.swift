import ActionLog

/// Converts the difference between two states to assignments that change the members.
struct StateAssignments {
  let values: SwiftValues
  private(set) var statements: [SwiftCode] = []
  /// The number of statements that are calls, and therefore may return a value.
  private var calls = 0
  /// The paths at which a shared value changed, keyed by its old and new value.
  ///
  /// A shared value occurs at several paths, but its change must be written only once.
  private var sharedChanges: [[JSON]: [WildcardPath]] = [:]

  private typealias WildcardPath = ValueTypeInference.WildcardPath

  init(from old: JSON, to new: JSON, _ values: SwiftValues) {
    self.values = values
    assignChange("$0", old, new, at: ["$0"])
  }

  private init(_ values: SwiftValues) { self.values = values }

  private mutating func assignChange(
    _ target: String,
    _ old: JSON,
    _ new: JSON,
    at place: WildcardPath
  ) {
    guard old != new else { return }
    // A stack of Point-Free's library has no literal.
    if values.library == .composable, new == [], let elements = old.array,
      elements.allSatisfy(\.isStackEntry), values.places.isStack(place)
    {
      statements.append(SwiftCode("\(chained(target, at: place)).removeAll()"))
      return
    }
    if let code = values.plain(new, at: place), code.lines.count == 1, !code.canThrow,
      !isCase(new, at: place)
    {
      return assign(target, code)
    }
    switch (old, new) {
    case (.object(let old), .object(let new)): members(target, old, new, at: place)
    case (.array(let old), .array(let new)): elements(target, old, new, at: place)
    default: assign(target, values.expression(new, at: place))
    }
  }

  private func isCase(_ value: JSON, at place: WildcardPath) -> Bool {
    values.places.enumCase(value, at: place).map { !$0.payload.isEmpty } ?? false
  }

  private mutating func assign(_ target: String, _ code: SwiftCode) {
    statements.append(code.marked.wrapped("\(target) = ").throwing(code.canThrow))
  }

  /// Returns the target, with `?` appended if it is optional.
  private func chained(_ target: String, at place: WildcardPath) -> String {
    values.places.isOptional(place) ? "\(target)?" : target
  }
}

// MARK: - Members

extension StateAssignments {
  private mutating func members(
    _ target: String,
    _ old: JSON.Object,
    _ new: JSON.Object,
    at place: WildcardPath
  ) {
    let whole = JSON.object(new)
    if let (name, payload) = values.places.enumCase(whole, at: place) {
      guard let before = values.places.enumCase(.object(old), at: place), before.name == name,
        !name.isCaseOfOptional,
        payload.keys == ["_0"], before.payload.keys == ["_0"],
        let inner = payload["_0"], let innerBefore = before.payload["_0"],
        inner.object != nil, innerBefore.object != nil
      else { return assign(target, values.expression(whole, at: place)) }
      return within(
        "\(target).modify(\\.\(name))",
        // The function of Point-Free's library takes no closure that throws.
        throwing: values.library == .composable ? "\(target).change(\\.\(name))" : nil,
        innerBefore,
        inner,
        at: place + [name, "_0"]
      )
    }
    // A different id means that this is another value, so all of it is assigned.
    if let id = old["id"], let newID = new["id"], id != newID, place.count > 1 {
      return assign(target, values.expression(whole, at: place))
    }
    let isDictionary =
      values.places.isDictionary(place) || Set(old.keys) != Set(new.keys)
    if isDictionary { return entries(target, old, new, at: place) }
    // An object with a single object in it could also be an enum case with labeled values.
    let isClear =
      place.count == 1 || new.count > 1 || new.values[0].object == nil
      || isCase(new.values[0], at: place + [new.keys[0]]) || old.values[0].object == nil
      || values.places.isOptional(place + [new.keys[0]])
    guard isClear, new.keys.allSatisfy(\.isSwiftIdentifier) else {
      return assign(target, .logged(whole))
    }
    let chained = chained(target, at: place)
    for (name, value) in new {
      let inner = place + [name]
      guard let before = old[name], before != value, !values.members.isReader(inner)
      else { continue }
      let member = "\(chained).\(SwiftNameConverter.quotedMember(name))"
      if values.members.isShared(inner) {
        let written = sharedChanges[[before, value]] ?? []
        guard written.allSatisfy({ values.members.areDistinct($0, inner) }) else { continue }
        within("\(chained).$\(name).withLock", before, value, at: inner)
        registerSharedChange(before, value, at: inner)
      } else if values.members.isWhole(inner) {
        assign(member, values.expression(value, at: inner))
      } else {
        assignChange(member, before, value, at: inner)
      }
    }
  }

  /// Writes the changes inside of a value as a call with a trailing closure.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - throwing: The call for a closure that throws; `nil` if it is the same.
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - place: The path of the value.
  private mutating func within(
    _ call: String,
    throwing: String? = nil,
    _ old: JSON,
    _ new: JSON,
    at place: WildcardPath
  ) {
    var inner = StateAssignments(values)
    inner.sharedChanges = sharedChanges
    inner.assignChange("$0", old, new, at: place)
    sharedChanges = inner.sharedChanges
    // If all changes are inside of shared values, other statements may already have written them.
    guard !inner.statements.isEmpty else { return }
    let canThrow = inner.statements.contains { $0.canThrow }
    let head = SwiftCode(canThrow ? "try \(throwing ?? call)" : call)
    // A closure with a single expression would return its value, so the value is discarded.
    let isResult = inner.statements.count == 1 && inner.calls == 1
    let body = isResult ? inner.statements.map { $0.wrapped("_ = ") } : inner.statements
    statements.append(SwiftCode.closure(head, body).throwing(canThrow))
  }

  /// Registers that a shared value and its members were written at a path.
  private mutating func registerSharedChange(_ old: JSON, _ new: JSON, at place: WildcardPath) {
    guard old != new else { return }
    sharedChanges[[old, new], default: []].append(place)
    switch (old, new) {
    case (.object(let old), .object(let new)):
      for (name, value) in new {
        if let before = old[name] { registerSharedChange(before, value, at: place + [name]) }
      }
    case (.array(let old), .array(let new)):
      let rows = Dictionary(old.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
      for row in new {
        if let before = rows[row.rowID] { registerSharedChange(before, row, at: place + ["*"]) }
      }
    default: break
    }
  }

  private mutating func entries(
    _ target: String,
    _ old: JSON.Object,
    _ new: JSON.Object,
    at place: WildcardPath
  ) {
    // String keys can be written as literals. Keys of other types can't be inferred from JSON.
    guard values.places.isDictionary(place),
      (old.keys + new.keys).allSatisfy({ !$0.hasPrefix("$") && Int($0) == nil })
    else { return assign(target, .logged(.object(new))) }
    let chained = chained(target, at: place)
    for key in old.keys where new[key] == nil {
      assign("\(chained)[\(SwiftCode.text(key).text)]", SwiftCode("nil"))
    }
    for (key, value) in new where old[key] != value {
      assign(
        "\(chained)[\(SwiftCode.text(key).text)]",
        values.expression(value, at: place + [key])
      )
    }
  }
}

// MARK: - Elements

extension StateAssignments {
  private mutating func elements(
    _ target: String,
    _ old: [JSON],
    _ new: [JSON],
    at place: WildcardPath
  ) {
    let whole = JSON.array(new)
    let chained = chained(target, at: place)
    if !(old + new).isEmpty, (old + new).allSatisfy(\.isStackEntry),
      values.places.isStack(place)
    {
      return stack(chained, old, new, at: place)
    }
    guard (old + new).allSatisfy({ $0.object != nil && !isCase($0, at: place + ["*"]) }),
      (old + new).allSatisfy({
        !($0.object?.isEmpty ?? true) && $0.object.map { $0.values != [[:]] } ?? false
      }),
      let steps = RowEdits(from: old, to: new)
    else { return assign(target, values.expression(whole, at: place)) }
    for index in steps.removed.reversed() {
      statements.append(SwiftCode("\(chained).remove(at: \(index))"))
    }
    var count = old.count - steps.removed.count
    for index in steps.inserted {
      let row = values.expression(new[index], at: place + ["*"])
      let call =
        index == count
        ? row.wrapped("\(chained).append(", ")")
        : row.wrapped("\(chained).insert(", ", at: \(index))")
      statements.append(call.marked)
      count += 1
    }
    calls += steps.removed.count + steps.inserted.count
    for (before, index) in steps.kept {
      assignChange("\(chained)[\(index)]", old[before], new[index], at: place + ["*"])
    }
  }

  private mutating func stack(
    _ target: String,
    _ old: [JSON],
    _ new: [JSON],
    at place: WildcardPath
  ) {
    let ids = (old: old.compactMap { $0["id"]?.int }, new: new.compactMap { $0["id"]?.int })
    let kept = ids.old.filter(ids.new.contains)
    guard ids.new.starts(with: kept), Set(ids.new).count == ids.new.count else {
      return assign(target, .logged(.array(new)))
    }
    for id in ids.old where !kept.contains(id) { assign("\(target)[id: \(id)]", SwiftCode("nil")) }
    for entry in new {
      guard let id = entry["id"]?.int, let element = entry["element"] else { continue }
      let inner = place + ["*", "element"]
      if let before = old.first(where: { $0["id"]?.int == id })?["element"] {
        guard before != element else { continue }
        if isCase(element, at: inner), let old = values.places.enumCase(before, at: inner),
          let new = values.places.enumCase(element, at: inner), old.name == new.name
        {
          members("\(target)[id: \(id)]?", before.object ?? [:], element.object ?? [:], at: inner)
        } else if element.object != nil, before.object != nil, !isCase(element, at: inner) {
          members("\(target)[id: \(id)]?", before.object ?? [:], element.object ?? [:], at: inner)
        } else {
          assign("\(target)[id: \(id)]", values.expression(element, at: inner))
        }
      } else {
        assign("\(target)[id: \(id)]", values.expression(element, at: inner))
      }
    }
  }
}

/// The rows to remove from a list and to insert into it, such that all other rows keep their order.
private struct RowEdits {
  /// The indexes of removed rows in the old list.
  private(set) var removed: [Int] = []
  /// The indexes of inserted rows in the new list.
  private(set) var inserted: [Int] = []
  /// The indexes of the remaining rows in the old list and in the new list.
  private(set) var kept: [(Int, Int)] = []

  /// Finds the removed and inserted rows.
  ///
  /// Returns `nil` if other rows have changed their order, or if rows of one list have the same id.
  init?(from old: [JSON], to new: [JSON]) {
    let ids = (old: old.map(\.rowID), new: new.map(\.rowID))
    guard Set(ids.old).count == old.count, Set(ids.new).count == new.count else { return nil }
    if old.count == new.count, !zip(old, new).contains(where: { $0["id"] != $1["id"] }),
      old.allSatisfy({ $0["id"] == nil })
    {
      kept = old.indices.map { ($0, $0) }
      return
    }
    removed = old.indices.filter { !ids.new.contains(ids.old[$0]) }
    inserted = new.indices.filter { !ids.old.contains(ids.new[$0]) }
    let before = old.indices.filter { !removed.contains($0) }
    let after = new.indices.filter { !inserted.contains($0) }
    guard before.map({ ids.old[$0] }) == after.map({ ids.new[$0] }) else { return nil }
    kept = Array(zip(before, after))
  }
}

extension JSON {
  /// The value that identifies a row: its id, or the entire row if it has none.
  var rowID: JSON { self["id"] ?? self }

  /// Whether the value looks like an element of a stack: an object with an integer `id` and a feature's state as
  /// `element`.
  fileprivate var isStackEntry: Bool {
    guard let object, object.keys == ["id", "element"] else { return false }
    return object.values[0].int != nil && object.values[1].object != nil
  }
}
