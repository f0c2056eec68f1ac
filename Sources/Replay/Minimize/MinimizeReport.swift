import ActionLog

/// What a minimization has come to, for people and for programs.
struct MinimizeReport {
  let name: String
  let output: String
  let story: Story
  let result: Minimizer.Result

  private var units: [(unit: Story.Unit, action: JSON)] {
    result.retelling.units.sorted().map { unit in
      (story.units[unit], result.retelling.actions[unit] ?? story.units[unit].action)
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
    lines += units.map { "  \(Wording.wasAction($0.unit.seq))  \($0.action.abbreviated)" }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    [
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
        units.map { ["seq": .number(JSON.Number($0.unit.seq)), "action": $0.action] }
      ),
    ]
  }
}
