/// `@LogValue`: writes the conformance of a struct or enum to `LogValue`, and of its nested types.
enum LogValueMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.needs("LogValue"), conforms(type)
    else { return [] }
    let access = context.memberAccess
    switch context.declaration.introducer.text {
    case "struct" where type.hasUsableNames():
      // Storage of an observed property has another name.
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

  /// Whether it is this macro that writes the conformance: also beside `@CasePathable` and `@ObservableState`, which may be those of another
  /// library, that knows no logs.
  private static func conforms(_ type: NominalType) -> Bool {
    !type.inherits("LogValue")
  }

  /// Whether a declaration has the attribute itself, so that no other macro writes the conformance or hands it on.
  static func isMarked(_ declaration: Declaration?) -> Bool {
    declaration?.attribute("LogValue") != nil
  }

  /// Hands the macro on to nested types that are not private: an extension could not reach those.
  static func memberAttributes(in context: MacroContext) -> [String] {
    // Beside this macro another one that hands it on as well would do so twice.
    let isOther = macrosInDepth[context.attribute.baseName] == nil
    guard wantsLogValue(context.declaration), !(isOther && isMarked(context.request.parent)),
      let macro = macrosInDepth[context.attribute.baseName, default: "LogValue"]
    else { return [] }
    return ["@ActionLog.\(macro)"]
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

/// A type's conformance to `LogValue`, as members of the type or as an extension.
///
/// An extension does not see the names around a nested type, so the code never spells the types of members and payloads
/// but lets them be inferred.
struct LogValueConformance {
  let access: String
  let encode: [String]
  let decode: [String]
  /// How a value is read from its text; empty where that goes by way of a tree.
  let read: [String]
  let difference: [String]
  let survey: [String]
  var protocols = ["ActionLog.LogValue"]
  /// The attribute of each member, because each may name a deprecated member of the user's.
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

  /// The extension of the type that the macro is attached to.
  func asExtension(in context: MacroContext) -> String {
    """
    \(context.declaration.availability)nonisolated extension \(context.request.extendedType): \(protocols.joined(separator: ", ")) {
    \(members.indented())
    }
    """
  }
}
