import ActionLog
import ReplayCommands
import ReplayEngine

/// The statistics of a log as text.
struct StatisticsText {
  private let statistics: LogStatistics

  init(_ statistics: LogStatistics) { self.statistics = statistics }

  func text(_ name: String) -> String {
    let count = statistics.actions.values.reduce(0) { $0 + $1.count }
    var lines = [
      "\(Notation.visible(name)): \(Notation.visible(statistics.feature)), \(Wording.actions(count)) in \(Self.time(statistics.duration)),"
        + " \(statistics.lines) lines, \(Self.size(statistics.bytes))"
    ]
    if let place = statistics.continues { lines.append("  \(Wording.continued(place))") }
    lines += section(
      "events",
      statistics.kinds.rows.map {
        (Notation.visible($0.name), $0.value.count, Self.size($0.value.bytes))
      }
    )
    lines += table(
      "actions",
      statistics.actions.rows.map { ($0.name, $0.value.count, $0.value.times, "") }
    )
    lines += section("sent by", statistics.origins.rows.map { ($0.name, $0.value, "") })
    lines += section(
      "reads",
      statistics.reads.rows.map { (Notation.visible($0.name), $0.value, "") }
    )
    lines += table(
      "effects",
      statistics.effects.kinds.rows.map { name, kind in
        (name, kind.count, kind.times, Self.ends(kind))
      }
    )
    lines += unended
    lines += table(
      "calls",
      statistics.calls.rows.map { name, calls in
        (Notation.visible(name), calls.count, calls.times, Self.ends(calls))
      }
    )
    lines += state
    lines += changes
    lines += list("not compared", .opaque) + list("errors read back as LoggedError", .error)
    let largest = statistics.largest
    lines.append(
      "  largest event: \(largest.kind) on line \(largest.line), \(Self.size(largest.bytes))"
    )
    return lines.joined(separator: "\n") + "\n"
  }

  /// How the effects of one name ended, where that is not by finishing.
  private static func ends(_ effects: EffectLives.Kind) -> String {
    counts([("failed", effects.failed), ("cancelled", effects.cancelled)])
  }

  /// What came of an endpoint's calls, where they did not return.
  private static func ends(_ calls: LogStatistics.Calls) -> String {
    counts([
      ("failed", calls.failed), ("cancelled", calls.cancelled), ("not ended", calls.unended),
    ])
  }

  private static func counts(_ counts: [(name: String, count: Int)]) -> String {
    counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
  }

  /// The effects that had not ended when the log did.
  private var unended: [String] {
    let effects = statistics.effects.unended
    guard !effects.isEmpty else { return [] }
    let rest = effects.count - Self.mostListed
    return ["  effects that had not ended"]
      + effects.prefix(Self.mostListed).map { effect in
        let time =
          effect.start.map { "  for \(Self.time(Durations.between($0, statistics.duration)))" }
          ?? ""
        return "    \(effect.name) \(effect.id)\(time)"
      } + (rest > 0 ? ["    \(Wording.more(rest))"] : [])
  }

  /// How the state has grown.
  private var state: [String] {
    guard let first = statistics.growth.first, let last = statistics.growth.last else { return [] }
    var title =
      "  state  \(Self.size(first.bytes)) at the start, \(Self.size(last.bytes)) at the end"
    if let largest = statistics.growth.largest, largest.bytes > max(first.bytes, last.bytes) {
      title += ", \(Self.size(largest.bytes)) after action \(largest.seq)"
    }
    let rows = statistics.growth.grown(Self.mostMembers).map { member in
      [
        "    \(Notation.visible(member.name))",
        "\(Self.size(member.from)) → \(Self.size(member.to))",
      ]
    }
    return [title] + Self.aligned(rows, numbers: 0..<0)
  }

  /// Members of the state that are listed.
  private static let mostMembers = 5

  private var changes: [String] {
    guard !statistics.changes.isEmpty else { return [] }
    let rows = statistics.changes.map { change in
      ["    \(Self.size(change.bytes))", String(change.seq), change.action]
    }
    return ["  largest changes"] + Self.aligned(rows, numbers: 1..<2)
  }

  /// The values that the log does not hold in full.
  private func list(_ title: String, _ kind: UncomparedValue.Kind) -> [String] {
    let values = statistics.notHeld.list(kind)
    guard !values.isEmpty else { return [] }
    let rest = values.count - Self.mostListed
    return ["  \(title)"] + values.prefix(Self.mostListed).map { "    \($0.text())" }
      + (rest > 0 ? ["    \(Wording.more(rest))"] : [])
  }

  /// More are for programs to read.
  private static let mostListed = 40

  /// A table, the most frequent name first.
  private func section(
    _ title: String,
    _ rows: [(name: String, count: Int, more: String)]
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let sorted = rows.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    let width = sorted.map { TerminalColumns.count($0.name) }.max() ?? 0
    let digits = sorted.map { String($0.count).count }.max() ?? 0
    return ["  \(title)"]
      + sorted.map { name, count, more in
        let gap = String(repeating: " ", count: width - TerminalColumns.count(name))
        let number = String(count)
        let indent = String(repeating: " ", count: digits - number.count)
        return "    \(name)\(gap)  \(indent)\(number)\(more.isEmpty ? "" : "  \(more)")"
      }
  }

  /// A table with durations, the most frequent name first.
  private func table(
    _ title: String,
    _ rows: [(name: String, count: Int, times: Durations, more: String)]
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let sorted = rows.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    let isTimed = sorted.contains { $0.times.count > 0 }
    let cells = sorted.map { name, count, times, more in
      ["    \(name)", String(count)] + (times.count > 0 ? Self.cells(times) : ["", "", ""]) + [more]
    }
    let header = ["  \(title)", ""] + (isTimed ? ["p50", "p95", "max"] : ["", "", ""]) + [""]
    return Self.aligned([header] + cells, numbers: 1..<5)
  }

  private static func cells(_ times: Durations) -> [String] {
    [time(times.percentile(50)), time(times.percentile(95)), time(times.longest)]
  }

  /// Rows whose columns stand below each other.
  ///
  /// - Parameters:
  ///   - rows: The cells of each row.
  ///   - numbers: The columns that end below each other.
  /// - Returns: The lines.
  private static func aligned(_ rows: [[String]], numbers: Range<Int>) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { TerminalColumns.count($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        let gap = String(repeating: " ", count: widths[column] - TerminalColumns.count(cell))
        line += (column == 0 ? "" : "  ") + (numbers.contains(column) ? gap + cell : cell + gap)
      }
      return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
    }
  }

  static func time(_ microseconds: Int) -> String {
    switch microseconds {
    case ..<1000: "\(microseconds) µs"
    case ..<1_000_000: "\(rounded(Double(microseconds) / 1e3)) ms"
    default: "\(rounded(Double(microseconds) / 1e6)) s"
    }
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case 1: "1 byte"
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(rounded(Double(bytes) / 1e3)) kB"
    default: "\(rounded(Double(bytes) / 1e6)) MB"
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
