/// A macro: one function for each of its roles.
///
/// What a role generates is a list of declarations, attributes or accessors. Problems are reported to the context.
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
