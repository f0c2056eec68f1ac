/// A macro, with one function per role.
///
/// Each function returns a list of declarations, attributes or accessors, and reports diagnostics to the context.
protocol Macro: SendableMetatype {
  static func members(in context: MacroContext) -> [String]
  static func memberAttributes(in context: MacroContext) -> [String]
  static func accessors(in context: MacroContext) -> [String]
  static func peers(in context: MacroContext) -> [String]
  static func extensions(in context: MacroContext) -> [String]
}

extension Macro {
  static func members(in context: MacroContext) -> [String] { [] }
  static func memberAttributes(in context: MacroContext) -> [String] { [] }
  static func accessors(in context: MacroContext) -> [String] { [] }
  static func peers(in context: MacroContext) -> [String] { [] }
  static func extensions(in context: MacroContext) -> [String] { [] }

  static func expand(in context: MacroContext) -> [String] {
    switch context.request.role {
    case .member: members(in: context)
    case .memberAttribute: memberAttributes(in: context)
    case .accessor: accessors(in: context)
    case .peer: peers(in: context)
    case .extension: extensions(in: context)
    }
  }
}

/// The kind of code that the compiler requests from a macro.
enum MacroRole: String {
  case member
  case memberAttribute
  case accessor
  case peer
  case `extension`

  /// Joins the code that a macro generated into one source text.
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

/// The macros and the names under which `TCACore` declares them.
enum MacroTable {
  static let macros: [String: any Macro.Type] = [
    "CasePathableMacro": CasePathableMacro.self,
    "DependencyClientMacro": DependencyClientMacro.self,
    "DependencyEndpointMacro": DependencyEndpointMacro.self,
    "DependencyEntryMacro": DependencyEntryMacro.self,
    "LogValueMacro": LogValueMacro.self,
    "LoggableMacro": LoggableMacro.self,
    "MarkerMacro": MarkerMacro.self,
    "ObservableStateMacro": ObservableStateMacro.self,
    "ObservationStateTrackedMacro": ObservationStateTrackedMacro.self,
    "PresentsMacro": PresentsMacro.self,
    "ReducerMacro": ReducerMacro.self,
    "ViewActionMacro": ViewActionMacro.self,
  ]
}

/// A macro that generates no code and marks a declaration for other macros.
enum MarkerMacro: Macro {}
