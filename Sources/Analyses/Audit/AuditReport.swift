import ActionLog
import ReplayEngine

/// What an audit has found, for people and for programs.
struct AuditReport {
  let name: String
  let seed: UInt64
  let result: Audit.Result

  /// Whether hosts took the seeds that they were given.
  private var isSeeded: Bool { result.runs.allSatisfy(\.isSeeded) }

  /// How many places, and how many values of each, are told to people.
  private static let mostPlaces = 20
  private static let mostValues = 4

  func text(_ style: Style) -> String {
    var lines = [
      style.bold(Wording.audited(name, result, seed: seed))
    ]
    if !isSeeded { lines.append(Wording.seedsAreDrawn) }
    var seq: Int?
    for place in result.places.prefix(Self.mostPlaces) {
      if seq != place.seq {
        lines.append("")
        lines.append(
          "  \(Wording.wasAction(place.seq))" + (place.action.map { "  \($0.abbreviated)" } ?? "")
        )
        seq = place.seq
      }
      lines.append("    " + Wording.place(place))
      lines += place.reasons.map { "      " + Wording.describe($0) }
      for value in place.values.prefix(Self.mostValues) {
        lines.append(
          "      \(Wording.who(value))  " + (value.value?.abbreviated ?? Wording.nothing(place))
        )
      }
      if place.values.count > Self.mostValues {
        lines.append("      " + Wording.more(place.values.count - Self.mostValues))
      }
    }
    if result.places.count > Self.mostPlaces {
      lines.append("    " + Wording.more(result.places.count - Self.mostPlaces))
    }
    if let difference = result.difference {
      lines += ["", "  " + Wording.unlikeLog(difference)]
      lines += DifferenceText(style: style).lines([difference]).map { "  " + $0 }
      lines.append("  " + Wording.whyUnlikeLog)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "stable": .bool(result.isStable),
      "seed": .number(JSON.Number(seed)),
      "isSeeded": .bool(isSeeded),
      "runs": .array(result.runs.map(\.setting.json)),
      "places": .array(result.places.map(\.json)),
    ]
    if result.interruption != nil { object["isPartial"] = true }
    object["differsFromLog"] = result.difference?.json
    return .object(object)
  }
}
