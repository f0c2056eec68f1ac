/// A pattern for actions, as people write it: the start of an action in Swift notation, beginning with the root's case.
///
/// ```swift
/// let pattern = try ActionPattern(parsing: ".path[2].report")
/// pattern.matches(action)  // true for any action in the report of the element with the id 2
/// try ActionPattern(parsing: ".saved(.failure)")
/// try ActionPattern(parsing: ".titleChanged(id: …AC1A)")
/// ```
///
/// Omitted parts match anything: further cases of the path, arguments, and members. `_` matches any value, and `[]` any
/// element.
package struct ActionPattern: Sendable, Hashable, CustomStringConvertible {
  /// The pattern as it was written.
  package let description: String
  let value: Value

  /// Parses a pattern.
  ///
  /// - Throws: A `NotationSyntaxError` with the position of the error.
  package init(parsing text: String) throws(NotationSyntaxError) {
    description = text
    var parser = NotationParser(text)
    value = try parser.action()
  }

  /// Whether an action matches the pattern, beginning with the action's root case.
  package func matches(_ action: JSON) -> Bool { value.matches(action) }

  /// Whether an action, or a child's action inside it, matches the pattern.
  package func isFound(in action: JSON) -> Bool {
    if matches(action) { return true }
    var action = action
    while let child = action.childAction {
      if matches(child) { return true }
      action = child
    }
    return false
  }

  /// Whether a value matches the pattern, or is a string that equals the name of the pattern's case.
  ///
  /// A log contains such a string for a case with a raw value.
  package func isCase(_ value: JSON) -> Bool {
    if case .enumCase(let name, let parts) = self.value, parts.isEmpty,
      value.string?.hasSameBytes(as: name) == true
    {
      return true
    }
    return matches(value)
  }
}

extension ActionPattern {
  indirect enum Value: Sendable, Hashable {
    case anything
    case null
    case bool(Bool)
    case number(String)
    case cutNumber(String, String, digits: Int)
    case text(String)
    case textEnd(String)
    case cutText(String, String, bytes: Int)
    case masked(String)
    case tag(String, String)
    case opaque(type: String, text: String?)
    case enumCase(String, PatternParts)
    /// An action of an element in a collection: the element's id, and the action.
    case element(Value, Value)
    case list(PatternParts)
    case object(PatternParts)
    /// The names of a type and possibly of one of its cases, and the arguments, if any.
    case typed([String], PatternParts?)
  }

  /// An element, an argument, or a member, with its label if it has one.
  struct PatternPart: Sendable, Hashable {
    var label: String?
    var value: Value
  }

  /// The parts of a list, an object, or a case's payload, of which some in the middle can be omitted.
  struct PatternParts: Sendable, Hashable {
    var first: [PatternPart] = []
    /// The number of omitted parts, or `nil` if all parts are present.
    var passed: Int?
    var last: [PatternPart] = []

    var isEmpty: Bool { first.isEmpty && passed == nil }
  }
}

extension ActionPattern.Value {
  func matches(_ json: JSON) -> Bool {
    if matchesItself(json) { return true }
    // The value is inside a wrapper that the notation omits.
    switch self {
    case .enumCase, .element, .object, .anything:
      return json.leftOut.map { matches($0) } ?? false
    default: return false
    }
  }

  private func matchesItself(_ json: JSON) -> Bool {
    switch self {
    case .anything: true
    case .null: json.isNull
    case .bool(let value): json.bool == value
    case .number(let literal): json.number.map { $0 == JSON.Number(literal) } ?? false
    case .cutNumber(let head, let tail, let digits):
      json.number.map {
        $0.literal.utf8.count == digits && $0.literal.hasPrefix(head) && $0.literal.hasSuffix(tail)
      } ?? false
    // People can't distinguish canonically equivalent strings when they type or read them.
    case .text(let text): json.string == text
    case .textEnd(let end): json.string?.uppercased().hasSuffix(end.uppercased()) ?? false
    case .cutText(let head, let tail, let bytes):
      json.string.map {
        $0.utf8.count == bytes && $0.utf8.starts(with: head.utf8)
          && $0.utf8.suffix(tail.utf8.count).elementsEqual(tail.utf8)
      } ?? false
    case .masked(let end):
      (json.string ?? json["$masked"]?.string).map { $0.isMaskSubstitute && $0.hasSuffix(end) }
        ?? false
    case .tag(let name, let text): json.object?.count == 1 && json[name]?.string == text
    case .opaque(let type, let text):
      json["$opaque"]?.string == type
        && (text.map { text in
          (json["reason"] ?? json["shown"])?.string.map {
            $0.hasSameBytes(as: text) || text.hasSuffix("…") && $0.hasPrefix(text.dropLast())
          } ?? false
        } ?? true)
    case .enumCase(let name, let parts):
      json.payload(of: name).map(parts.match(payload:))
        ?? (name == "some" && json.object?.count == 1
          && json["$some"].map { parts.match(payload: ["_0": $0]) } ?? false)
    case .element(let id, let action):
      json.payload(of: "element").map { payload in
        payload.count == 2 && payload["id"].map(id.matches) ?? false
          && payload["action"].map(action.matches) ?? false
      } ?? false
    case .list(let parts): (json.array ?? json.indexSet).map(parts.match(elements:)) ?? false
    case .object(let parts): json.object.map(parts.match(members:)) ?? false
    case .typed(let names, let parts): match(names, parts, json)
    }
  }

