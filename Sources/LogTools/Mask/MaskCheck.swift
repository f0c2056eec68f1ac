import ActionLog
import ReplayEngine

/// What a log tells, place by place, for people and for programs.
struct MaskCheck {
  private let entries: [LogPaths.Entry]

  init(_ entries: [LogPaths.Entry]) { self.entries = entries }

  func text(isJSON: Bool) -> String { isJSON ? "\(json)\n" : text }

  private var json: JSON {
    [
      "paths": .array(
        entries.map { entry in
          [
            "section": .string(entry.section.rawValue), "path": .string(entry.path),
            "kinds": .array(entry.kinds.map(JSON.string)),
            "count": .number(JSON.Number(entry.count)), "masked": .bool(entry.isMasked),
            "sample": entry.sample,
          ]
        }
      )
    ]
  }

  private var text: String {
    LogPaths.Section.allCases.map { section -> String in
      let entries = entries.filter { $0.section == section }
      guard !entries.isEmpty else { return "" }
      let width = min(entries.map(\.path.count).max() ?? 0, Self.widest)
      let lines = entries.map { entry in
        let space = String(repeating: " ", count: max(0, width - entry.path.count))
        let mark = entry.isMasked ? Wording.maskedMark : ""
        return "  \(entry.path)\(space)  \(Wording.times(entry.count))\(mark)  \(sample(entry))\n"
      }
      return "\(Wording.heading(section))\n" + lines.joined()
    }
    .joined()
  }

  private func sample(_ entry: LogPaths.Entry) -> String {
    let text = "\(entry.sample)"
    return text.count > Self.longest ? "\(text.prefix(Self.longest))…" : text
  }

  /// Characters of a sample: enough to know it by.
  private static let longest = 60
  /// Characters that the column of paths has at most.
  private static let widest = 50
}
