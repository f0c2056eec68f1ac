/// The members that `@Reducer` adds to an enum of features.
struct ReducerEnum {
  let type: NominalType
  let access: String
  private let indirect: String
  private let conformances: (state: [String], action: [String])
  private let cases: [String: ReducerCase]

  /// Reads the cases.
  ///
  /// Returns `nil` if the kind of a case is unclear.
  init?(type: NominalType, context: MacroContext) {
    self.type = type
    access = context.memberAccess
    indirect = context.declaration.has(modifier: "indirect") ? "indirect " : ""
    guard context.checkNames(of: type, withPaths: true) else { return nil }
    var cases: [String: ReducerCase] = [:]
    for declaration in type.declarations {
      guard case .cases(let elements) = declaration.content else { continue }
      for element in elements {
        guard let reducerCase = ReducerCase(element, declaration, in: type) else {
          context.diagnose(
            .unclearReducerCase(element.name.name),
            at: element.range,
            fixIts: [
              FixIt(
                .insert("@ReducerCaseIgnored"),
                replacing: declaration.range.lowerBound..<declaration.range.lowerBound,
                with: "@ReducerCaseIgnored "
              )
            ]
          )
          continue
        }
        cases[element.name.text] = reducerCase
      }
    }
    self.cases = cases
    guard let conformances = Self.conformances(in: context), !context.hasErrors else { return nil }
    self.conformances = conformances
  }

  var members: [String] {
    let generated: [(String, () -> String)] = [
      ("State", { state }), ("Action", { action }), ("CaseScope", { caseScope }),
    ]
    var members = generated.filter { type.nestedType($0.0) == nil }.map { $0.1() }
    if !type.declarations.contains(where: \.isStaticBody) { members.append(body) }
    members.append(scope)
    return members
  }

  /// Returns lines for each case, under the same `#if` conditions as the cases.
  private func lines(_ lines: (ReducerCase) -> [String]) -> [String] {
    type.members.caseLines { enumCase, _ in cases[enumCase.name.text].map(lines) ?? [] }
  }

  private var state: String {
    let alias = "\(access)typealias StateReducer = \(type.name.text)"
    let generated = GeneratedType(
      name: "State",
      access: access,
      modifiers: indirect,
      conformances: ["TCACore.CaseReducerState"] + conformances.state,
      members: [alias] + lines { [$0.stateCase] },
      isObservable: true,
      hasDynamicMembers: true
    )
    return "@dynamicMemberLookup\n" + generated.asEnum
  }

  private var action: String {
    GeneratedType(
      name: "Action",
      access: access,
      modifiers: indirect,
      conformances: conformances.action,
      members: lines { [$0.actionCase] }
    ).asEnum
  }

  private var body: String {
    let operators = lines { $0.bodyLine.map { [$0] } ?? [] }
    let types = "Self.State, Self.Action"
    guard !operators.isEmpty else {
      return """
        \(access)static var body: TCACore.EmptyReducer<\(types)> {
          TCACore.EmptyReducer<\(types)>()
        }
        """
    }
    return """
      @TCACore.ReducerBuilder<\(types)>
      \(access)static var body: TCACore.Reduce<\(types)> {
        TCACore.Reduce(
          TCACore.EmptyReducer<\(types)>()
      \(operators.indented(by: 4))
        )
      }
      """
  }

  private var caseScope: String {
    let header =
      "\(access)\(indirect)enum CaseScope: TCACore._$PresentedCases, TCACore.CasePathable"
    let cases = lines { [$0.scopeCase] }.indented()
    // Uses the case paths of `@CasePathable` without `LogValue`, because stores aren't values.
    let declaration = try? Scanner.declaration(in: SourceText("\(header) {\n\(cases)\n}"))
    let paths =
      declaration?.nominal.map { type in
        [CasePaths(type: type, access: access).text]
          + CasePayloadAccessors(type: type, access: access).members
      } ?? []
    return """
      @dynamicMemberLookup
      \(header) {
      \(cases)
      \(paths.indented())
        \(access)static var allCasePaths: AllCasePaths { AllCasePaths() }
        \(access)struct _$Paths {
      \(scopePaths.indented(by: 4))
        }
        \(access)static var _$paths: _$Paths { _$Paths() }
      }
      """
  }

  /// The paths to the stores of the cases that also have actions.
  private var scopePaths: [String] {
    let actions = type.nestedType("Action")?.nominal?.cases
    return lines { reducerCase in
      let name = reducerCase.enumCase.name.text
      guard let path = reducerCase.scopePath,
        actions.map({ $0.contains { $0.name.text == name } }) ?? true
      else { return [] }
      return ["\(access)var \(name): \(path)"]
    }
  }

  private var scope: String {
    let choices = lines { [$0.scopeLine] }
    let parameter = type.cases.isEmpty ? "_" : "_ store"
    let body =
      type.cases.isEmpty
      ? "  Swift.fatalError(\"An enum without cases has no store.\")"
      : "  switch store.state {\n\(choices.indented())\n  }"
    return """
      @Swift.MainActor
      \(access)static func scope(\(parameter): TCACore.Store<Self.State, Self.Action>) -> CaseScope {
      \(body)
      }
      """
  }
}

extension Declaration {
  fileprivate var isStaticBody: Bool {
    isStatic && variable?.bindings.contains { $0.names.first?.text == "body" } == true
  }
}

extension ReducerEnum {
  /// Returns the conformances in `@Reducer(state: .equatable, action: .sendable)`, or `nil` if one is unknown.
  static func conformances(in context: MacroContext) -> (state: [String], action: [String])? {
    var conformances: (state: [String], action: [String]) = ([], [])
    var label = "state"
    for argument in context.attribute.arguments ?? [] {
      label = argument.label ?? label
      guard argument.value.text.first == ".",
        let name = protocols[String(argument.value.text.dropFirst())]
      else {
        context.diagnoseAttribute(.unknownConformance(argument.value.text))
        return nil
      }
      if label == "state" {
        conformances.state.append(name)
      } else {
        conformances.action.append(name)
      }
    }
    return conformances
  }

  private static let protocols = [
    "codable": "Swift.Codable",
    "decodable": "Swift.Decodable",
    "encodable": "Swift.Encodable",
    "equatable": "Swift.Equatable",
    "hashable": "Swift.Hashable",
    "sendable": "Swift.Sendable",
  ]
}
