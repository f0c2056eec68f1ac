/// `@LogValue`: writes the conformance of a struct or enum to `LogValue`, and of its nested types.
enum LogValueMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.needs("LogValue"), conforms(type, in: context)
    else { return [] }
    let access = context.memberAccess
    switch context.declaration.introducer.text {
    case "struct":
      return [LogValueConformance.ofStruct(type, access: access).asExtension(in: context)]
    case "enum":
      return [LogValueConformance.ofEnum(type, access: access).asExtension(in: context)]
    default:
      context.diagnoseAttribute(
        .needsStructOrEnum(macro: "LogValue", introducer: context.declaration.introducer.text),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, conforms(type, in: context),
      context.declaration.attribute("DependencyClient") == nil
    else { return [] }
    return context.useOfImport
  }

  /// Whether it is this macro that writes the conformance.
  private static func conforms(_ type: NominalType, in context: MacroContext) -> Bool {
    !type.inherits("LogValue") && context.declaration.attribute("CasePathable") == nil
      && context.declaration.attribute("ObservableState") == nil
  }

  /// Hands the macro on to nested types that are not private: an extension could not reach those.
  static func memberAttributes(in context: MacroContext) -> [String] {
    guard wantsLogValue(context.declaration),
      let macro = macrosInDepth[context.attribute.baseName, default: "LogValue"]
    else { return [] }
    return ["@TCACore.\(macro)"]
  }

  /// A macro may not add itself, so there is one for each depth; what lies deeper finds its way through `Codable`.
  private static let macrosInDepth: [String: String?] = [
    "LogValue": "_LogValue1", "_LogValue1": "_LogValue2", "_LogValue2": "_LogValue3",
    "_LogValue3": "_LogValue4", "_LogValue4": nil,
  ]

  static func wantsLogValue(_ declaration: Declaration) -> Bool {
    guard let type = declaration.nominal,
      declaration.introducer.text == "struct" || declaration.introducer.text == "enum",
      declaration.accessLevel != "private",
      !type.inherits("LogValue")
    else { return false }
    return !macrosThatConform.contains { declaration.attribute($0) != nil }
  }

  /// Macros that write the conformance themselves, or that mark a type which is no value.
  private static let macrosThatConform = ["LogValue", "CasePathable", "ObservableState", "Reducer"]
}
