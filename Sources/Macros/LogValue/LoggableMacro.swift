/// The `@Loggable` macro.
///
/// Generates conformances to `LogValue` regardless of other macros.
///
/// On a feature, it covers State and Action. On any other structure or enum, it covers the type itself.
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
    // The storage of an observed property has a different name.
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

  /// Propagates the macro to nested types, except private ones.
  ///
  /// In a feature, it reaches State, Action and the enums beside them. In an enum of features, it reaches the nested
  /// enums.
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
    // A structure beside them may be a client. A type with its own encoding is left to that encoding.
    let isEncodable = ["Codable", "Encodable"].contains(where: type.inherits)
    guard declaration.introducer.text == "enum", !isEncodable else { return [] }
    return ["@ActionLog.\(macro)"]
  }

  /// Warns if the attribute has no effect on an enum of features.
  ///
  /// A macro generates the State and Action of such an enum, and no other macro can extend them.
  private static func warnOfEnum(in context: MacroContext) {
    guard context.attribute.baseName == "Loggable", isFeatureEnum(context.declaration),
      let name = context.nominal?.name.text
    else { return }
    context.diagnoseAttribute(.loggableEnum(name), fixIts: [context.removalOfAttribute])
  }

  private static func isFeatureEnum(_ declaration: Declaration) -> Bool {
    declaration.introducer.text == "enum" && declaration.attribute("Reducer") != nil
  }

  /// The macros for each nesting level, because a macro can't add itself.
  private static let macrosInDepth: [String: String?] = [
    "_Loggable1": "_Loggable2", "_Loggable2": "_Loggable3", "_Loggable3": nil,
  ]

  private static let otherMacros = ["LogValue", "Loggable"]

  private static func isFeature(_ declaration: Declaration) -> Bool {
    declaration.attribute("Reducer") != nil || declaration.nominal?.inherits("Reducer") == true
  }

  /// Whether a declaration is a value type and not a feature.
  private static func isValue(_ declaration: Declaration) -> Bool {
    ["struct", "enum"].contains(declaration.introducer.text) && !isFeature(declaration)
  }
}
