/// The `@LogValue` macro.
///
/// Generates the conformance to `LogValue` of a structure or enum and of its nested types.
enum LogValueMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.needs("LogValue"), conforms(type)
    else { return [] }
    let access = context.memberAccess
    switch context.declaration.introducer.text {
    case "struct" where type.hasUsableNames():
      // The storage of an observed property has a different name.
      let isObservable = context.declaration.attribute("ObservableState") != nil
      let conformance = LogValueConformance.ofStruct(
        type,
        access: access,
        isObservable: isObservable
      )
      return [conformance.asExtension(in: context)]
    case "enum" where type.hasUsableNames():
      return [LogValueConformance.ofEnum(type, access: access).asExtension(in: context)]
    case "struct", "enum": return []
    default:
      context.diagnoseAttribute(
        .needsStructOrEnum(macro: "LogValue", introducer: context.declaration.introducer.text),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, conforms(type),
      context.declaration.attribute("DependencyClient") == nil,
      context.checkNames(of: type)
    else { return [] }
    return context.useOfImport
  }

  /// Whether this macro generates the conformance.
  ///
  /// It does so even alongside `@CasePathable` and `@ObservableState`, which may belong to another library without
  /// logs.
  private static func conforms(_ type: NominalType) -> Bool {
    !type.inherits("LogValue")
  }

  /// Whether a declaration has the attribute itself.
  ///
  /// If so, no other macro generates or propagates the conformance.
  static func isMarked(_ declaration: Declaration?) -> Bool {
    declaration?.attribute("LogValue") != nil
  }

  /// Propagates the macro to nested types, except private ones, which an extension can't access.
  static func memberAttributes(in context: MacroContext) -> [String] {
    // Prevents two macros on one type from propagating the attribute twice.
    let isOther = macrosInDepth[context.attribute.baseName] == nil
    guard wantsLogValue(context.declaration), !(isOther && isMarked(context.request.parent)),
      let macro = macrosInDepth[context.attribute.baseName, default: "LogValue"]
    else { return [] }
    return ["@ActionLog.\(macro)"]
  }

  /// The macros for each nesting level, because a macro can't add itself.
  ///
  /// Deeper types are logged by `Codable`.
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

  /// Macros that generate the conformance themselves, or that mark types that aren't values.
  private static let macrosThatConform = ["LogValue", "CasePathable", "ObservableState", "Reducer"]
}
