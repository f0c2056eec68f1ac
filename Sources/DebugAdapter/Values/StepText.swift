import ActionLog
import LogTools
import ReplayDebugger
import ReplayEngine

/// Steps and their parts in words.
enum StepText {
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
  static func name(of id: EffectID, _ known: KnownEffects) -> String {
    var text: [UInt8] = []
    known.write(id, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

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

  /// What happened in a step, in the way of a stack frame: `4  .saved(.success(1))`.
  static func title(_ step: LogStep, _ notation: Notation) -> String {
    "\(step.id)  \(name(of: step, notation))"
  }

  /// What happened in a step.
  static func name(of step: LogStep, _ notation: Notation) -> String {
    switch step.kind {
    case .start: return "the start of the log"
    case .action: return step.action.map { notation.action($0.action) } ?? ""
    case .withheld:
      for case .withheld(let action) in step.events {
        return action.cases.map { Notation.caseName($0) }.joined()
      }
      return ""
    case .excluded: return "an action that the recording left out"
    case .external: return "a change from outside"
    case .resumed: return "the log goes on after actions that are missing"
    }
  }
}
