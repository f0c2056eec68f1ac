import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The report of `mask --check`, which lists every path in the logs with a sample value.
struct MaskCheckReport {
  private let entries: [LogPathInventory.PathSummary]
  private let allowed: VisiblePathAllowlist?

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - entries: The paths that occur in the logs.
  ///   - allowed: The paths that a log may contain without a mask, or `nil` to allow all paths.
  init(_ entries: [LogPathInventory.PathSummary], allowed: VisiblePathAllowlist? = nil) {
    self.entries = entries
    self.allowed = allowed
  }

  /// The unmasked paths in the logs that are not on the list of allowed paths.
  var exceeding: [LogPathInventory.PathSummary] {
    guard let allowed else { return [] }
    return entries.filter { !$0.isMasked && !allowed.admit($0) }
  }

  var text: String { list + suggestion }

  var json: JSON {
    var object: JSON.Object = [
      "paths": .array(
        entries.map { entry in
          [
            "section": .string(entry.section.rawValue), "path": .string(entry.path),
            "kinds": .array(entry.kinds.map(JSON.string)),
            "count": .number(JSON.Number(entry.count)), "masked": .bool(entry.isMasked),
            "looks": .array(entry.looks.map { .string($0.rawValue) }), "sample": entry.sample,
          ]
        }
      )
    ]
    if allowed != nil {
      object["exceeding"] = .array(exceeding.map { .string("\($0.section.rawValue) \($0.path)") })
    }
    return .object(object)
  }

  private var list: String {
    LogPathInventory.Section.allCases.map { section -> String in
      let entries = entries.filter { $0.section == section }
      guard !entries.isEmpty else { return "" }
      let places = entries.map { MaskPatternTable.text(of: $0) }
      let width = min(places.map { TerminalWidthCounter.count($0) }.max() ?? 0, Self.widest)
      let lines = zip(entries, places).map { entry, place in
        let space = String(repeating: " ", count: max(0, width - TerminalWidthCounter.count(place)))
        let mark = entry.isMasked ? Wording.maskedMark : ""
        let looks = entry.looks.map { "  " + Wording.looks($0) }.joined()
        let kinds = entry.kinds.map { Wording.kind($0) }.joined(separator: ", ")
        let values = entry.count > 0 ? "\(Wording.times(entry.count))  \(kinds)" : Wording.keys
        return "  \(place)\(space)  \(values)\(mark)"
          + "  \(Self.notation.value(entry.sample))\(looks)\n"
      }
      return "\(Wording.heading(section))\n" + lines.joined()
    }
    .joined()
  }

  /// The notation for samples, which are only as long as needed to recognize a value.
  private static let notation = Notation(limits: Notation.Limits(value: 60, text: 40))
  /// The maximum width of the path column, in terminal columns.
  private static let widest = 50

  /// Swift code with masks for the values that look secret, or an empty string if there are none.
  private var suggestion: String {
    let parts = [
      (LogPathInventory.Section.state, "state"), (.action, "action"), (.read, "read"),
      (.call, "call"), (.effect, "effect"),
    ]
    .compactMap { section, label -> String? in
      var paths: [String] = []
      for entry in entries
      where entry.section == section && !entry.isMasked && !entry.looks.isEmpty
        && !entry.isCovered(by: paths.map { MaskPath($0) })
        // Patterns for effects can match only the input.
        && (section != .effect || entry.path.hasPrefix("/input"))
      {
        paths.append(entry.path)
      }
      guard !paths.isEmpty else { return nil }
      let texts = paths.map { SwiftCode.text(MaskPatternTable.code($0)).text }.joined(
        separator: ", "
      )
      return "    \(label): [\(texts)]"
    }
    guard !parts.isEmpty else { return "" }
    return "\(Wording.suggestion)\n  LogMasks(\n\(parts.joined(separator: ",\n"))\n  )\n"
  }
}

/// A list of paths that a log may contain, read from a file.
///
/// Each line has a section and a pattern.
///
/// ```
/// # what support may see
/// state todos[*].title
/// action /**
/// ```
struct VisiblePathAllowlist {
  private var patterns: [LogPathInventory.Section: [MaskPath]] = [:]
  /// The allowed paths that are written as the report displays them, such as `todos[*].title`, instead of as patterns.
  private var places: [LogPathInventory.Section: Set<String>] = [:]

