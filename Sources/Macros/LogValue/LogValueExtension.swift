/// The extension with the conformance to `LogValue`.
///
/// An extension does not see the names around a nested type, so its code never spells the types of members and payloads
/// but lets them be inferred.
struct LogValueExtension {
  let declaration: Declaration
  let extendedType: String
  let encode: [String]
  let decode: [String]
  let difference: [String]
  var conformances = "TCACore.LogValue"
  var others: [String] = []

  var text: String {
    let access = declaration.memberAccess
    let others = others.isEmpty ? "" : others.indented() + "\n"
    return """
      \(declaration.availability)extension \(extendedType): \(conformances) {
        \(access)func encode(to encoder: inout TCACore.LogEncoder) {
      \(encode.indented(by: 4))
        }
        \(access)static func decode(from decoder: TCACore.LogDecoder, over template: Self?) throws -> Self {
      \(decode.indented(by: 4))
        }
        \(access)static func difference(from old: Self, to new: Self, into patch: inout TCACore.PatchBuilder) {
      \(difference.indented(by: 4))
        }
      \(others)}
      """
  }
}
