/// The struct of case paths that `@CasePathable` generates.
struct CasePaths {
  let type: NominalType
  let access: String

  /// What a sequence brings along, which would hide types of the user's with the same name.
  static let hiddenNames = ["Element", "Iterator"]

  var text: String {
    """
    \(access)struct AllCasePaths: \(conformances) {
    \(reflection.indented())
    \(type.members.caseLines(property).indented())
      \(type.deprecation)\(access)func makeIterator() -> Swift.IndexingIterator<[TCACore.PartialCaseKeyPath<\(root)>]> {
    \(iteration.indented(by: 4))
      }
    }
    """
  }

  private var conformances: String {
    (type.cases.isEmpty ? "" : "TCACore.CasePathReflectable, ") + "Swift.Sendable, Swift.Sequence"
  }

  /// The subscript that tells which case a value stands in; an enum without cases has no values.
  private var reflection: [String] {
    if type.cases.isEmpty { return [] }
    let header = "\(access)subscript(root: \(root)) -> TCACore.PartialCaseKeyPath<\(root)> {"
    if type.isSurelyInhabited {
      let choices = type.members.caseLines { enumCase, _ in
        ["  case .\(enumCase.name.text): return \\.\(enumCase.name.text)"]
      }
      return [type.deprecation + header, "  switch root {"] + choices + ["  }", "}"]
    }
    let choices = type.members.caseLines { enumCase, _ in
      ["  if case .\(enumCase.name.text) = root { return \\.\(enumCase.name.text) }"]
    }
    return [type.deprecation + header] + choices
      + ["  Swift.preconditionFailure(\"A value stands in none of its cases.\")", "}"]
  }

  private var root: String { type.name.text }

  private var iteration: [String] {
    let appends = type.members.caseLines { enumCase, _ in ["all.append(\\.\(enumCase.name.text))"] }
    let introducer = appends.isEmpty ? "let" : "var"
    return ["\(introducer) all: [TCACore.PartialCaseKeyPath<\(root)>] = []"] + appends
      + ["return all.makeIterator()"]
  }

  private func property(of enumCase: EnumCase, in declaration: Declaration) -> [String] {
    let value = enumCase.payloadType(payloadName)
    return [
      declaration.availability
        + """
        \(access)var \(enumCase.name.text): TCACore.AnyCasePath<\(root), \(value)> {
          TCACore.AnyCasePath<\(root), \(value)>(
            _$embed: \(embedding(enumCase)),
            extract: { \(extraction(enumCase)) }
          )
        }
        """
    ]
  }

  private func payloadName(_ payload: TypeReference) -> String {
    var names = ["Self": root]
    for name in Self.hiddenNames { names[name] = "_$\(name)" }
    return payload.renaming(names)
  }

  private func embedding(_ enumCase: EnumCase) -> String {
    let values = enumCase.elements.indices.map { "$0.\($0)" }
    let construction = "\(root)\(enumCase.construction(of: values))"
    if enumCase.isImpossible { return "TCACore._$absurd" }
    // The bare function, for a closure would have to take a payload in hand that may have no values.
    if enumCase.elements.count == 1 { return "\(root).\(enumCase.name.text)" }
    return enumCase.elements.isEmpty ? "{ _ in \(construction) }" : "{ \(construction) }"
  }

  private func extraction(_ enumCase: EnumCase) -> String {
    if enumCase.isImpossible { return "_ in nil" }
    let names = enumCase.elements.indices.map { "_\($0)" }
    let value = names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
    let binding = names.isEmpty ? "" : "let "
    return "if case \(binding)\(enumCase.bindingPattern) = $0 { \(value) } else { nil }"
  }
}
