extension ReducerMacro {
  /// The parts of a feature that its author left out.
  static func missingMembers(of type: NominalType, access: String) -> [String] {
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

  /// Arguments make sense for enums only, whose State and Action are generated.
  static func checkArguments(in context: MacroContext) {
    guard let arguments = context.attribute.arguments, !arguments.isEmpty else { return }
    let range = context.attribute.snippet.range
    let text = context.attribute.snippet.text
    let name = "@\(context.attribute.name)"
    context.diagnoseAttribute(
      .reducerArguments(introducer: context.introducer),
      fixIts: [FixIt(.replace(text, with: name), replacing: range, with: name)]
    )
  }

  static func warnOfReduceMethod(in type: NominalType, _ context: MacroContext) {
    for declaration in type.declarations where declaration.isReduceMethod {
      guard let function = declaration.function else { continue }
      context.diagnose(
        .reduceMethod,
        at: function.name.range,
        fixIts: bodyFixIt(for: declaration, function).map { [$0] } ?? []
      )
    }
  }

  /// `func reduce(...) -> Effect<Action> { ... }` becomes `var body: some ReducerOf<Self> { Reduce { ... } }`.
  private static func bodyFixIt(for declaration: Declaration, _ function: Function) -> FixIt? {
    guard let body = function.body?.range, function.parameters.count == 2 else { return nil }
    let names = function.parameters.map { $0.secondName ?? $0.label ?? "_" }
    return FixIt(
      .useBody,
      changes: [
        FixIt.Change(
          range: declaration.introducer.range.lowerBound..<body.lowerBound + 1,
          newText: "var body: some ReducerOf<Self> {\nReduce { \(names[0]), \(names[1]) in"
        ),
        FixIt.Change(range: body.upperBound..<body.upperBound, newText: "\n}"),
      ]
    )
  }
}

extension Declaration {
  /// A property `body`, or one whose type says that it is some reducer.
  var isBody: Bool {
    guard !isStatic, let bindings = variable?.bindings else { return false }
    return bindings.contains {
      $0.names.first?.text == "body" || $0.type?.reducerArguments != nil
    }
  }

  /// Whether this is the method `reduce(into:action:)`.
  var isReduceMethod: Bool {
    guard introducer.text == "func", let function, function.name.text == "reduce" else {
      return false
    }
    return function.parameters.map(\.label) == ["into", "action"]
  }
}
