import ActionLog
import Foundation
import ReplayEngine

/// The messages of hosts.
extension Wording {
  static let hostWrote = "the host wrote:"

  static let ellipsis = "…"

  static func inFunction(_ name: String) -> String { "in \(name)" }

  static func linesLeftOut(_ count: Int, canBeShown: Bool) -> String {
    "(\(count == 1 ? "1 more line" : "\(count) more lines")\(canBeShown ? "; --verbose shows all" : ""))"
  }

  static func leftOut(bytes: Int) -> String { "… \(bytes) bytes are left out here …" }
}
