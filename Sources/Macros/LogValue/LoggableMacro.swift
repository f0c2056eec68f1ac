/// `@Loggable`: on a feature, the conformance of its State and Action to `LogValue`, whatever other macros they have; on any
/// other struct or enum, that of the type.
enum LoggableMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal, isValue(context.declaration), context.needs("LogValue"),
      !type.inherits("LogValue")
    else { return [] }
    let access = context.memberAccess
    guard type.hasUsableNames() else { return [] }
    if context.declaration.introducer.text == "enum" {
      return [LogValueConformance.ofEnum(type, access: access).asExtension(in: context)]
    }
    // Storage of an observed property has another name.
    let isObservable = context.declaration.attribute("ObservableState") != nil
    let conformance = LogValueConformance.ofStruct(
      type,
      access: access,
      isObservable: isObservable
    )
    return [conformance.asExtension(in: context)]
  }

  static func members(in context: MacroContext) -> [String] {
    warnOfEnum(in: context)
    guard let type = context.nominal, isValue(context.declaration), !type.inherits("LogValue"),
      context.checkNames(of: type)
    else { return [] }
    return context.useOfImport
  }

  /// Hands the macro on to nested types that are not private; in a feature, to State and Action, to enums beside them, and through an enum of
  /// features to the enums in it.
  static func memberAttributes(in context: MacroContext) -> [String] {
    let declaration = context.declaration
    guard let type = declaration.nominal, isValue(declaration) || isFeatureEnum(declaration),
      declaration.accessLevel != "private", !type.inherits("LogValue"),
      !otherMacros.contains(where: { declaration.attribute($0) != nil }),
      let macro = macrosInDepth[context.attribute.baseName, default: "_Loggable1"]
    else { return [] }
    guard let parent = context.request.parent, isFeature(parent),
      type.name.text != "State", type.name.text != "Action"
    else { return ["@ActionLog.\(macro)"] }
    // A struct beside them may be a client, and a type that says how it is encoded is left to that.
    let isEncodable = ["Codable", "Encodable"].contains(where: type.inherits)
    guard declaration.introducer.text == "enum", !isEncodable else { return [] }
    return ["@ActionLog.\(macro)"]
  }

  /// Warns where the attribute does nothing: State and Action of an enum of features are written by a macro, and no other macro reaches them.
  private static func warnOfEnum(in context: MacroContext) {
    guard context.attribute.baseName == "Loggable", isFeatureEnum(context.declaration),
      let name = context.nominal?.name.text
    else { return }
    context.diagnoseAttribute(.loggableEnum(name), fixIts: [context.removalOfAttribute])
  }

  private static func isFeatureEnum(_ declaration: Declaration) -> Bool {
    declaration.introducer.text == "enum" && declaration.attribute("Reducer") != nil
  }

  /// A macro may not add itself, so there is one for each depth.
  private static let macrosInDepth: [String: String?] = [
    "_Loggable1": "_Loggable2", "_Loggable2": "_Loggable3", "_Loggable3": nil,
  ]

  private static let otherMacros = ["LogValue", "Loggable"]

  private static func isFeature(_ declaration: Declaration) -> Bool {
    declaration.attribute("Reducer") != nil || declaration.nominal?.inherits("Reducer") == true
  }

  /// Whether it is a type of values, and no feature.
  private static func isValue(_ declaration: Declaration) -> Bool {
    ["struct", "enum"].contains(declaration.introducer.text) && !isFeature(declaration)
  }
}
