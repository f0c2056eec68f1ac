/// The structure of a type's values in a log: the members of structs and the cases of enums, if the type reveals them.
///
/// ```swift
/// TypeOutline(of: Todos.State.self)
/// // members: todos (elements: members: title (value), isDone (value)), filter (choice: "all", "active")
/// ```
///
/// A recursive type is outlined once. Inside its own outline, it appears as `value`.
package indirect enum TypeOutline: Sendable, Equatable {
  /// A value whose parts are unknown, or that has no parts.
  case value
  /// An object with known members, in order.
  case members([Member])
  /// An object with a single member, whose name is that of a case.
  case cases([Case])
  /// An array whose elements have an outline, or an object with arbitrary keys whose values have an outline.
  case elements(TypeOutline)
  /// One of several known values, such as the raw values of an enum.
  case choice([JSON])

  /// A member's name in the log, and the outline of its value.
  package struct Member: Sendable, Equatable {
    package let name: String
    package let outline: TypeOutline

    package init(_ name: String, _ outline: TypeOutline) {
      (self.name, self.outline) = (name, outline)
    }
  }

  /// A case and its associated values, which have the names of their labels, or `_0`, `_1`, and so on.
  package struct Case: Sendable, Equatable {
    package let name: String
    package let payload: [Member]

    package init(_ name: String, _ payload: [Member] = []) {
      (self.name, self.payload) = (name, payload)
    }

    /// The outline of the associated value, if the case has a single one without a label.
    package var only: TypeOutline? {
      payload.count == 1 && payload[0].name == "_0" ? payload[0].outline : nil
    }
  }

  package init(of type: Any.Type) {
    var builder = TypeOutlineBuilder()
    self = builder.outline(of: type)
  }
}

private struct TypeOutlineBuilder {
  /// The types that are currently being outlined.
  private var open: Set<ObjectIdentifier> = []
  /// The number of types that can still be outlined.
  ///
  /// Limits the outline of types that refer to each other many times.
  private var left = 20_000

  mutating func outline(of type: Any.Type) -> TypeOutline {
    let id = ObjectIdentifier(type)
    guard left > 0, open.insert(id).inserted else { return .value }
    left -= 1
    defer { open.remove(id) }
    // For other types, the form depends on their encoding code, which can't be inspected.
    guard let logged = type as? any LogValue.Type else { return rawValues(of: type) ?? .value }
    if let type = type as? any LogMembers.Type { return .members(members(of: type)) }
    if let choice = rawValues(of: type) { return choice }
    let parts = LogTypeSurvey(listingPartsOf: logged).parts ?? []
    if logged._$isWellFormed, let cases = StoredFields.cases(of: type),
      parts.allSatisfy({ $0.steps == 2 })
    {
      guard !Self.isSetting(type) else { return .value }
      return .cases(cases.compactMap { enumCase($0) })
    }
    // The keys of a dictionary have no path in the log.
    let values = parts.filter { $0.steps != nil }
    guard values.count == 1, let steps = values[0].steps else { return .value }
    let part = outline(of: values[0].type)
    // A part whose path has no steps is written in place of the value, as in an optional or a shared value.
    return steps == 0 ? part : .elements(part)
  }

  private mutating func members<Value: LogMembers>(of type: Value.Type) -> [TypeOutline.Member] {
    var members: [TypeOutline.Member] = []
    // In a log, a property wrapper's member has the name of its variable.
    for member in type._$logMembers where !member.name.hasPrefix("$") {
      let valueType = Swift.type(of: member.keyPath).valueType
      members.append(TypeOutline.Member(member.name, outline(of: valueType)))
    }
    let variables = Set(members.map(\.name))
    let constants = Self.properties(of: type).filter { name, _ in
      // The storage of observable variables has other names.
      !variables.contains(name)
        && !(name.hasPrefix("_") && variables.contains(String(name.dropFirst())))
    }
    return constants.map { TypeOutline.Member($0.name, outline(of: $0.type)) } + members
  }

  /// Returns the stored properties that a log contains and whose types are known.
  private static func properties<Value: LogMembers>(
    of type: Value.Type
  ) -> [(name: String, type: Any.Type)] {
    let properties = StoredFields.properties(of: type) ?? []
    return (LogTypeSurvey(listingPartsOf: type).parts ?? []).compactMap { part in
      let property = properties.first {
        $0.field.offset == part.offset && $0.field.type == part.type
      }
      return property.map { ($0.name, $0.field.type) }
    }
  }

  /// Whether an enum is a setting that the library defines, such as a dialog's title visibility.
  ///
  /// The cases of a setting don't belong to the feature.
  private static func isSetting(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return name.hasPrefix("TCACore.") && !name.contains("<")
  }

  /// Returns the outline of a case, or `nil` for a case with an uninhabited payload, which can't occur.
  private mutating func enumCase(_ enumCase: StoredFields.EnumCase) -> TypeOutline.Case? {
    var payload: [TypeOutline.Member] = []
    for (index, (label, type)) in enumCase.payload.enumerated() {
      guard type != Never.self else { return nil }
      payload.append(TypeOutline.Member(label ?? "_\(index)", outline(of: type)))
    }
    return TypeOutline.Case(enumCase.name, payload)
  }
}

// MARK: - Raw values

extension TypeOutlineBuilder {
  /// Returns the raw values of an enum as a choice, or `nil` for other types.
  fileprivate func rawValues(of type: Any.Type) -> TypeOutline? {
    guard let type = type as? any RawRepresentable.Type, StoredFields.isEnum(type) else {
      return nil
    }
    return rawValues(type)
  }

