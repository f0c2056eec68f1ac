import ActionLog
import ReplayCommands
import ReplayEngine

/// `stats LOG...`: numbers about logs.
package enum StatsCommand: Command {
  package static let syntax = CommandSyntax(
    name: "stats",
    summary: "show what logs consist of",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder that is walked for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [.format]
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let console = context.console
    let logs = LogList(arguments.operands, input: console.input)
    defer { withExtendedLifetime(logs) {} }
    var status = ExitStatus.same
    var documents: [JSON] = []
    try logs.forEachLog { log, _ in
      let statistics = try statistics(of: log)
      if arguments.isJSON {
        var object: JSON.Object = ["log": .string(log.name)]
        for (name, value) in statistics.json.object ?? [:] { object[name] = value }
        documents.append(.object(object))
      } else {
        try console.print(StatisticsText(statistics).text(log.name))
      }
    } unreadable: { name, error in
      status = max(status, ExitStatus(error))
      documents.append(["log": .string(name), "message": .string("\(error)")])
      context.complain("\(error)")
    }
    if arguments.isJSON { try console.print("\(["logs": .array(documents)] as JSON)\n") }
    return status
  }

  private static func statistics(of log: LogSlice) throws -> LogStatistics {
    var statistics = LogStatistics()
    var source = try LogSource(log)
    while let entry = try source.next() { statistics.add(entry) }
    statistics.notHeld = try UncomparedValues(in: log)
    return statistics
  }
}

/// The statistics of a log as text.
struct StatisticsText {
  private let statistics: LogStatistics

  init(_ statistics: LogStatistics) { self.statistics = statistics }

  func text(_ name: String) -> String {
    let count = statistics.actions.values.reduce(0) { $0 + $1.count }
    var lines = [
      "\(name): \(Notation.visible(statistics.feature)), \(Wording.actions(count)) in \(Self.time(statistics.duration)),"
        + " \(statistics.lines) lines, \(Self.size(statistics.bytes))"
    ]
    lines += section(
      "events",
      statistics.kinds.rows.map { ($0.name, $0.value.count, Self.size($0.value.bytes)) }
    )
    lines += section(
      "actions",
      statistics.actions.rows.map { name, timing in
        let name = Notation.caseName(name)
        guard timing.timed > 0 else { return (name, timing.count, "") }
        let mean = Double(timing.total) / Double(timing.timed)
        return (name, timing.count, "\(Self.mean(mean)) each, longest \(Self.time(timing.longest))")
      }
    )
    lines += section("sent by", statistics.origins.rows.map { ($0.name, $0.value, "") })
    lines += section(
      "reads",
      statistics.reads.rows.map { (Notation.visible($0.name), $0.value, "") }
    )
    lines += section(
      "effects",
      statistics.effects.rows.map { (Notation.visible($0.name), $0.value, "") }
    )
    lines += section("effects that", statistics.turns.rows.map { ($0.name, $0.value, "") })
    lines += section(
      "calls",
      statistics.calls.rows.map { (Notation.visible($0.name), $0.value.count, Self.more($0.value)) }
    )
    lines += list("not compared", .opaque) + list("errors read back as LoggedError", .error)
    let largest = statistics.largest
    lines.append(
      "  largest event: \(largest.kind) on line \(largest.line), \(Self.size(largest.bytes))"
    )
    return lines.joined(separator: "\n") + "\n"
  }

  /// What came of an endpoint's calls, and how long they took.
  private static func more(_ calls: LogStatistics.Calls) -> String {
    let outcomes = [("failed", calls.failed), ("cancelled", calls.cancelled)]
      .filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    let unended = calls.unended > 0 ? ["\(calls.unended) not ended"] : []
    guard calls.count > calls.unended else { return (outcomes + unended).joined(separator: ", ") }
    let times = [
      "half within \(time(calls.times.percentile(50)))",
      "95 % within \(time(calls.times.percentile(95)))", "longest \(time(calls.times.longest))",
    ]
    return (times + outcomes + unended).joined(separator: ", ")
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

  private static func mean(_ microseconds: Double) -> String {
    microseconds < 1000 ? "\((microseconds * 10).rounded() / 10) µs" : time(Int(microseconds))
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
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(rounded(Double(bytes) / 1e3)) kB"
    default: "\(rounded(Double(bytes) / 1e6)) MB"
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
