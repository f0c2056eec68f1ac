/// `@CasePathable`: a case path for each case, and with that a place in the log.
enum CasePathableMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.declaration.introducer.text == "enum" else {
      return []
    }
    var extensions: [String] = []
    let conformances = ["CasePathable", "CasePathIterable"].filter(context.needs)
    if !conformances.isEmpty {
      let list = conformances.map { "TCACore.\($0)" }.joined(separator: ", ")
      extensions.append(
        "\(context.declaration.availability)nonisolated extension \(context.request.extendedType): \(list) {}"
      )
    }
    if context.needs("LogValue"), !type.inherits("LogValue") {
      let conformance = LogValueConformance.ofEnum(type, access: context.memberAccess)
      extensions.append(conformance.asExtension(in: context))
    }
    return extensions
  }

  static func memberAttributes(in context: MacroContext) -> [String] {
    LogValueMacro.memberAttributes(in: context)
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.declaration.introducer.text == "enum" else {
      context.diagnoseAttribute(
        .needsEnum(macro: "CasePathable", introducer: context.declaration.introducer.text),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    guard checkNames(of: type, in: context) else { return [] }
    return members(of: type, access: context.memberAccess) + context.useOfImport
  }

  /// The case paths of an enum.
  static func members(of type: NominalType, access: String) -> [String] {
    aliases(for: type, access: access) + [
      CasePaths(type: type, access: access).text,
      "\(access)static var allCasePaths: AllCasePaths { AllCasePaths() }",
    ]
  }

  /// Case paths are properties, so two cases of one name cannot both have one.
  private static func checkNames(of type: NominalType, in context: MacroContext) -> Bool {
    var seen: Set<String> = []
    // The branches of one condition exclude each other and may use a name again.
    for member in type.members {
      guard case .declaration(let declaration) = member,
        case .cases(let cases) = declaration.content
      else { continue }
      for enumCase in cases where !seen.insert(enumCase.name.name).inserted {
        context.diagnose(.overloadedCase(enumCase.name.name), at: enumCase.name.range)
      }
    }
    return !context.hasErrors
  }

  /// Inside `AllCasePaths` these names mean its own associated types, not the user's.
  private static func aliases(for type: NominalType, access: String) -> [String] {
    CasePaths.hiddenNames.filter { name in
      type.cases.contains { $0.elements.contains { $0.type.mentions(name) } }
    }
    .map { "\(access)typealias _$\($0) = \($0)" }
  }
}
