import ActionLog
import ReplayCommands
import ReplayEngine

/// The key by which rows of statistics are sorted.
enum StatisticsOrder: String, CaseIterable {
  case count, time, size, name

  /// Sorts rows in descending order of the requested number.
  ///
  /// A row without the requested number is sorted by its count. Rows with equal numbers are sorted by name, as are all
  /// rows if the order is `name`.
  ///
  /// - Parameters:
  ///   - rows: The rows to sort.
  ///   - key: A closure that returns the name and the numbers of a row.
  /// - Returns: The sorted rows.
  func sorted<Row>(_ rows: [Row], by key: (Row) -> SortKey) -> [Row] {
    func rank(_ key: SortKey) -> Int {
      switch self {
      case .count: key.count
      case .time: key.time ?? key.count
      case .size: key.size ?? key.count
      case .name: 0
      }
    }
    return rows.map { ($0, key($0)) }
      .sorted { (rank($1.1), $0.1.name) < (rank($0.1), $1.1.name) }
      .map(\.0)
  }

  /// The name and the numbers by which a row can be sorted.
  struct SortKey {
    let name: String
    let count: Int
    /// The time by which the row is sorted, in microseconds, or `nil` if the row has no time.
    var time: Int?
    /// The size by which the row is sorted, in bytes, or `nil` if the row has no size.
    var size: Int?
  }
}

/// Formats the statistics of a log as text.
struct StatisticsText {
  private let statistics: LogStatistics
  private let style: Style
  private let order: StatisticsOrder

  init(_ statistics: LogStatistics, _ style: Style, order: StatisticsOrder = .count) {
    (self.statistics, self.style, self.order) = (statistics, style, order)
  }

