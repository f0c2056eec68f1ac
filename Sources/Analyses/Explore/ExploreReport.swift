import ActionLog
import ReplayEngine

/// What an exploration has found, for people and for programs.
struct ExploreReport {
  let name: String
  let condition: String
  let seed: UInt64
  let arrivals: Arrivals
  let result: Explorer.Result
  /// Where the violating order was written.
  let output: String?

  /// A step that does not come where it was recorded.
  struct Move: Equatable {
    let step: LogEvent.Action
    /// The recorded number of the action behind which it comes; `nil` when it comes first.
    let behind: Int?
  }

  /// The moves that make the recorded order the violating one: as few as there can be.
  var moves: [Move] {
    guard let order = result.violation?.order else { return [] }
    let actions = order.filter { arrivals.steps[$0].action != nil }
    let kept = Set(Self.longestRise(in: actions))
    var moves: [Move] = []
    var last: Int?
    for index in actions {
      guard let action = arrivals.steps[index].action else { continue }
      if !kept.contains(index) { moves.append(Move(step: action, behind: last)) }
      last = action.seq
    }
    return moves
  }

  /// The most numbers that rise from left to right.
  private static func longestRise(in numbers: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous: [Int?] = []
    for (index, number) in numbers.enumerated() {
      let place = tails.firstIndex { numbers[$0] >= number } ?? tails.count
      previous.append(place > 0 ? tails[place - 1] : nil)
      if place == tails.count { tails.append(index) } else { tails[place] = index }
    }
    var rise: [Int] = []
    var next = tails.last
    while let index = next {
      rise.append(numbers[index])
      next = previous[index]
    }
    return rise.reversed()
  }

  func text(_ style: Style) -> String {
    var lines = [style.bold(Wording.explored(name, condition, result))]
    if result.unclear > 0 { lines.append(Wording.unclearOrders(result.unclear)) }
    if let violation = result.violation {
      lines.append("")
      if moves.isEmpty {
        lines.append("  " + Wording.recordedOrderBreaks(isTrap: violation.trap != nil))
      }
      lines += moves.map { "  " + Wording.move($0) }
      if let action = violation.action {
        lines += ["", "  " + Wording.breaks(violation, action, condition)]
      }
      if let output { lines.append("  " + Wording.wrote(output)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "invariant": .string(condition),
      "held": .bool(result.violation == nil),
      "isComplete": .bool(result.isComplete),
      "seed": .number(JSON.Number(seed)),
      "replays": .number(JSON.Number(result.replays)),
      "places": .number(JSON.Number(result.places)),
      "unclear": .number(JSON.Number(result.unclear)),
    ]
    if result.interruption != nil { object["isPartial"] = true }
    if let violation = result.violation {
      var broken: JSON.Object = ["seq": .number(JSON.Number(violation.seq))]
      broken["action"] = violation.action?.action
      broken["recordedSeq"] = violation.action?.rest[Arrivals.Mark.original]
      broken["trap"] = violation.trap.map(JSON.string)
      broken["moves"] = .array(moves.map(\.json))
      object["violation"] = .object(broken)
    }
    object["endedBy"] = result.limit.map { .string($0.rawValue) }
    object["output"] = output.map(JSON.string)
    return .object(object)
  }
}

extension ExploreReport.Move {
  fileprivate var json: JSON {
    var object: JSON.Object = [
      "seq": .number(JSON.Number(step.seq)), "origin": step.origin.json, "action": step.action,
    ]
    object["behind"] = behind.map { .number(JSON.Number($0)) }
    return .object(object)
  }
}

extension Explorer.Violation {
  /// The action after which, or within which, it shows.
  var action: LogEvent.Action? {
    for case .action(let action) in events where action.seq == seq { return action }
    return nil
  }
}
