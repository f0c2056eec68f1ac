/// A type's conformance to `LogValue`, as members of the type or as an extension.
///
/// An extension does not see the names around a nested type, so the code never spells the types of members and payloads
/// but lets them be inferred.
struct LogValueConformance {
  let access: String
  let encode: [String]
  let decode: [String]
  let difference: [String]
  var protocols = ["TCACore.LogValue"]
  var others: [String] = []

  var members: [String] {
    [
      """
      \(access)func encode(to encoder: inout TCACore.LogEncoder) {
      \(encode.indented())
      }
      \(access)static func decode(from decoder: TCACore.LogDecoder, over template: Self?) throws -> Self {
      \(decode.indented())
      }
      \(access)static func difference(from old: Self, to new: Self, into patch: inout TCACore.PatchBuilder) {
      \(difference.indented())
      }
      """
    ] + others
  }

  /// The extension of the type that the macro is attached to.
  func asExtension(in context: MacroContext) -> String {
    """
    \(context.declaration.availability)extension \(context.request.extendedType): \(protocols.joined(separator: ", ")) {
    \(members.indented())
    }
    """
  }
}
