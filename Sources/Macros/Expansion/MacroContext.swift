/// One expansion: the request, and the diagnostics that come up on the way.
final class MacroContext {
  let request: MacroRequest
  private(set) var diagnostics: [Diagnostic] = []

  init(_ request: MacroRequest) {
    self.request = request
  }

  var declaration: Declaration { request.declaration }
  var nominal: NominalType? { request.declaration.nominal }
  var attribute: Attribute { request.attribute }
  var hasErrors: Bool { diagnostics.contains { $0.kind.severity == .error } }

  /// Reports a diagnostic at a range of the declaration.
  func diagnose(_ message: DiagnosticMessage, at range: Range<Int>, fixIts: [FixIt] = []) {
    diagnostics.append(Diagnostic(message, at: range, in: request.source, fixIts: fixIts))
  }

  /// Reports a diagnostic at the attribute that called the macro.
  func diagnoseAttribute(_ message: DiagnosticMessage, fixIts: [FixIt] = []) {
    diagnostics.append(
      Diagnostic(
        message,
        at: attribute.snippet.range,
        in: request.attributeSource,
        fixIts: fixIts
      )
    )
  }

  /// The access of the members generated for this type, followed by a blank.
  ///
  /// It is no more than that of the types around it, because an extension does not inherit theirs.
  var memberAccess: String {
    let isHidden = request.lexicalContext.contains {
      $0.accessLevel == "private" || $0.accessLevel == "fileprivate"
    }
    if isHidden { return "fileprivate " }
    // A member of an extension has its access, unless it states its own.
    guard declaration.accessLevel == nil, let outer = request.lexicalContext.first,
      outer.introducer.text == "extension"
    else { return declaration.memberAccess }
    return outer.memberAccess
  }

  /// A member that uses the module with the access of a package type.
  ///
  /// The compiler looks for uses in the type and not in the extensions that macros write: a package import would be called
  /// unused in a file with nothing else that needs it.
  var useOfImport: [String] {
    memberAccess == "package " ? ["package typealias _$Import = ActionLog.LogEncoder"] : []
  }

  /// Whether an extension shall state the conformance.
  func needs(_ conformance: String) -> Bool {
    request.conformances.contains(conformance)
  }
}

extension MacroContext {
  /// A fix-it that takes the attribute away.
  var removalOfAttribute: FixIt {
    FixIt(
      .remove(attribute.snippet.text),
      replacing: attribute.snippet.range,
      with: ""
    )
  }
}

/// The declaration that a macro is attached to, read from the compiler's message.
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
    declaration = try ScannedDeclarations.declaration(in: source)
    if let text = message.parentDeclSyntax?.text {
      parent = try ScannedDeclarations.declaration(in: text)
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
      context.append(try ScannedDeclarations.declaration(in: syntax.text))
    }
    lexicalContext = context
  }
}
