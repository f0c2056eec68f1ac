/// What a macro is attached to, read from the compiler's message.
struct MacroRequest {
  let role: MacroRole
  let attribute: Attribute
  let attributeSource: SourceText
  let declaration: Declaration
  let source: SourceText
  /// For member attributes: the type whose member the declaration is.
  let parent: Declaration?
  /// For extensions: the type to extend.
  let extendedType: String
  /// For extensions: the protocols that the type does not conform to yet.
  let conformances: [String]
  /// The declarations around this one, from the inside out, without their members.
  let lexicalContext: [Declaration]

  init(_ message: HostMessage.AttachedExpansion, role: MacroRole) throws(ScanError) {
    self.role = role
    attributeSource = message.attributeSyntax.text
    attribute = try Scanner.attribute(in: attributeSource)
    source = message.declSyntax.text
    declaration = try Scanner.declaration(in: source)
    if let text = message.parentDeclSyntax?.text {
      parent = try Scanner.declaration(in: text)
    } else {
      parent = nil
    }
    if let text = message.extendedTypeSyntax?.text {
      extendedType = try Scanner.type(in: text).text
    } else {
      extendedType = ""
    }
    if let text = message.conformanceListSyntax?.text {
      let list = try Scanner.declaration(in: text)
      conformances = list.nominal?.inheritance.compactMap(\.baseName) ?? []
    } else {
      conformances = []
    }
    var context: [Declaration] = []
    for syntax in message.lexicalContext ?? [] where syntax.kind == "declaration" {
      context.append(try Scanner.declaration(in: syntax.text))
    }
    lexicalContext = context
  }
}
