extension LogValueConformance {
  /// Returns the conformance of an enum.
  ///
  /// Its log format is an object with one member, named after the case, that contains the payload. An enum with raw
  /// values is logged as its raw value.
  static func ofEnum(_ type: NominalType, access: String) -> LogValueConformance {
    if type.hasRawValues { return ofRawEnum(access: access) }
    return LogValueConformance(
      access: access,
      encode: encode(type),
      decode: decode(type),
      read: read(type),
      difference: difference(type),
      survey: type.members.caseLines { enumCase, _ in
        enumCase.elements.isEmpty || enumCase.isImpossible
          ? [] : ["type.payload(Self.\(enumCase.name.text))"]
      },
      deprecation: type.deprecation
    )
  }

  private static func ofRawEnum(access: String) -> LogValueConformance {
    LogValueConformance(
      access: access,
      encode: ["encoder.value(self.rawValue)"],
      decode: [
        "let rawValue = try decoder.value(RawValue.self)",
        "guard let value = Self(rawValue: rawValue) else {",
        "  throw decoder.error(.unknownCase(\"\\(rawValue)\"), type: Self.self)",
        "}",
        "return value",
      ],
      read: [
        "guard let value = Self(rawValue: try text.value(RawValue.self)) else {",
        "  throw ActionLog.LogText.UnexpectedFormat()",
        "}",
        "return value",
      ],
      difference: ["if old.rawValue != new.rawValue { patch.replace(with: new) }"],
      survey: ["type.contains(RawValue.self)"]
    )
  }

  private static func encode(_ type: NominalType) -> [String] {
    if type.cases.isEmpty { return [] }
    let isSwitch = type.isSurelyInhabited
    let cases = type.members.caseLines { enumCase, _ in
      let binding = enumCase.elements.isEmpty ? "" : "let "
      let pattern = "case \(binding)\(enumCase.bindingPattern)"
      if enumCase.isImpossible { return isSwitch ? ["case .\(enumCase.name.text): break"] : [] }
      let lines = encode(enumCase)
      guard lines.count == 1 else {
        return [isSwitch ? "\(pattern):" : "if \(pattern) = self {"] + lines.map { "  " + $0 }
          + (isSwitch ? [] : ["}"])
      }
      return [isSwitch ? "\(pattern): \(lines[0])" : "if \(pattern) = self { \(lines[0]) }"]
    }
    return isSwitch ? ["switch self {"] + cases + ["}"] : cases
  }

  private static func encode(_ enumCase: EnumCase) -> [String] {
    let name = literal(enumCase.name.name)
    if let tuple = enumCase.tuple {
      let members = tuple.map { "encoder.member(\(literal($0.name)), _0.\($0.code))" }
      return ["encoder._$beginCase(\(name))"] + members + ["encoder._$endCase()"]
    }
    switch enumCase.elements.count {
    case 0: return ["encoder._$case(\(name))"]
    case 1: return ["encoder._$case(\(name), _0\(enumCase.labelArgument))"]
    default:
      let members = zip(enumCase.elements.indices, enumCase.memberNames).map { index, name in
        "encoder.member(\(literal(name)), _\(index))"
      }
      return ["encoder._$beginCase(\(name))"] + members + ["encoder._$endCase()"]
    }
  }

  private static func decode(_ type: NominalType) -> [String] {
    if type.cases.allSatisfy(\.isImpossible) {
      return [
        "let name = try decoder.enumCase(of: Self.self).name",
        "throw decoder.error(.unknownCase(name), type: Self.self)",
      ]
    }
    return ["let (name, payload) = try decoder.enumCase(of: Self.self)", "switch name {"]
      + type.members.caseLines { enumCase, _ in
        if enumCase.isImpossible { return [] }
        return ["case \(literal(enumCase.name.name)):"] + decode(enumCase).map { "  " + $0 }
      } + [
        "default:",
        "  throw decoder.error(.unknownCase(name), type: Self.self)",
        "}",
      ]
  }

