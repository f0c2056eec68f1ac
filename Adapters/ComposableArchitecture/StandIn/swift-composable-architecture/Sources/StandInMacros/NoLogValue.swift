/// The stand-in knows nothing of logs: its states and actions are written by the adapter, as those of the real library are.
enum LogValueMacro: Macro {
  static func wantsLogValue(_ declaration: Declaration) -> Bool { false }
  static func isMarked(_ declaration: Declaration?) -> Bool { false }
}

/// The conformance that is not written.
struct LogValueConformance {
  let protocols: [String] = []
  let members: [String] = []

  static func ofEnum(_ type: NominalType, access: String) -> Self { Self() }

  static func ofStruct(_ type: NominalType, access: String, isObservable: Bool = false) -> Self {
    Self()
  }

  func asExtension(in context: MacroContext) -> String { "" }
}

/// The attribute of the adapter's, which the stand-in does not have.
enum LoggableMacro: Macro {}
