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

/// The conformance of a type to `LogValue`, as members of the type or as an extension.
///
/// An extension can't access the names around a nested type. The code therefore relies on inference for the types of
/// members and payloads.
struct LogValueConformance {
  let access: String
  let encode: [String]
  let decode: [String]
  /// The statements that read a value directly from text.
  ///
  /// Empty if that needs a JSON tree.
  let read: [String]
  let difference: [String]
  let survey: [String]
  var protocols = ["ActionLog.LogValue"]
  /// The attribute of each generated member, which may name a deprecated member of the user's type.
  var deprecation = ""
  var others: [String] = []

  var members: [String] {
    [
      """
      \(deprecation)\(access)func encode(to encoder: inout ActionLog.LogEncoder) {
      \(encode.indented())
      }
      \(deprecation)\(access)static func decode(from decoder: ActionLog.LogDecoder, over template: Self?) throws -> Self {
      \(decode.indented())
      }
      \(reading)\(deprecation)\(access)static func difference(from old: Self, to new: Self, into patch: inout ActionLog.PatchBuilder) {
      \(difference.indented())
      }
      \(deprecation)\(access)static func survey(_ type: inout ActionLog.LogTypeSurvey) {
      \(survey.indented())
      }
      \(deprecation)\(access)static var _$isWellFormed: Swift.Bool { true }
      """
    ] + others
  }

  private var reading: String {
    if read.isEmpty { return "" }
    return """
      \(deprecation)\(access)static func _$read(from text: inout ActionLog.LogText) throws -> Self {
      \(read.indented())
      }

      """
  }

  /// Returns the extension of the type to which the macro is attached.
  func asExtension(in context: MacroContext) -> String {
    """
    \(context.declaration.availability)nonisolated extension \(context.request.extendedType): \(protocols.joined(separator: ", ")) {
    \(members.indented())
    }
    """
  }
}
