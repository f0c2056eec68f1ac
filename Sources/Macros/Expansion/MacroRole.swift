/// What the compiler asks a macro for.
enum MacroRole: String {
  case member
  case memberAttribute
  case accessor
  case peer
  case `extension`

  /// Makes one source text of what a macro generated.
  func join(_ expansions: [String], for declaration: Declaration) -> String {
    switch self {
    case .memberAttribute: return expansions.joined(separator: " ")
    case .member, .peer, .extension: return expansions.joined(separator: "\n\n")
    case .accessor:
      if expansions.isEmpty { return "" }
      let accessors = expansions.joined(separator: "\n")
      let hasBraces = declaration.variable?.bindings.first?.accessors != nil
      return hasBraces ? accessors : "{\n\(accessors)\n}"
    }
  }
}