  /// Returns the body of a case in `decode(from:over:)`.
  ///
  /// The templates are wrapped in `.some`. Otherwise, an optional template makes the compiler decode the wrapped type,
  /// which rejects `null`.
  private static func decode(_ enumCase: EnumCase) -> [String] {
    let names = enumCase.memberNames.map(literal)
    if names.isEmpty {
      return ["return try payload._$case(empty: \(enumCase.construction(of: [])))"]
    }
    if let tuple = enumCase.tuple {
      let values = tuple.map { "\($0.label)try members.value(\(literal($0.name)))" }
      let templates = tuple.map {
        "\($0.label)try members.value(\(literal($0.name)), over: .some(_0.\($0.code)))"
      }
      return [
        "let members = try payload.members(of: Self.self)",
        "let value: Self",
        "if case let \(enumCase.bindingPattern)? = template {",
        "  value = .\(enumCase.name.text)((\(templates.joined(separator: ", "))))",
        "} else {",
        "  value = .\(enumCase.name.text)((\(values.joined(separator: ", "))))",
        "}",
        "members.finish()",
        "return value",
      ]
    }
    if names.count == 1, !enumCase.omissibleElements.contains(true) {
      // Uses the case as a function, because the payload may be uninhabited.
      let arguments = "Self.\(enumCase.name.text)\(enumCase.labelArgument)"
      return [
        "if case let \(enumCase.bindingPattern)? = template { return try payload._$case(\(arguments), over: .some(_0)) }",
        "return try payload._$case(\(arguments))",
      ]
    }
    let lines = ["let members = try payload.members(of: Self.self)"]
    let (overTemplate, alone): (String, String)
    if names.count == 1 {
      // Uses the case as a function, because the payload may be uninhabited.
      let make = "try ActionLog._$decode(members, \(names[0]), Self.\(enumCase.name.text)"
      (overTemplate, alone) = ("\(make), over: .some(_0))", "\(make))")
    } else {
      overTemplate = enumCase.construction(
        of: names.enumerated().map { "try members.value(\($1), over: .some(_\($0)))" }
      )
      alone = enumCase.construction(of: names.map { "try members.value(\($0))" })
    }
    return lines + [
      "let value: Self",
      "if case let \(enumCase.bindingPattern)? = template {",
      "  value = \(overTemplate)",
    ] + declaredValues(enumCase, names) + [
      "} else {",
      "  value = \(alone)",
      "}",
      "members.finish()",
      "return value",
    ]
  }

  /// Returns code that decodes a payload if the log lacks values that have a default.
  ///
  /// Creates the case without these values instead of copying the default expressions, which may use names that only
  /// the declaration can access.
  private static func declaredValues(_ enumCase: EnumCase, _ names: [String]) -> [String] {
    let hasDefault = enumCase.omissibleElements
    guard hasDefault.contains(true) else { return [] }
    let optional = zip(names, hasDefault).filter(\.1).map(\.0).joined(separator: ", ")
    let given = zip(names, hasDefault).map { $1 ? nil : "try members.value(\($0))" }
    let completed = zip(names, hasDefault).enumerated().map { index, element in
      element.1 ? "try members.value(\(element.0), declared: _\(index))" : "_\(index)"
    }
    // Optional, because the pattern would always match if the enum has no other case.
    return [
      "} else if members.lackAny(of: \(optional)),",
      "  case let \(enumCase.bindingPattern)? = Swift.Optional(Self\(enumCase.construction(of: given)))",
      "{",
      "  value = \(enumCase.construction(of: completed))",
    ]
  }

  private static func read(_ type: NominalType) -> [String] {
    if type.cases.allSatisfy(\.isImpossible) { return [] }
    return ["try text.beginEnum()"]
      + type.members.caseLines { enumCase, _ in
        if enumCase.isImpossible { return [] }
        let lines = read(enumCase)
        let condition = "if text.takeCase(\(literal(enumCase.name.name)))"
        return lines.count == 1
          ? ["\(condition) { \(lines[0]) }"]
          : ["\(condition) {"] + lines.map { "  " + $0 } + ["}"]
      } + ["throw ActionLog.LogText.UnexpectedFormat()"]
  }

  private static func read(_ enumCase: EnumCase) -> [String] {
    if let tuple = enumCase.tuple {
      let values = tuple.map { "\($0.label)try text.member(\(literal($0.name)))" }
      return [
        "let value: Self = .\(enumCase.name.text)((\(values.joined(separator: ", "))))",
        "try text.endEnum()", "return value",
      ]
    }
    switch enumCase.elements.count {
    case 0: return ["return try text._$case(empty: \(enumCase.construction(of: [])))"]
    // Uses the case as a function, because the payload may be uninhabited.
    case 1:
      return ["return try text._$case(Self.\(enumCase.name.text)\(enumCase.labelArgument))"]
    default:
      let values = enumCase.memberNames.map { "try text.member(\(literal($0)))" }
      return [
        "let value: Self = \(enumCase.construction(of: values))", "try text.endEnum()",
        "return value",
      ]
    }
  }

