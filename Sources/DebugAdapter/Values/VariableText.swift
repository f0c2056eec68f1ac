import ActionLog
import LogTools
import ReplayDebugger
import ReplayEngine

/// The values of a variable view in words.
enum VariableText {
  /// A change: `1 → 2`, `+ 1` of a value that is new, `− 1` of one that is gone.
  static func change(from old: JSON?, to new: JSON?, _ notation: Notation) -> String {
    switch (old, new) {
    case (let old?, let new?): "\(notation.value(old)) → \(notation.value(new))"
    case (nil, let new?): "+ \(notation.value(new))"
    case (let old?, nil): "− \(notation.value(old))"
    case (nil, nil): ""
    }
  }

  /// An effect as people call it: `save 2.0`.
  static func name(of id: EffectID, _ known: KnownEffects) -> String { known.name(of: id) }

  /// An effect that an action returned.
  static func name(of effect: EffectDescription, _ known: KnownEffects) -> String {
    effect.id.map { name(of: $0, known) } ?? effect.operation.rawValue
  }

  /// An effect on one line.
  static func describe(_ effect: EffectDescription, _ notation: Notation) -> String {
    effect.lines(indent: "", notation).first ?? ""
  }

  /// A call as the log has it.
  static func json(of call: LogEvent.Call) -> JSON {
    (try? JSON(parsing: LogEvent.call(call).line)) ?? .null
  }
}

extension LogStep {
  /// The step in the way of a stack frame: `4  .saved(.success(1))`.
  func frameTitle(_ notation: Notation) -> String { "\(id)  \(title(notation))" }
}
