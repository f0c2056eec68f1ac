/// The `@Reducer` macro.
///
/// Generates the conformance, members that the feature omits, and attributes of its State, Action and body.
enum ReducerMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard ["struct", "class", "enum"].contains(context.introducer) else { return [] }
    let names = context.introducer == "enum" ? ["CaseReducer", "Reducer"] : ["Reducer"]
    let conformances = names.filter(context.needs).map { "TCACore.\($0)" }
    if conformances.isEmpty { return [] }
    let list = conformances.joined(separator: ", ")
    return [
      "\(context.declaration.availability)nonisolated extension \(context.request.extendedType): \(list) {}"
    ]
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, ["struct", "class", "enum"].contains(context.introducer)
    else {
      context.diagnoseAttribute(
        .needsReducerType(introducer: context.introducer),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    if context.introducer == "enum" {
      return ReducerEnum(type: type, context: context)?.members ?? []
    }
    checkArguments(in: context)
    warnOfReduceMethod(in: type, context)
    return missingMembers(of: type, access: context.memberAccess)
  }

  static func memberAttributes(in context: MacroContext) -> [String] {
    let declaration = context.declaration
    if let nominal = declaration.nominal {
      return attributes(ofNested: nominal, declaration)
    }
    return attributes(ofBody: declaration)
  }

  private static func attributes(
    ofNested type: NominalType,
    _ declaration: Declaration
  ) -> [String] {
    guard ["State", "Action"].contains(type.name.text) else { return [] }
    guard declaration.introducer.text == "enum" else {
      return LogValueMacro.wantsLogValue(declaration) ? ["@ActionLog.LogValue"] : []
    }
    var attributes: [String] = []
    if declaration.attribute("CasePathable") == nil, !type.inherits("CasePathable") {
      attributes.append("@TCACore.CasePathable")
    } else if LogValueMacro.wantsLogValue(declaration) {
      attributes.append("@ActionLog.LogValue")
    }
    if type.name.text == "State", declaration.attribute("dynamicMemberLookup") == nil {
      attributes.append("@dynamicMemberLookup")
    }
    return attributes
  }

  /// Returns the builder attribute of a body.
  ///
  /// `some ReducerOf<Self>` alone doesn't specify the state and the action.
  private static func attributes(ofBody declaration: Declaration) -> [String] {
    guard let binding = declaration.variable?.bindings.first,
      binding.names.first?.text == "body",
      binding.accessors?.names.isEmpty == true,
      declaration.attribute("ReducerBuilder") == nil,
      let arguments = binding.type?.reducerArguments
    else { return [] }
    switch arguments.count {
    case 1:
      let type = arguments[0].text
      return ["@TCACore.ReducerBuilder<\(type).State, \(type).Action>"]
    case 2: return ["@TCACore.ReducerBuilder<\(arguments[0].text), \(arguments[1].text)>"]
    default: return []
    }
  }
}

extension TypeReference {
  /// The generic arguments of `some Reducer<S, A>` or `some ReducerOf<R>`.
  var reducerArguments: [TypeReference]? {
    guard case .constrained("some", let type) = shape, let name = type.components?.last,
      name.name == "Reducer" || name.name == "ReducerOf"
    else { return nil }
    return name.arguments
  }
}

extension ReducerMacro {
  /// Returns the members that the feature omits.
  private static func missingMembers(of type: NominalType, access: String) -> [String] {
    let hasBody = type.declarations.contains(where: \.isBody)
    let hasReduce = type.declarations.contains(where: \.isReduceMethod)
    var members: [String] = []
    if !hasBody, !hasReduce {
      if type.nestedType("State") == nil {
        let conformances = ["Codable", "Equatable", "Hashable", "Sendable"].map { "Swift.\($0)" }
        members.append(
          GeneratedType(
            name: "State",
            access: access,
            conformances: conformances,
            members: ["\(access)init() {}"],
            isObservable: true
          ).asStruct
        )
      }
      if type.nestedType("Action") == nil {
        let conformances = ["Equatable", "Hashable", "Sendable"].map { "Swift.\($0)" }
        members.append(
          GeneratedType(
            name: "Action",
            access: access,
            conformances: conformances,
            members: []
          ).asEnum
        )
      }
      members.append("\(access)let body = TCACore.EmptyReducer<State, Action>()")
    }
    return members
  }

  /// Reports arguments on types other than enums.
  ///
  /// Only enums have a generated State and Action.
  private static func checkArguments(in context: MacroContext) {
    guard let arguments = context.attribute.arguments, !arguments.isEmpty else { return }
    let range = context.attribute.snippet.range
    let text = context.attribute.snippet.text
    let name = "@\(context.attribute.name)"
    context.diagnoseAttribute(
      .reducerArguments(introducer: context.introducer),
      fixIts: [FixIt(.replace(text, with: name), replacing: range, with: name)]
    )
  }

  private static func warnOfReduceMethod(in type: NominalType, _ context: MacroContext) {
    for declaration in type.declarations where declaration.isReduceMethod {
      guard let function = declaration.function else { continue }
      context.diagnose(
        .reduceMethod,
        at: function.name.range,
        fixIts: bodyFixIt(for: declaration, function).map { [$0] } ?? []
      )
    }
  }

  /// Returns a fix-it that replaces `func reduce(...)` with `var body: some ReducerOf<Self> { Reduce { ... } }`.
  private static func bodyFixIt(for declaration: Declaration, _ function: Function) -> FixIt? {
    guard let body = function.body?.range, function.parameters.count == 2 else { return nil }
    let names = function.parameters.map { $0.secondName ?? $0.label ?? "_" }
    return FixIt(
      .useBody,
      changes: [
        FixIt.TextReplacement(
          range: declaration.introducer.range.lowerBound..<body.lowerBound + 1,
          newText: "var body: some ReducerOf<Self> {\nReduce { \(names[0]), \(names[1]) in"
        ),
        FixIt.TextReplacement(range: body.upperBound..<body.upperBound, newText: "\n}"),
      ]
    )
  }
}

extension Declaration {
  /// Whether this is a property `body`, or one whose type is some reducer.
  fileprivate var isBody: Bool {
    guard !isStatic, let bindings = variable?.bindings else { return false }
    return bindings.contains {
      $0.names.first?.text == "body" || $0.type?.reducerArguments != nil
    }
  }

  /// Whether this is the method `reduce(into:action:)`.
  fileprivate var isReduceMethod: Bool {
    guard introducer.text == "func", let function, function.name.text == "reduce" else {
      return false
    }
    return function.parameters.map(\.label) == ["into", "action"]
  }
}
