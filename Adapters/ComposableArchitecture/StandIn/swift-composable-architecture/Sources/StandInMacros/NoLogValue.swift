/// The stand-in does not support logs.
///
/// The adapter encodes its states and actions, as for the real library.
enum LogValueMacro: Macro {
  static func wantsLogValue(_ declaration: Declaration) -> Bool { false }
  static func isMarked(_ declaration: Declaration?) -> Bool { false }
}

/// A conformance that is never generated.
struct LogValueConformance {
  let protocols: [String] = []
  let members: [String] = []

  static func ofEnum(_ type: NominalType, access: String) -> Self { Self() }

  static func ofStruct(_ type: NominalType, access: String, isObservable: Bool = false) -> Self {
    Self()
  }

  func asExtension(in context: MacroContext) -> String { "" }
}

/// The attribute of the adapter, which the stand-in lacks.
enum LoggableMacro: Macro {}
