import ActionLog
import ReplayEngine

/// The words of masks.
extension Wording {
  static func unmatched(
    _ path: MaskPath,
    in subject: LogMasks.Subject,
    known: [String]
  ) -> String {
    let place =
      switch subject {
      case .state, .omitted: "in the state"
      case .action: "in actions"
      case .read: "in reads"
      }
    return "'\(path)' matches nothing \(place)\(suggestion(for: path.description, among: known))"
  }

  static let nothingMasked =
    "nothing was written; 'mask LOG --check' shows the paths that there are, and --allow-unmatched writes nevertheless"

  static let maskedMark = "  masked"

  package static func times(_ count: Int) -> String { "\(count)×" }

  static func heading(_ section: LogPaths.Section) -> String {
    switch section {
    case .state: "state (--path)"
    case .action: "actions (--action-path)"
    case .read: "reads (--read-path)"
    case .effect:
      "effects: names, inputs, cancellation ids and errors (masked values are taken out)"
    case .note: "notes and gaps (masked values are taken out)"
    case .header: "header"
    case .other: "findings and what this version does not know (masked values are taken out)"
    }
  }
}
