import ActionLog
import ReplayCommands
import ReplayEngine

/// Combines the statistics of several logs, with the slowest, largest, and most frequent items of all logs.
struct StatisticsOverview {
  /// The totals for one log, which appear on one line.
  private struct LogTotals {
    let name: String
    let feature: String
    let actions: Int
    let lines: Int
    let bytes: Int
    /// The time from the start of the recording to its last event, in microseconds.
    let duration: Int
    let slowest: Int?
  }

  /// An action in one of the logs, ranked by its duration or its size.
  private struct RankedAction: Ranked {
    let log: String
    let seq: Int
    let action: String
    let rank: Int
  }

  /// The case path of an action, with the feature that handles it.
  private struct Action: Hashable {
    let feature: String
    let name: String
  }

  private var logs: [LogTotals] = []
  private var actions: [Action: LogStatistics.ReducerTiming] = [:]
  private var slowest = TopList<RankedAction>()
  private var largest = TopList<RankedAction>()

  /// The maximum number of actions in the list of the most frequent ones, chosen so that the list stays readable.
  private static let mostActions = 10

  /// Adds the statistics of a log, under the log's name.
  mutating func add(_ statistics: LogStatistics, _ name: String) {
    let name = Notation.visible(name)
    let feature = Notation.visible(statistics.feature)
    logs.append(
      LogTotals(
        name: name,
        feature: feature,
        actions: statistics.actions.values.reduce(0) { $0 + $1.count },
        lines: statistics.lines,
        bytes: statistics.bytes,
        duration: statistics.duration,
        slowest: statistics.slowest.elements.first?.microseconds
      )
    )
    for (action, timing) in statistics.actions.rows {
      let action = Action(feature: feature, name: action)
      actions[action, default: LogStatistics.ReducerTiming()].add(timing)
    }
    for action in statistics.slowest.elements {
      slowest.add(
        RankedAction(log: name, seq: action.seq, action: action.action, rank: action.microseconds)
      )
    }
    for change in statistics.changes.elements {
      largest.add(
        RankedAction(log: name, seq: change.seq, action: change.action, rank: change.bytes)
      )
    }
  }

  /// Returns the totals, a line for each log, and lists of the top items from all logs.
  ///
  /// - Parameters:
  ///   - style: The colors, the notation, and the terminal width.
  ///   - order: The order of the lines for logs, or `nil` for the order of the arguments.
  /// - Returns: The text, with a newline at its end.
  func text(_ style: Style, order: StatisticsOrder?) -> String {
    var lines = [style.bold(style.wrapped(totals))] + table(order).lines(width: style.width)
    lines += section("slowest actions", slowest, StatisticsText.time, style)
    lines += section("largest changes", largest, StatisticsText.size, style)
    lines += frequent(style)
    lines += ["", style.wrapped(Wording.eachInFull)]
    return style.fitted(lines.joined(separator: "\n") + "\n")
  }

  private var totals: String {
    let features = Set(logs.map(\.feature)).count
    func sum(_ number: (LogTotals) -> Int) -> Int { logs.reduce(0) { $0 + number($1) } }
    return
      "\(Wording.counted(logs.count, "log")) of \(Wording.counted(features, "feature")), \(Wording.actions(sum(\.actions)))"
      + " in \(StatisticsText.time(sum(\.duration))), \(Wording.counted(sum(\.lines), "line")), \(StatisticsText.size(sum(\.bytes)))"
  }

  private func table(_ order: StatisticsOrder?) -> TextTable {
    let logs =
      order?.sorted(self.logs) { log in
        StatisticsOrder.SortKey(
          name: log.name,
          count: log.actions,
          time: log.duration,
          size: log.bytes
        )
      } ?? self.logs
    let header = ["", "", "actions", "time", "slowest", "size"]
    let rows = logs.map { log in
      [
        log.name, log.feature, String(log.actions), StatisticsText.time(log.duration),
        log.slowest.map(StatisticsText.time) ?? "", StatisticsText.size(log.bytes),
      ]
    }
    return TextTable([header] + rows, numbers: 2..<6, indent: 2)
  }

  private func section(
    _ title: String,
    _ list: TopList<RankedAction>,
    _ text: (Int) -> String,
    _ style: Style
  ) -> [String] {
    guard !list.elements.isEmpty else { return [] }
    let rows = list.elements.map { [text($0.rank), $0.log, String($0.seq), $0.action] }
    // The log's name is shortened before the action, because the names of many logs differ only at the end.
    return ["", title]
      + TextTable(rows, numbers: 2..<3, indent: 2, flexible: 1).lines(width: style.width)
  }

  private func frequent(_ style: Style) -> [String] {
    let hasFeatures = Set(actions.keys.map(\.feature)).count > 1
    let sorted = StatisticsOrder.count.sorted(Array(actions)) { action, timing in
      StatisticsOrder.SortKey(name: "\(action.feature) \(action.name)", count: timing.count)
    }
    guard !sorted.isEmpty else { return [] }
    let isTimed = sorted.prefix(Self.mostActions).contains { $0.value.times.count > 0 }
    let title = "most frequent actions"
    let header = [title, "", ""] + (isTimed ? StatisticsText.timeHeads : ["", "", ""])
    let rows = sorted.prefix(Self.mostActions).map { action, timing in
      ["  \(action.name)", hasFeatures ? action.feature : "", String(timing.count)]
        + StatisticsText.cells(timing.times)
    }
    return [""] + TextTable([header] + rows, numbers: 2..<6).lines(width: style.width)
  }
}

extension Wording {
  static let eachInFull =
    "--verbose shows each log in full, --sort count|time|size|name sorts the lines"
}
