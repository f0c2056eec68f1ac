/// An error for Swift notation that does not determine a value completely.
package struct InexactNotationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the notation that is ambiguous or incomplete.
  package let found: String
  /// The expected form of `found`, as text for people.
  package let expected: String

  package var description: String { Wording.describe(self) }
}

extension ActionPattern {
  /// Returns the action as a log writes it, if the pattern determines a single action.
  ///
  /// ```swift
  /// try ActionPattern(parsing: ".titleChanged(id: _, \"Milk\")").json(over: recorded)
  /// // {"titleChanged":{"id":"69CD…","_1":"Milk"}}
  /// ```
  ///
  /// - Parameters:
  ///   - template: The action to replace. `_` in the pattern stands for the part of this action at the same path.
  ///   - samples: Parts of the log's actions, from which omitted parts of the notation are restored.
  /// - Returns: The action as JSON.
  /// - Throws: An `InexactNotationError` with the part that is ambiguous.
  package func json(
    over template: JSON? = nil,
    _ samples: OmittedNotationParts = OmittedNotationParts()
  ) throws(InexactNotationError) -> JSON {
    try NotatedValueBuilder(samples: samples).json(value, over: template, at: [])
  }

  /// Parses a value in Swift notation or JSON.
  ///
  /// - Parameters:
  ///   - text: The notation or JSON.
  ///   - template: The value to replace. `_` in the notation stands for the part of this value at the same path.
  ///   - samples: Parts of the log's actions, from which omitted parts of the notation are restored.
  /// - Returns: The value as a log writes it.
  /// - Throws: A `NotationSyntaxError` for invalid notation, or an `InexactNotationError` with the part that is ambiguous.
  package static func value(
    parsing text: String,
    over template: JSON? = nil,
    _ samples: OmittedNotationParts = OmittedNotationParts()
  ) throws -> JSON {
    if let json = try? JSON(parsing: text.utf8) { return json }
    var parser = NotationParser(text)
    return try NotatedValueBuilder(samples: samples).json(
      try parser.wholeValue(),
      over: template,
      at: nil
    )
  }
}

/// A builder that converts parsed notation to JSON.
private struct NotatedValueBuilder {
  typealias Value = ActionPattern.Value

  let samples: OmittedNotationParts

