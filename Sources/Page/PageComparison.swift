import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The replay of a log by a host, or another log, for comparison on a page.
package struct PageComparison {
  /// Information about the comparison for the page.
  package let about: JSON
  private let lines: Lines
  /// The owner of the other log's temporary file; `nil` for a permanent file.
  private let owner: Any?

  private enum Lines {
    /// The events of a replay, as lines.
    case events([[UInt8]])
    case log(PageLog)
  }

  /// Whether there are no differences.
  package var isSame: Bool { about["same"]?.bool == true }

  /// The verdict of the replay, or the differences from the other log, as text.
  package let summary: String
  /// The name of the other log; `nil` for a replay.
  var otherName: String? {
    guard case .log(let log) = lines else { return nil }
    return log.name
  }

  /// Runs a closure with the other log, or with the replay as a log.
  ///
  /// - Throws: `StreamError`, and the error of the closure.
  package func withSlice<Result>(_ body: (LogSlice) throws -> Result) throws -> Result {
    switch lines {
    case .log(let log): return try body(log.log)
    case .events(let lines):
      let file = try TemporaryFile(Data(lines.joined(separator: [0x0A])))
      return try withExtendedLifetime(file) {
        try body(LogSlice(path: file.path, name: Wording.replay))
      }
    }
  }

  /// Writes the lines to a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - number: The number of the log on the page; the first is 1.
  /// - Throws: `LogReadError`, `StreamError`.
  package func write(to page: inout PageWriter, number: Int = 1) throws {
    switch lines {
    case .log(let log): try log.write(to: &page, as: .other, number: number)
    case .events(let lines):
      try page.openBlock(.other, number: number)
      for line in lines { try page.add(line: line) }
    }
  }

  /// Replays a log and compares it.
  ///
  /// After each divergence, the replay continues from the recorded state.
  ///
  /// - Throws: The errors of a replay.
  package init(
    replaying log: LogSlice,
    _ options: ReplayOptions,
    by start: CommandContext.ReplayStarter
  ) throws {
    var options = options
    options.isContinuing = true
    let host = options
    self = try log.migratingIfNeeded(host) { log in
      let replay = BufferedReplay(try start(log, host))
      let check = ReplayCheck(log: log, options: host.comparison, isContinuing: true)
      return Self(try check.run(replay), replay)
    }
  }

  private init(_ result: ReplayCheck.Result, _ replay: BufferedReplay) {
    let verdicts = [result.verdict] + result.further.map(\.verdict)
    let differences = verdicts.flatMap { $0.divergence?.differences ?? [] }
    var about: JSON.Object = [
      "kind": "replay",
      "verdicts": .array(verdicts.map(\.json)),
      "line": .string(VerdictText().line(result.verdict, through: result.seq)),
      "same": .bool(result.isSame),
      "differences": .array(differences.map(\.asFound.json)),
      "output": .array(replay.hostOutput.suffix(Self.mostOutput).map(JSON.string)),
    ]
    if !result.notCompared.isEmpty {
      about["notCompared"] = .array(result.notCompared.map(\.json))
    }
    self.about = .object(about)
    let verdict = VerdictText().line(result.verdict, through: result.seq)
    summary = verdict + Wording.later(verdicts.dropFirst().count { !$0.isSame })
    (lines, owner) = (.events(replay.lines), nil)
  }

  /// The maximum number of lines of host output on a page.
  ///
  /// The terminal shows all of them.
  private static let mostOutput = 200

  /// Compares a log with another one.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - other: The log to compare it with.
  ///   - places: The paths of the state that are not compared.
  ///   - owner: The owner of the other log's file.
  /// - Throws: `LogReadError`.
  package init(
    of log: LogSlice,
    with other: PageLog,
    ignoring places: [JSON.Pointer] = [],
    keeping owner: Any? = nil
  ) throws {
    var comparison = try AlignedComparison(
      { try log.events() },
      { try other.log.events() },
      options: LogComparison.Options(ignored: places)
    )
    let result = try comparison.run()
    var about = other.about
    about["kind"] = "log"
    about["same"] = .bool(result.isSame)
    about["differences"] = .array(result.valueDifferences.map(\.json))
    about["alignment"] = result.alignmentJSON
    about["mapped"] = result.mappedJSON
    let text = AlignedText(result, Wording.thisLog, other.name)
    about["line"] = .string(text.overview())
    about["feature"] = .string(other.header.feature)
    let notCompared = try UncomparedValues(in: log).list(.opaque, with: result.notes)
    if !notCompared.isEmpty { about["notCompared"] = .array(notCompared.map(\.json)) }
    self.about = .object(about)
    summary = [text.overview(), text.values].compactMap(\.self).joined(separator: "; ")
    (lines, self.owner) = (.log(other), owner)
  }
}

/// A replay that stores its events.
private final class BufferedReplay: ReplayEventSource {
  private let replay: any ReplayEventSource
  private(set) var lines: [[UInt8]] = []

  init(_ replay: any ReplayEventSource) { self.replay = replay }

  func next() throws -> LogEvent? {
    let event = try replay.next()
    if let event { lines.append(event.line) }
    return event
  }

  var hostOutput: [String] { replay.hostOutput }
  func end(isDone: Bool) -> ReplayEnd { replay.end(isDone: isDone) }
}

extension Wording {
  /// The name of the page's log, next to the one that it is compared with.
  fileprivate static let thisLog = "this log"

  /// The name of a replay that is shown as a log.
  fileprivate static let replay = "the replay"

  /// Returns a text for the divergences after the first one.
  fileprivate static func later(_ count: Int) -> String {
    count == 0 ? "" : "; \(counted(count, "later divergence"))"
  }
}
