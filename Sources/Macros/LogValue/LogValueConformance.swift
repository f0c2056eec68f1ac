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