  func text(_ name: String) -> String {
    let count = statistics.actions.values.reduce(0) { $0 + $1.count }
    var lines = [
      style.headline(
        "\(Notation.visible(name)): \(Notation.visible(statistics.feature)), \(Wording.actions(count)) in \(Self.time(statistics.duration)),"
          + " \(Wording.counted(statistics.lines, "line")), \(Self.size(statistics.bytes))"
      )
    ]
    if let place = statistics.continues { lines.append("  \(Wording.continued(place))") }
    lines += section(
      "events",
      statistics.kinds.rows.map { TableRow($0.name, $0.value.count, size: $0.value.bytes) }
    )
    lines += table(
      "actions",
      statistics.actions.rows.map { TableRow($0.name, $0.value.count, times: $0.value.times) }
    )
    lines += section("sent by", statistics.origins.rows.map { TableRow($0.name, $0.value) })
    lines += section("reads", statistics.reads.rows.map { TableRow($0.name, $0.value) })
    lines += table("effects", effects)
    lines += cut + unended
    lines += table(
      "calls",
      statistics.calls.rows.map { name, calls in
        TableRow(name, calls.count, times: calls.times, more: Self.ends(calls))
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

  /// The rows for effects, in which effects that differ only in the values of their ids share a row.
  private var effects: [TableRow] {
    var kinds = NamedCounters<EffectLifetimeStatistics.NamedEffectCounts>()
    for (_, kind) in statistics.effects.kinds.rows {
      kinds.update(kind.form, from: EffectLifetimeStatistics.NamedEffectCounts(form: kind.form)) {
        $0.add(kind)
      }
    }
    return kinds.rows.map { name, kind in
      TableRow(name, kind.count, times: kind.times, more: Self.ends(kind))
    }
  }

  /// Returns a phrase that counts the effects that failed or were canceled.
  private static func ends(_ effects: EffectLifetimeStatistics.NamedEffectCounts) -> String {
    counts([("failed", effects.failed), ("canceled", effects.cancelled)])
  }

  /// Returns a phrase that counts the calls that failed, were canceled, or did not return.
  private static func ends(_ calls: LogStatistics.Calls) -> String {
    counts([
      ("failed", calls.failed), ("canceled", calls.cancelled), ("not ended", calls.unended),
    ])
  }

  private static func counts(_ counts: [(name: String, count: Int)]) -> String {
    counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
  }

  /// Lines that list the effects that were running when the log ended.
  private var unended: [String] {
    list(
      "effects that had not ended",
      statistics.effects.unended.map { ($0.id, $0.name, $0.start, statistics.duration) }
    )
  }

  /// Lines that list the effects that were canceled because their store was released.
  private var cut: [String] {
    list(
      "effects that the end of the store left unfinished",
      statistics.effects.cut.map { ($0.id, $0.name, $0.start, $0.end) }
    )
  }

  private func list(
    _ title: String,
    _ effects: [(id: EffectID, name: String, start: Int?, end: Int)]
  ) -> [String] {
    list(
      title,
      effects.map { effect in
        let time =
          effect.start.map { "  for \(Self.time(DurationHistogram.between($0, effect.end)))" } ?? ""
        return "\(effect.name) \(effect.id)\(time)"
      }
    )
  }

  private func list(_ title: String, _ items: [String]) -> [String] {
    guard !items.isEmpty else { return [] }
    let rest = items.count - Self.mostListed
    return ["  \(title)"] + items.prefix(Self.mostListed).map { style.hanging("    \($0)") }
      + (rest > 0 ? ["    \(Wording.more(rest))"] : [])
  }

  /// Lines that show how the size of the state changed.
  private var state: [String] {
    guard let first = statistics.growth.first, let last = statistics.growth.last else { return [] }
    var title =
      "  state  \(Self.size(first.bytes)) at the start, \(Self.size(last.bytes)) at the end"
    if let largest = statistics.growth.largest, largest.bytes > max(first.bytes, last.bytes) {
      title += ", \(Self.size(largest.bytes)) after action \(largest.seq)"
    }
    let rows = statistics.growth.grown(Self.mostMembers).map { member in
      [
        Notation.visible(member.name),
        "\(Self.size(member.from)) → \(Self.size(member.to))",
      ]
    }
    return [style.hanging(title)] + TextTable(rows, indent: 4).lines(width: style.width)
  }

  /// The maximum number of members in the list of those that have grown most.
  private static let mostMembers = 5

  private var changes: [String] {
    let changes = statistics.changes.elements.prefix(LogStatistics.mostChanges)
    guard !changes.isEmpty else { return [] }
    let rows = changes.map { change in
      [Self.size(change.bytes), String(change.seq), change.action]
    }
    return ["  largest changes"]
      + TextTable(rows, numbers: 1..<2, indent: 4, flexible: 2).lines(width: style.width)
  }

  /// Returns lines that list the values of one kind that the log does not contain in full.
  private func list(_ title: String, _ kind: UncomparedValue.Kind) -> [String] {
    list(title, statistics.notHeld.list(kind).map { $0.text() })
  }

  /// The maximum number of items in a list of effects or values.
  ///
  /// The JSON output has no such limit.
  private static let mostListed = 40

  /// A row of a table with a name, a count, and optional numbers.
  private struct TableRow {
    let name: String
    let count: Int
    var times = DurationHistogram()
    var size: Int?
    var more = ""

    init(
      _ name: String,
      _ count: Int,
      times: DurationHistogram = DurationHistogram(),
      size: Int? = nil,
      more: String = ""
    ) {
      self.name = Notation.visible(name)
      (self.count, self.times, self.size, self.more) = (count, times, size, more)
    }
  }

  private func sorted(_ rows: [TableRow]) -> [TableRow] {
    order.sorted(rows) { row in
      StatisticsOrder.SortKey(
        name: row.name,
        count: row.count,
        time: row.times.count > 0 ? row.times.longest : nil,
        size: row.size
      )
    }
  }

  /// Returns a table with counts, and with sizes if the rows have them.
  private func section(_ title: String, _ rows: [TableRow]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let cells = sorted(rows).map { [$0.name, String($0.count), $0.size.map(Self.size) ?? ""] }
    return ["  \(title)"]
      + TextTable(cells, numbers: 1..<2, indent: 4).lines(width: style.width)
  }

  /// Returns a table with counts and durations.
  private func table(_ title: String, _ rows: [TableRow]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let cells = sorted(rows).map { row in
      ["  \(row.name)", String(row.count)] + Self.cells(row.times) + [row.more]
    }
    let isTimed = rows.contains { $0.times.count > 0 }
    let header = [title, ""] + (isTimed ? Self.timeHeads : ["", "", ""]) + [""]
    return TextTable([header] + cells, numbers: 1..<5, indent: 2).lines(width: style.width)
  }

  static let timeHeads = ["p50", "p95", "max"]

  static func cells(_ times: DurationHistogram) -> [String] {
    guard times.count > 0 else { return ["", "", ""] }
    return [time(times.percentile(50)), time(times.percentile(95)), time(times.longest)]
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