  private static func difference(_ type: NominalType) -> [String] {
    let isSwitch = type.isSurelyInhabited
    let cases = type.members.caseLines { enumCase, _ in
      if enumCase.isImpossible && !isSwitch { return [] }
      guard !enumCase.elements.isEmpty, !enumCase.isImpossible else {
        return ["case (.\(enumCase.name.text), .\(enumCase.name.text)): break"]
      }
      let old = enumCase.elements.indices.map { "old\($0)" }.joined(separator: ", ")
      let new = enumCase.elements.indices.map { "new\($0)" }.joined(separator: ", ")
      let members =
        enumCase.tuple?.map {
          "    patch.member(\(literal($0.name)), old0.\($0.code), new0.\($0.code))"
        }
        ?? enumCase.memberNames.enumerated().map { index, name in
          "    patch.member(\(literal(name)), old\(index), new\(index))"
        }
      let name = enumCase.name
      let pattern = "case let (.\(name.text)(\(old)), .\(name.text)(\(new)))"
      if enumCase.elements.count == 1, enumCase.tuple == nil {
        let line = "patch._$case(\(literal(name.name)), old0, new0\(enumCase.labelArgument))"
        return [isSwitch ? "\(pattern): \(line)" : "if \(pattern) = (old, new) { return \(line) }"]
      }
      return [
        isSwitch ? "\(pattern):" : "if \(pattern) = (old, new) {",
        "  patch.nested(\(literal(name.name))) { patch in",
      ] + members + (isSwitch ? ["  }"] : ["  }", "  return", "}"])
    }
    if cases.isEmpty { return [] }
    guard isSwitch else { return cases + ["patch.replace(with: new)"] }
    let fallback = type.cases.count > 1 ? ["default: patch.replace(with: new)"] : []
    return ["switch (old, new) {"] + cases + fallback + ["}"]
  }

  /// Returns a Swift string literal.
  static func literal(_ text: String) -> String { IdentifierSpelling.literal(text) }
}

/// An element of a tuple that is the only payload of a case.
private struct TupleElement {
  /// The name in the log.
  let name: String
  /// The name in source code.
  let code: String
  /// The label with a colon, for creating the tuple.
  let label: String
}

extension EnumCase {
  /// The elements of a tuple that is the only payload, or `nil`.
  ///
  /// Logs contain them as separate payload values.
  fileprivate var tuple: [TupleElement]? {
    guard elements.count == 1, elements[0].argumentLabel == nil, elements[0].defaultValue == nil,
      case .tuple(let elements) = elements[0].type.shape, elements.count > 1
    else { return nil }
    return elements.enumerated().map { index, element in
      guard let label = element.argumentLabel else {
        return TupleElement(name: "_\(index)", code: "\(index)", label: "")
      }
      return TupleElement(
        name: label,
        code: IdentifierSpelling.quotedMember(label),
        label: "\(IdentifierSpelling.quotedLabel(label)): "
      )
    }
  }

  /// The names of the associated values in the log: their labels, or `_0`, `_1` and so on.
  fileprivate var memberNames: [String] {
    elements.enumerated().map { index, element in element.argumentLabel ?? "_\(index)" }
  }

  /// An argument with the label of the only associated value, or an empty string.
  fileprivate var labelArgument: String {
    guard elements.count == 1, let label = elements[0].argumentLabel else { return "" }
    return ", as: \(LogValueConformance.literal(label))"
  }
}

extension NominalType {
  /// Whether the first inherited type of an enum is a type that literals can have.
  fileprivate var hasRawValues: Bool {
    guard let name = inheritance.first?.baseName, Self.rawTypes.contains(name) else { return false }
    return cases.allSatisfy { $0.payload == nil }
  }

  private static let rawTypes: Set<String> = [
    "String", "Substring", "Character", "Unicode.Scalar", "Double", "Float", "Int", "Int8", "Int16",
    "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "CGFloat", "NSInteger",
  ]
}
