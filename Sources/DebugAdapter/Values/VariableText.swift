import ActionLog
import LogTools
import ReplayDebugger
import ReplayEngine

/// Formats values for the variables view.
enum VariableText {
  /// Formats a change as `1 → 2`, a new value as `+ 1`, and a removed value as `− 1`.
  static func change(from old: JSON?, to new: JSON?, _ notation: Notation) -> String {
    switch (old, new) {
    case (let old?, let new?): "\(notation.value(old)) → \(notation.value(new))"
    case (nil, let new?): "+ \(notation.value(new))"
    case (let old?, nil): "− \(notation.value(old))"
    case (nil, nil): ""
    }
  }

  /// Returns the short name of an effect: `save 2.0`.
  static func name(of id: EffectID, _ known: LabeledEffects) -> String { known.name(of: id) }

  /// Returns the short name of an effect that an action returned.
  static func name(of effect: EffectDescription, _ known: LabeledEffects) -> String {
    effect.id.map { name(of: $0, known) } ?? effect.operation.rawValue
  }

  /// Returns an effect on one line.
  static func describe(_ effect: EffectDescription, _ notation: Notation) -> String {
    effect.lines(indent: "", notation).first ?? ""
  }

  /// Returns a call in the log's JSON format.
  static func json(of call: LogEvent.Call) -> JSON {
    (try? JSON(parsing: LogEvent.call(call).line)) ?? .null
  }
}

extension LogStep {
  /// Returns the step as the title of a stack frame: `4  .saved(.success(1))`.
  func frameTitle(_ notation: Notation) -> String { "\(id)  \(title(notation))" }
}
