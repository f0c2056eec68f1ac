import ActionLog
import ReplayCommands
import ReplayEngine

/// A description of a fault without details that differ between logs.
///
/// Logs with the same cause have the same symptom. Action numbers, row indexes, ids, and values are left out.
package struct Symptom: Sendable, Hashable {
  /// The verdict or the kind of failure, such as `diverged`, `trapped`, `violated`, or `unreadable`.
  package let kind: String
  /// The kind of the first difference, the name of the signal, or the reasons why replays differ; otherwise empty.
  package var detail = ""
  /// The path of the first difference, such as `rows[*].isDone`, or the source location of an issue.
  package var place = ""
  /// The case path of the action, such as `.rows[].toggled`.
  package var action = ""
  /// Additional text, such as the reason why a value can't be read, or the invariants that were violated.
  package var message = ""

  package init(
    kind: String,
    detail: String = "",
    place: String = "",
    action: String = "",
    message: String = ""
  ) {
    self.kind = kind
    self.detail = detail
    self.place = place
    self.action = action
    self.message = message
  }

  /// Sixteen hexadecimal digits that identify the symptom across logs and machines.
  ///
  /// The first digit is the version of the algorithm. If the algorithm changes, the version changes, too.
  package var fingerprint: String {
    let parts = [kind, detail, place, action, message].joined(separator: "\u{1F}")
    let digest = parts.utf8.digest.suffix(15)
    return "1" + String(repeating: "0", count: 15 - digest.count) + digest
  }

  /// The symptom as a phrase for reports.
  package var text: String {
    let action = action.isEmpty ? "" : ", action \(action)"
    switch kind {
    case "diverged":
      return "diverged: \(detail)\(place.isEmpty ? "" : " \(place)")\(action)"
    case "trapped": return "trapped (\(detail))\(action)"
    case "issue": return "reports an issue\(place.isEmpty ? "" : " at \(place)")\(action)"
    case "deadEffect": return "an effect sends that is not alive\(action)"
    case "unstable": return "\(place) is not deterministic (\(detail))\(action)"
    case "undecodable", "notReplayable": return "\(kind): \(message)"
    default: return message.isEmpty ? kind : message
    }
  }
}

extension JSON.Pointer {
  /// The path with `*` for each token that is an id, because ids are specific to one log.
  package var anyID: JSON.Pointer { JSON.Pointer(tokens.map(Self.anyID)) }

  /// Returns the token of a path, or `*` if the token is an id or a substitute for a masked string.
  package static func anyID(_ token: String) -> String {
    token.wholeMatch(of: uuid) == nil && token.wholeMatch(of: masked) == nil ? token : "*"
  }

  // `Regex` is not `Sendable`, so it can't be stored in a static property.
  package static var uuid: Regex<Substring> {
    /[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/
  }

  private static var masked: Regex<Substring> { /masked[0-9a-f]{18}/ }
}
