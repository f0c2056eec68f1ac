extension LogValueConformance {
  /// Returns the conformance of a structure: an object of its stored properties, and the table of their key paths.
  static func ofStruct(
    _ type: NominalType,
    access: String,
    isObservable: Bool = false
  ) -> LogValueConformance {
    func lines(_ line: @escaping (StoredProperty) -> [String]) -> [String] {
      type.members.lines { declaration in
        NominalType.loggedProperties(of: declaration, isObservable: isObservable).flatMap(line)
      }
    }
    let read = read(lines)
    return LogValueConformance(
      access: access,
      encode: ["encoder.beginObject()"]
        + lines { property in
          if let tuple = LoggedTuple(property) { return tuple.encoding }
          let (lines, value) = reading(property, of: "self")
          return lines + ["encoder.member(\(literal(property.name.name)), \(value))"]
        }
        + ["encoder.endObject()"],
      decode: decode(lines),
      read: read,
      difference: lines { property in
        if let tuple = LoggedTuple(property) { return tuple.difference }
        let (oldLines, old) = reading(property, of: "old")
        let (newLines, new) = reading(property, of: "new")
        let function = property.isComputed ? "computedMember" : "member"
        return oldLines + newLines
          + ["patch.\(function)(\(literal(property.name.name)), \(old), \(new))"]
      },
      survey: lines { property in
        if property.isComputed { return ["type.mayHoldReferences()"] }
        let members = LoggedTuple(property)?.expressions ?? [property.expression]
        return members.map { "type.member(\\Self.\($0))" }
      },
      protocols: ["ActionLog.LogValue", "ActionLog.LogMembers"],
      deprecation: type.deprecation,
      others: [type.deprecation] + initializer(lines)
        + (read.isEmpty ? [] : [type.deprecation] + textInitializer(lines)) + [type.deprecation]
        + table(lines, access: access)
    )
  }

  /// Returns code that reads a member in a separate statement.
  ///
  /// A protocol of the type may declare a member with the same name, such as `first` of a collection. In a separate
  /// statement, Swift prefers the type's own member. As a generic argument, it prefers the protocol's if only that type
  /// is loggable.
  ///
  /// - Returns: The statements, and the expression for the value.
  fileprivate static func reading(
    _ property: StoredProperty,
    of value: String
  ) -> (lines: [String], expression: String) {
    // The name of the storage is unique.
    guard property.expression == property.name.text else {
      return ([], "\(value).\(property.expression)")
    }
    let constant = property.name.prefixed("\(value)_")
    return (["let \(constant) = \(value).\(property.expression)"], constant)
  }

  private typealias Lines = (@escaping (StoredProperty) -> [String]) -> [String]

  private static func decode(_ lines: Lines) -> [String] {
    let afterwards = membersSetAfterwards(lines)
    let isSet = !lines { property in
      [.keyedStorage, .constant, .wrapper].contains(property.access) ? [property.name.text] : []
    }.isEmpty
    return ["let members = try decoder.members(of: Self.self)"]
      + ["\(isSet ? "var" : "let") value = try Self(_$log: members, over: template)"]
      + afterwards + ["members.finish()", "return value"]
  }

  /// Returns assignments of the members that an initializer can't set, or can set only with their earlier value.
  private static func membersSetAfterwards(_ lines: Lines) -> [String] {
    lines { property in
      let name = property.name.text
      if property.access == .keyedStorage {
        // The key identifies the reference. The log contains its value.
        let storage = property.expression
        return [
          "value.\(storage) = try members.value(\(literal(property.name.name)), over: .some(template.map { $0.\(storage) } ?? value.\(storage)))"
        ]
      }
      if property.access == .literal {
        // The source code determines the value. No code may change it, because the optimizer relies on it.
        let (lines, constant) = reading(property, of: "value")
        return lines
          + ["_ = try members.value(\(literal(property.name.name)), over: .some(\(constant)))"]
      }
      guard property.access == .constant || property.access == .wrapper else { return [] }
      let function = property.access == .constant ? "_$overwrite" : "_$assign"
      let path = property.name.prefixed("path_")
      return [
        "let \(path) = \\Self.\(name)",
        "ActionLog.\(function)(\(path), of: &value, with: try members.value(\(literal(property.name.name)), over: .some((template ?? value)[keyPath: \(path)])))",
      ]
    }
  }

  /// Returns code that reads a value directly from text, or an empty array if that needs a JSON tree.
  private static func read(_ lines: Lines) -> [String] {
    guard membersSetAfterwards(lines).isEmpty else { return [] }
    return [
      "try text.beginObject()",
      "let value = try Self(_$text: &text)",
      "try text.endObject()",
      "return value",
    ]
  }

  /// Returns an initializer that sets all members that an initializer can set.
  private static func initializer(_ lines: Lines) -> [String] {
    ["private init(_$log members: ActionLog.LogDecoder.Members, over template: Self?) throws {"]
      + lines { property in
        guard property.access == .direct || property.access == .storage else { return [] }
        let name = literal(property.name.name)
        let member = property.expression
        if let tuple = LoggedTuple(property) { return ["  self.\(member) = \(tuple.decoding)"] }
        // The property already has its declared initial value here, which applies if neither log nor template has one.
        let declared =
          property.hasInitialValue && !property.isComputed ? ", declared: self.\(member)" : ""
        return [
          "  self.\(member) = try members.value(\(name), over: template.map { $0.\(member) }\(declared))"
        ]
      } + ["}"]
  }

  private static func textInitializer(_ lines: Lines) -> [String] {
    ["private init(_$text text: inout ActionLog.LogText) throws {"]
      + lines { property in
        let reading =
          LoggedTuple(property)?.reading ?? "try text.member(\(literal(property.name.name)))"
        return ["  self.\(property.expression) = \(reading)"]
      } + ["}"]
  }

  /// Returns a table of the variables' names and key paths, which converts binding actions to and from logs.
  private static func table(_ lines: Lines, access: String) -> [String] {
    let entries = lines { property in
      guard !property.isLet else { return [] }
      let name = property.name
      let wrapper = property.isBindingState ? [("$\(name.name)", name.prefixed("$"))] : []
      return ([(name.name, name.text)] + wrapper).map { name, member in
        "members.append(ActionLog.LogMember(\(literal(name)), \\Self.\(member)))"
      }
    }
    return ["\(access)static var _$logMembers: [ActionLog.LogMember<Self>] {"]
      + ["  \(entries.isEmpty ? "let" : "var") members: [ActionLog.LogMember<Self>] = []"]
      + entries.map { "  " + $0 } + ["  return members", "}"]
  }
}