  private func rawValues<Value: RawRepresentable>(_ type: Value.Type) -> TypeOutline {
    guard let all = Self.all(type) else { return .value }
    let values = all.compactMap { Self.json($0.rawValue) }
    return values.count == all.count ? .choice(values) : .value
  }

  private static func all<Value>(_ type: Value.Type) -> [Value]? {
    if let type = type as? any CaseIterable.Type { return allCases(type) as? [Value] }
    // The value of an enum without associated values is the index of its case, stored in one byte.
    guard let cases = StoredFields.cases(of: type), cases.allSatisfy(\.payload.isEmpty),
      MemoryLayout<Value>.size <= 1, cases.count <= 256
    else { return nil }
    return cases.indices.map { index in
      withUnsafeBytes(of: UInt8(index)) { $0.loadUnaligned(as: type) }
    }
  }

  private static func allCases<Value: CaseIterable>(_ type: Value.Type) -> [Any] {
    type.allCases.map { $0 as Any }
  }

  private static func json(_ value: Any) -> JSON? {
    switch value {
    case let text as String: .string(text)
    case let number as any BinaryInteger: Int(exactly: number).map { .number(JSON.Number($0)) }
    default: nil
    }
  }
}

// MARK: - Actions

extension TypeOutline {
  /// Whether a path in an action, given as names of cases and payloads, leads to a `PresentationAction`.
  func isPresentation(at path: ArraySlice<String>) -> Bool {
    guard case .cases(let cases) = self else { return false }
    guard let name = path.first else {
      return cases.contains { $0.name == "dismiss" && $0.payload.isEmpty }
        && cases.contains { $0.name == "presented" && $0.only != nil }
    }
    let rest = path.dropFirst()
    let payload = cases.first { $0.name == name }?.payload.first { $0.name == rest.first }
    return payload?.outline.isPresentation(at: rest.dropFirst()) ?? false
  }

  /// The case paths of all actions that the outline describes, in the form of `Notation.casePath`:
  /// `.path[].report.reload`.
  package var casePaths: [String] {
    guard case .cases(let cases) = self else { return [] }
    var paths = CasePathCollector()
    for enumCase in cases { paths.collect(enumCase, ".\(CasePathCollector.text(enumCase))") }
    return paths.found
  }
}

/// A traversal of an outline's cases, by the same rules as `NotationWriter.casePath`.
private struct CasePathCollector {
  var found: [String] = []
  private var seen: Set<String> = []

  static func text(_ enumCase: TypeOutline.Case) -> String { Notation.visible(enumCase.name) }

  private mutating func addPath(_ path: String) {
    if seen.insert(path).inserted { found.append(path) }
  }

  mutating func collect(_ parent: TypeOutline.Case, _ path: String) {
    guard case .cases(let children)? = parent.only else { return addPath(path) }
    for child in children {
      if Self.isResult(child) {
        addPath(path)
      } else if child.name == "presented", case .cases(let presented)? = child.only {
        for action in presented {
          if Self.isLeftOut(before: action) {
            collect(action, "\(path).\(Self.text(action))")
          } else {
            collect(
              TypeOutline.Case("presented", [TypeOutline.Member("_0", .cases([action]))]),
              "\(path).presented"
            )
          }
        }
      } else if let actions = Self.elementActions(child) {
        for action in actions { collect(action, "\(path)[].\(Self.text(action))") }
      } else {
        collect(child, "\(path).\(Self.text(child))")
      }
    }
  }

  private static func isResult(_ child: TypeOutline.Case) -> Bool {
    child.name == "success" && (child.payload.isEmpty || child.only != nil)
      || child.name == "failure" && child.only != nil
  }

  /// Whether the notation omits `presented` before an action.
  private static func isLeftOut(before action: TypeOutline.Case) -> Bool {
    !isResult(action) && action.name != "dismiss" && action.name != "presented"
      && elementActions(action) == nil
  }

  /// Returns the actions of an element, if a case contains an element's id and action.
  private static func elementActions(_ child: TypeOutline.Case) -> [TypeOutline.Case]? {
    guard child.name == "element", child.payload.map(\.name) == ["id", "action"],
      case .cases(let actions) = child.payload[1].outline
    else { return nil }
    return actions
  }
}

// MARK: - JSON

extension TypeOutline {
  /// The outline as JSON, such as `{"members":{"todos":{"elements":{"members":{"title":{}}}}}}`.
  package var json: JSON {
    switch self {
    case .value: [:]
    case .members(let members): ["members": Self.json(members)]
    case .cases(let cases):
      [
        "cases": .object(
          JSON.Object(members: cases.map { ($0.name, Self.json($0.payload)) })
        )
      ]
    case .elements(let element): ["elements": element.json]
    case .choice(let values): ["values": .array(values)]
    }
  }

  private static func json(_ members: [Member]) -> JSON {
    .object(JSON.Object(members: members.map { ($0.name, $0.outline.json) }))
  }

  /// Creates an outline from the JSON that `json` returns.
  ///
  /// JSON in an unknown form becomes `value`.
  package init(json: JSON) {
    if let members = json["members"]?.object {
      self = .members(Self.members(members))
    } else if let cases = json["cases"]?.object {
      self = .cases(cases.map { Case($0.key, Self.members($0.value.object ?? [:])) })
    } else if let element = json["elements"] {
      self = .elements(TypeOutline(json: element))
    } else if let values = json["values"]?.array {
      self = .choice(values)
    } else {
      self = .value
    }
  }

  private static func members(_ members: JSON.Object) -> [Member] {
    members.map { Member($0.key, TypeOutline(json: $0.value)) }
  }
}
