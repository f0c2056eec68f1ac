/// One expansion: the request and the diagnostics that occur.
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

  /// Reports a diagnostic at the attribute of the macro.
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

  /// The access level of the members generated for this type, followed by a space.
  ///
  /// It doesn't exceed the access levels of the enclosing types, because an extension doesn't inherit those.
  var memberAccess: String {
    let isHidden = request.lexicalContext.contains {
      $0.accessLevel == "private" || $0.accessLevel == "fileprivate"
    }
    if isHidden { return "fileprivate " }
    // A member of an extension inherits the extension's access level, unless it states its own.
    guard declaration.accessLevel == nil, let outer = request.lexicalContext.first,
      outer.introducer.text == "extension"
    else { return declaration.memberAccess }
    return outer.memberAccess
  }

  /// A member that uses the module, with the access level of a package type.
  ///
  /// The compiler looks for uses in the type, not in the extensions that macros generate. Without this member, it would
  /// report a package import as unused.
  var useOfImport: [String] {
    memberAccess == "package " ? ["package typealias _$Import = ActionLog.LogEncoder"] : []
  }

  /// Whether an extension must state a conformance.
  func needs(_ conformance: String) -> Bool {
    request.conformances.contains(conformance)
  }
}

extension MacroContext {
  /// A fix-it that removes the attribute.
  var removalOfAttribute: FixIt {
    FixIt(
      .remove(attribute.snippet.text),
      replacing: attribute.snippet.range,
      with: ""
    )
  }
}

/// The declaration to which a macro is attached, decoded from the compiler's message.
struct MacroRequest {
  let role: MacroRole
  let attribute: Attribute
  let attributeSource: SourceText
  let declaration: Declaration
  let source: SourceText
  /// For member attributes, the type that contains the declaration.
  let parent: Declaration?
  /// For extensions, the type to extend.
  let extendedType: String
  /// For extensions, the protocols to which the type doesn't conform yet.
  let conformances: [String]
  /// The enclosing declarations without their members, innermost first.
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