/// A member of tuple type, whose elements are logged separately because tuples can't conform to protocols.
private struct LoggedTuple {
  let name: String
  let property: StoredProperty
  let elements: [TypeReference.Element]

  /// Returns `nil` if the declared type of the property isn't a tuple.
  init?(_ property: StoredProperty) {
    guard property.binding.names.count == 1,
      property.access == .direct || property.access == .storage,
      let type = property.binding.type, case .tuple(let elements) = type.shape, elements.count > 1
    else { return nil }
    name = property.name.name
    self.property = property
    self.elements = elements
  }

  private var expression: String { property.expression }

  private func literal(_ name: String) -> String { LogValueConformance.literal(name) }

  /// The names of the elements in the log, and in source code after the dot.
  private var members: [(name: String, code: String)] {
    elements.enumerated().map { index, element in
      element.argumentLabel.map { ($0, IdentifierSpelling.quotedMember($0)) } ?? (
        "_\(index)", "\(index)"
      )
    }
  }

  var encoding: [String] {
    let (lines, value) = LogValueConformance.reading(property, of: "self")
    return lines + ["encoder.key(\(literal(name)))", "encoder.beginObject()"]
      + members.map { "encoder.member(\(literal($0.name)), \(value).\($0.code))" }
      + ["encoder.endObject()"]
  }

  /// The expressions with which encoders read the elements.
  var expressions: [String] { members.map { "\(expression).\($0.code)" } }

  var decoding: String {
    let values = tuple { name, code in
      "try members.value(\(literal(name)), over: template.map { $0.\(code) })"
    }
    return """
      try ActionLog._$decodeTuple(members, \(literal(name)), over: template.map { $0.\(expression) }) { members, template in
        \(values)
      }
      """
  }

  /// The expression that reads the elements from text.
  var reading: String {
    "try text.nested(\(literal(name))) { text in \(tuple { name, _ in "try text.member(\(literal(name)))" }) }"
  }

  private func tuple(_ value: (_ name: String, _ code: String) -> String) -> String {
    let values = zip(elements, members).map { element, member in
      (element.argumentLabel.map { "\(IdentifierSpelling.quotedLabel($0)): " } ?? "")
        + value(member.name, member.code)
    }
    return "(\(values.joined(separator: ", ")))"
  }

  var difference: [String] {
    let (oldLines, old) = LogValueConformance.reading(property, of: "old")
    let (newLines, new) = LogValueConformance.reading(property, of: "new")
    return oldLines + newLines + ["patch.nested(\(literal(name))) { patch in"]
      + members.map {
        "  patch.member(\(literal($0.name)), \(old).\($0.code), \(new).\($0.code))"
      } + ["}"]
  }
}