  private func match(_ names: [String], _ parts: ActionPattern.PatternParts?, _ json: JSON) -> Bool
  {
    guard let error = json["$error"], let type = error["type"]?.string else { return false }
    let all = names.joined(separator: ".")
    if type == all {
      guard let parts else { return true }
      if let value = error["value"] {
        if parts.isEmpty { return value == [:] }
        return ActionPattern.Value.object(parts).matches(value)
          || parts.first.count == 1 && parts.first[0].value.matches(value)
      }
      guard let part = parts.first.first else {
        return error["description"]?.string == type + "()"
      }
      return error["description"].map { part.value.matches($0) } ?? false
    }
    guard let name = names.last, type == names.dropLast().joined(separator: "."),
      let value = error["value"]
    else { return false }
    return ActionPattern.Value.enumCase(name, parts ?? .init()).matches(value)
  }
}

extension ActionPattern.PatternParts {
  /// Whether these parts match the arguments in a case's payload.
  ///
  /// Arguments without a label are matched in order: those before omitted parts from the start, and those after them
  /// from the end.
  func match(payload: JSON.Object) -> Bool {
    let unlabeled = payload.filter { member in member.key.isPlaceOfPayload }.map(\.value)
    var place = 0
    for part in first {
      if let label = part.label {
        guard let value = payload[label], part.value.matches(value) else { return false }
      } else {
        guard place < unlabeled.count, part.value.matches(unlabeled[place]) else { return false }
        place += 1
      }
    }
    guard passed != nil else { return true }
    var end = unlabeled.count
    for part in last.reversed() {
      if let label = part.label {
        guard let value = payload[label], part.value.matches(value) else { return false }
      } else {
        end -= 1
        guard end >= place, part.value.matches(unlabeled[end]) else { return false }
      }
    }
    return true
  }

  func match(elements: [JSON]) -> Bool {
    guard elements.count == first.count + (passed ?? 0) + last.count else { return false }
    return zip(first, elements).allSatisfy { $0.value.matches($1) }
      && zip(last.reversed(), elements.reversed()).allSatisfy { $0.value.matches($1) }
  }

  func match(members: JSON.Object) -> Bool {
    if isEmpty { return members.isEmpty }
    if first.contains(where: { $0.label == nil }) { return match(payload: members) }
    return (first + last).allSatisfy { part in
      guard let label = part.label else { return false }
      return members[label].map { part.value.matches($0) } ?? false
    }
  }
}

extension JSON {
  /// The action of a child: the only argument of this action's case, or the action of an `element` case.
  ///
  /// `nil` if the case has other arguments.
  fileprivate var childAction: JSON? {
    guard case .object(let object) = self, object.count == 1,
      case .object(let payload) = object.values[0]
    else { return nil }
    if payload.count == 1, let inner = payload["_0"], let name = inner.object?.keys.first,
      inner.object?.count == 1
    {
      // A `Result` is an argument, not a child's action.
      return name == "success" || name == "failure" ? nil : inner
    }
    guard object.keys[0] == "element", payload.keys == ["id", "action"] else { return nil }
    return payload["action"]
  }

  /// Returns the payload of a case, or `nil` if the value isn't this case.
  fileprivate func payload(of name: String) -> JSON.Object? {
    guard case .object(let object) = self, object.count == 1 else { return nil }
    return object[name]?.object
  }

  /// The value inside a wrapper that the notation omits, or `nil` for other values.
  fileprivate var leftOut: JSON? {
    guard case .object(let object) = self, object.count == 1 else { return nil }
    if let presented = object["presented"]?.object, presented.count == 1 { return presented["_0"] }
    return object["$some"] ?? object["$error"]?["value"]
  }
}
