import ActionLog
import ReplayCommands
import ReplayEngine

/// What a log shows that is not as it should be, without what differs from log to log: logs with the same cause have the same symptom.
///
/// Numbers of actions and rows, ids and values are left out.
package struct Symptom: Sendable, Hashable {
  /// The verdict, or the kind of failure: `diverged`, `trapped`, `violated`, `unreadable`.
  package let kind: String
  /// The kind of the first difference, or the signal.
  package var detail = ""
  /// The place of the first difference, `rows[*].isDone`.
  package var place = ""
  /// The cases of the action, `.rows[].toggled`.
  package var action = ""
  /// What else there is to say, in words: why a value cannot be read, which invariants are violated.
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

  /// Sixteen hexadecimal digits that are the same for the same symptom, in every log and on every machine.
  ///
  /// The first names the version of the rule: a rule that finds other symptoms gets another one.
  package var fingerprint: String {
    let parts = [kind, detail, place, action, message].joined(separator: "\u{1F}")
    let digest = parts.utf8.digest.suffix(15)
    return "1" + String(repeating: "0", count: 15 - digest.count) + digest
  }

  /// The symptom as people read it.
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
  /// The place with `*` for each key that is an id, which names an entry of one log alone.
  package var anyID: JSON.Pointer { JSON.Pointer(tokens.map(Self.anyID)) }

  /// A key, or `*` for an id.
  package static func anyID(_ token: String) -> String {
    token.wholeMatch(of: uuid) == nil && token.wholeMatch(of: masked) == nil ? token : "*"
  }

  // A regular expression is not `Sendable`, so it is made anew.
  package static var uuid: Regex<Substring> {
    /[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/
  }

  private static var masked: Regex<Substring> { /masked[0-9a-f]{18}/ }
}