  /// Converts a parsed value to JSON.
  ///
  /// - Parameters:
  ///   - value: The parsed value.
  ///   - template: The value to replace.
  ///   - path: The names of the enclosing cases in an action, or `nil` in other values, which samples don't describe.
  /// - Returns: The value as a log writes it.
  /// - Throws: An `InexactNotationError` with the part that is ambiguous.
  func json(
    _ value: Value,
    over template: JSON?,
    at path: [String]?
  ) throws(InexactNotationError) -> JSON {
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let literal): return JSON.Number(literal).map(JSON.number) ?? .null
    case .text(let text): return .string(text)
    case .tag(let name, let text): return .object([name: .string(text)])
    case .list(let parts):
      try checkWhole(parts)
      var elements: [JSON] = []
      for (index, part) in parts.first.enumerated() {
        elements.append(
          try json(part.value, over: template?.array?.element(at: index), at: nil)
        )
      }
      return .array(elements)
    case .object(let parts): return try object(parts, over: template, at: nil)
    case .enumCase(let name, let parts): return try enumCase(name, parts, over: template, at: path)
    case .element(let id, let action):
      let old = template?["element"]
      return [
        "element": [
          "id": try json(id, over: old?["id"], at: nil),
          "action": try json(
            action,
            over: old?["action"],
            at: path.map { $0 + ["element", "action"] }
          ),
        ]
      ]
    case .typed(let names, let parts): return try error(names, parts, over: template)
    case .textEnd(let end): return .string(try id(endingIn: end, over: template))
    case .opaque(let type, _):
      throw InexactNotationError(
        found: value.text,
        expected: "a part that a log can hold: it has the type \(type) alone"
      )
    case .masked:
      // A substitute that equals the template's denotes the template's value.
      if let template, value.matches(template) { return template }
      throw InexactNotationError(
        found: value.text,
        expected: "a value in the place of the one that is masked"
      )
    case .anything, .cutNumber, .cutText:
      // Notation that matches the template denotes the template's value.
      if let template, value.matches(template) { return template }
      throw InexactNotationError(found: value.text, expected: "the value itself")
    }
  }

  private func checkWhole(_ parts: ActionPattern.PatternParts) throws(InexactNotationError) {
    guard let passed = parts.passed else { return }
    throw InexactNotationError(found: "… \(passed) more …", expected: "all of them, or JSON")
  }

  /// Builds the members of an object or the payload of a case.
  ///
  /// A part without a label gets the name `_` followed by its position.
  private func object(
    _ parts: ActionPattern.PatternParts,
    over template: JSON?,
    at path: [String]?
  ) throws(InexactNotationError) -> JSON {
    try checkWhole(parts)
    var object = JSON.Object()
    for (place, part) in parts.first.enumerated() {
      let name = part.label ?? "_\(place)"
      object[name] = try json(part.value, over: template?[name], at: path.map { $0 + [name] })
    }
    return .object(object)
  }

  private func enumCase(
    _ name: String,
    _ parts: ActionPattern.PatternParts,
    over template: JSON?,
    at path: [String]?
  ) throws(InexactNotationError) -> JSON {
    if name == "some", parts.first.count == 1, parts.passed == nil, parts.first[0].label == nil,
      path == nil || parts.first[0].value.isEmptyOptional && path?.isEmpty == false,
      template?["some"] == nil
    {
      return ["$some": try json(parts.first[0].value, over: template?["$some"], at: nil)]
    }
    let own = path.map { $0 + [name] }
    if let own, parts.passed == nil, parts.first.count == 1, parts.first[0].label == nil,
      case .enumCase(let inner, let arguments) = parts.first[0].value,
      samples.isPresentation(at: own + ["_0"]), inner != "presented",
      inner != "dismiss" || !arguments.isEmpty
    {
      let child = try json(
        parts.first[0].value,
        over: template?[name]?["_0"]?["presented"]?["_0"],
        at: own + ["_0", "presented", "_0"]
      )
      return .object([name: ["_0": ["presented": ["_0": child]]]])
    }
    return .object([name: try object(parts, over: template?[name], at: own)])
  }

  private func error(
    _ names: [String],
    _ parts: ActionPattern.PatternParts?,
    over template: JSON?
  ) throws(InexactNotationError) -> JSON {
    let type = names.joined(separator: ".")
    if var error = samples.error(ofType: type) {
      if error["value"] != nil {
        error["value"] = try object(parts ?? .init(), over: nil, at: nil)
      } else if case .text(let text)? = parts?.first.first?.value {
        error["description"] = .string(text)
      }
      return .object(["$error": .object(error)])
    }
    let owner = names.dropLast().joined(separator: ".")
    if let name = names.last, var error = samples.error(ofType: owner) ?? Self.known(owner) {
      let value = try enumCase(name, parts ?? .init(), over: nil, at: nil)
      error["value"] = value
      error["description"] = .string(String(Notation().value(value).dropFirst()))
      return .object(["$error": .object(error)])
    }
    if var error = Self.known(type) {
      error["value"] = try object(parts ?? .init(), over: nil, at: nil)
      return .object(["$error": .object(error)])
    }
    if case .text(let text)? = parts?.first.first?.value, parts?.first.count == 1 {
      return ["$error": ["type": .string(type), "description": .string(text)]]
    }
    throw InexactNotationError(
      found: type,
      expected: "an error of which the log has one of the same type, \(type)(\"text\"), or JSON"
    )
  }

  /// Returns the logged form of an error whose type exists in this process, without the error's value.
  ///
  /// The description is only a placeholder. Recording the error again writes the actual one.
  private static func known(_ type: String) -> JSON.Object? {
    guard
      let symbol = LoggedTypeLookup.errorType(named: type).flatMap({ LogTypeName.symbol(of: $0) })
    else { return nil }
    return ["type": .string(type), "description": .string(type), "symbol": .string(symbol)]
  }

  private func id(
    endingIn end: String,
    over template: JSON?
  ) throws(InexactNotationError) -> String {
    if let text = template?.string, text.uppercased().hasSuffix(end.uppercased()) { return text }
    let ids = samples.ids(endingIn: end)
    guard ids.count == 1 else {
      throw InexactNotationError(
        found: "…\(end)",
        expected: ids.isEmpty
          ? "the end of an id that the log has, or the whole id"
          : "one of \(ids.prefix(4).joined(separator: ", "))\(ids.count > 4 ? ", …" : "")"
      )
    }
    return ids[0]
  }
}

extension ActionPattern.Value {
  /// Whether the value is `nil`, or `.some(nil)` with one or more levels of `some`.
  fileprivate var isEmptyOptional: Bool {
    switch self {
    case .null: true
    case .enumCase("some", let parts):
      parts.first.count == 1 && parts.first[0].value.isEmptyOptional
    default: false
    }
  }

  /// The value as text, for messages.
  fileprivate var text: String {
    switch self {
    case .anything: "_"
    case .cutNumber(let head, let tail, _): "\(head)…\(tail)"
    case .cutText(let head, let tail, _): "\"\(head)…\(tail)\""
    case .masked(let end): "<masked …\(end.suffix(4))>"
    case .opaque(let type, _): "<\(type)>"
    default: "\(self)"
    }
  }
}

extension [JSON] {
  fileprivate func element(at index: Int) -> JSON? { indices.contains(index) ? self[index] : nil }
}