  /// Reads a list of allowed paths from a file.
  ///
  /// - Throws: `CommandError` if a line has no known section, or `LogReadError` if the file can't be read.
  init(contentsOf name: String) throws {
    let text: String
    do { text = try String(contentsOfFile: name, encoding: .utf8) } catch {
      throw LogReadError.noSuchFile(name)
    }
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard let section = LogPathInventory.Section(rawValue: parts[0]) else {
        let known = LogPathInventory.Section.allCases.map(\.rawValue)
        throw CommandError.badActionLine(
          file: name,
          line: index + 1,
          problem: Wording.badAllowedPath(parts[0], known: known)
        )
      }
      let text = parts.count > 1 ? parts[1] : ""
      if MaskPatternTable.isPattern(text) {
        patterns[section, default: []].append(MaskPath(text))
      } else {
        places[section, default: []].insert(text)
      }
    }
  }

  /// Returns whether a path or one of its prefixes is an allowed path, or matches an allowed pattern.
  func admit(_ entry: LogPathInventory.PathSummary) -> Bool {
    entry.isCovered(by: patterns[entry.section] ?? [])
      || places[entry.section].map { places in
        MaskPatternTable.texts(of: entry).contains { places.contains($0) }
      } ?? false
  }
}

/// The messages, headings, and labels of `mask`.
extension Wording {
  static func unmatched(
    _ path: String,
    in subject: LogMasks.Subject,
    known: [String]
  ) -> String {
    let place =
      switch subject {
      case .state, .omitted: "in the state"
      case .action: "in actions"
      case .read: "in reads"
      case .call: "in calls"
      case .effect: "in effects"
      }
    return "'\(path)' matches nothing \(place)\(suggestion(for: path, among: known))"
  }

  static let nothingMasked =
    "nothing was written; 'mask LOG --check' shows the paths that there are, and --allow-unmatched writes anyway"

  static func notHeld(_ entry: LogPathInventory.PathSummary) -> String {
    let values = entry.remaining == 1 ? "1 value shows" : "\(entry.remaining) values show"
    return
      "\(entry.section.rawValue) \(MaskPatternTable.text(of: entry)): \(values) a masked text with other capitals, reversed or as a"
      + " name; a pattern for the place masks it"
  }

  static let maskedMark = "  masked"

  static let suggestion = "what looks secret, as masks of a recorder:"

  static func exceeding(_ places: [String], _ file: String) -> String {
    let count = places.count == 1 ? "1 place is" : "\(places.count) places are"
    return "\(count) not allowed by \(file):\n" + places.map { "  \($0)" }.joined(separator: "\n")
  }

  static func badAllowedPath(_ word: String, known: [String]) -> String {
    "expected a section and a pattern, such as 'state todos[*].title', found '\(word)'; sections are"
      + " \(known.joined(separator: ", "))"
  }

  static let keys = "keys"

  static func times(_ count: Int) -> String { "\(count)×" }

  static func looks(_ look: SecretKind) -> String {
    switch look {
    case .email: "← e-mail address"
    case .token: "← token"
    case .key: "← as random as a key"
    case .card: "← card number"
    case .iban: "← bank account"
    case .name: "← named like a secret"
    }
  }

  /// Returns a short label for a kind of JSON value, such as `String` or `[]`.
  static func kind(_ kind: String) -> String {
    switch kind {
    case "null": "nil"
    case "a boolean": "Bool"
    case "a number": "Number"
    case "a string": "String"
    case "an array": "[]"
    case "an object": "{}"
    default: kind
    }
  }

  static func heading(_ section: LogPathInventory.Section) -> String {
    switch section {
    case .state: "state (--path)"
    case .action: "actions (--action-path)"
    case .read: "reads (--read-path)"
    case .call: "calls of effects (--call-path)"
    case .effect:
      "effects: names, inputs, cancellation ids and errors (masked values are taken out)"
    case .note: "notes and gaps (masked values are taken out)"
    case .header: "header"
    case .other: "findings and what this version does not know (masked values are taken out)"
    }
  }
}
