import ActionLog
import ReplayEngine

/// What a minimization has come to, for people and for programs.
struct MinimizeReport {
  let name: String
  let output: String
  let story: Story
  let result: Minimizer.Result

  /// What is left of the story: each action's number in the log that was written, and in the one that was read.
  private var units: [(seq: Int, recorded: Int, action: JSON)] {
    var sends: Set<EffectID> = []
    var written: [Int] = []
    for event in result.events {
      switch event {
      case .checkpoint(let checkpoint): sends.formUnion(checkpoint.effects.sends)
      case .change(let change): sends.formUnion(change.effects.sends)
      case .action(let action):
        // What the reducer sends itself is no unit.
        if let id = action.origin.directEffect, sends.contains(id) { continue }
        written.append(action.seq)
      default: break
      }
    }
    return zip(written, result.retelling.units.sorted()).map { seq, unit in
      let action = result.retelling.actions[unit] ?? story.units[unit].action
      return (seq, story.units[unit].seq, action)
    }
  }

  /// How many actions of the result the reducer sends itself.
  private var produced: Int {
    let actions = result.events.count { if case .action = $0 { true } else { false } }
    return max(0, actions - result.retelling.units.count)
  }

  var text: String {
    var lines = [
      Wording.minimized(
        name,
        from: story.units.count,
        to: result.retelling.units.count,
        and: produced,
        output,
        result
      )
    ]
    lines += units.map { unit in
      "  \(Wording.wasAction(unit.seq))  \(unit.action.abbreviated)"
        + (unit.recorded == unit.seq ? "" : Wording.whichWas(unit.recorded))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "output": .string(output),
      "isMinimal": .bool(result.isMinimal),
      "replays": .number(JSON.Number(result.replays)),
      "actions": [
        "before": .number(JSON.Number(story.units.count)),
        "after": .number(JSON.Number(result.retelling.units.count)),
      ],
      "produced": .number(JSON.Number(produced)),
      "kept": .array(
        units.map { unit in
          [
            "seq": .number(JSON.Number(unit.recorded)),
            "writtenSeq": .number(JSON.Number(unit.seq)), "action": unit.action,
          ]
        }
      ),
    ]
    if result.interruption != nil { object["isPartial"] = true }
    return .object(object)
  }
}

extension [EffectDescription] {
  /// The effects that send an action at once.
  fileprivate var sends: [EffectID] {
    flatMap(\.flattened).compactMap { $0.operation == .send ? $0.id : nil }
  }
}
