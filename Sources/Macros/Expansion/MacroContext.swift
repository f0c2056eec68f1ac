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

  /// The access of what is generated for this type, with a blank behind; no more than that of the types around it, for
  /// an extension does not take theirs over.
  var memberAccess: String {
    let isHidden = request.lexicalContext.contains {
      $0.accessLevel == "private" || $0.accessLevel == "fileprivate"
    }
    if isHidden { return "fileprivate " }
    // What stands in an extension has its access, unless it states its own.
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
    memberAccess == "package " ? ["package typealias _$Import = TCACore.LogEncoder"] : []
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
