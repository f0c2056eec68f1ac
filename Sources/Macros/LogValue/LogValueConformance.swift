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
  var protocols = ["TCACore.LogValue"]
  /// What stands before each member, each of which may name a deprecated one of the user's.
  var deprecation = ""
  var others: [String] = []

  var members: [String] {
    [
      """
      \(deprecation)\(access)func encode(to encoder: inout TCACore.LogEncoder) {
      \(encode.indented())
      }
      \(deprecation)\(access)static func decode(from decoder: TCACore.LogDecoder, over template: Self?) throws -> Self {
      \(decode.indented())
      }
      \(reading)\(deprecation)\(access)static func difference(from old: Self, to new: Self, into patch: inout TCACore.PatchBuilder) {
      \(difference.indented())
      }
      \(deprecation)\(access)static func survey(_ type: inout TCACore.LogTypeSurvey) {
      \(survey.indented())
      }
      \(deprecation)\(access)static var _$isWellFormed: Bool { true }
      """
    ] + others
  }

  private var reading: String {
    if read.isEmpty { return "" }
    return """
      \(deprecation)\(access)static func _$read(from text: inout TCACore.LogText) throws -> Self {
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
