import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// The part of a log on a page.
package struct PageLog {
  package let log: LogSlice
  /// The actions on the page; `nil` for all.
  let range: ClosedRange<Int>?
  /// The line number of the header.
  private let headerLine: Int
  /// The numbers of the shown lines.
  private let lines: ClosedRange<Int>
  package private(set) var header: LogEvent.Header
  /// The number of actions.
  package let actionCount: Int
  private let tornTail: LogReader.TornTail?
  /// The first change that does not fit the previous state.
  package let broken: LogCursor.BrokenPatch?
  /// The state before the first action of the range.
  private let start: (seq: Int, state: JSON)?

  /// Reads a log, in which every line must be an event.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - range: The actions to show; `nil` for all.
  /// - Throws: `LogReadError`, and `CommandError` if the log has none of the actions.
  package init(_ log: LogSlice, range: ClosedRange<Int>? = nil) throws {
    var survey = PageLogScan(range: range)
    var source = try LogEventIterator(log)
    while let entry = try source.next() { survey.add(entry) }
    survey.finish()
    guard let header = survey.header else { throw LogReadError.empty }
    if let range, survey.actionCount == 0 {
      throw CommandError.noSuchAction(range.lowerBound, last: survey.lastSeq)
    }
    self.log = log
    self.range = range
    self.header = header
    headerLine = survey.headerLine
    lines = survey.firstLine...max(survey.lastLine, survey.firstLine)
    actionCount = survey.actionCount
    tornTail = survey.isWhole ? source.tornTail : nil
    broken = survey.broken
    let first = range.map { max($0.lowerBound, 1) } ?? 1
    start = try first > 1 ? (first - 1, StateSeek.state(of: log.path, after: first - 1)) : nil
  }

  /// The name of the log's file without its folder, which is irrelevant to other readers of the page.
  package var name: String { Self.name(of: log.name) }

  static func name(of file: String) -> String { URL(fileURLWithPath: file).lastPathComponent }

  /// Information about the log, other than its lines.
  package var about: JSON.Object {
    var object: JSON.Object = ["name": .string(name)]
    // Lines that the page omits or adds shift the numbers of the lines after them.
    if start != nil { object["firstLine"] = .number(JSON.Number(lines.lowerBound)) }
    if headerLine > 1 { object["headerLine"] = .number(JSON.Number(headerLine)) }
    if let range, start != nil || range.upperBound < .max {
      object["range"] = .array(
        [range.lowerBound, min(range.upperBound, 1 << 53)].map { .number(JSON.Number($0)) }
      )
    }
    if let tornTail {
      object["torn"] = [
        "line": .number(JSON.Number(tornTail.line)), "bytes": .number(JSON.Number(tornTail.bytes)),
      ]
    }
    return object
  }

  /// A text that distinguishes the log from others in its file.
  var summary: String {
    [header.feature, header.startedAt, Wording.actions(actionCount)].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  /// Writes the lines to a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - part: The role of the log on the page.
  ///   - number: The number of the log on the page; the first is 1.
  /// - Throws: `LogReadError`, `StreamError`.
  package func write(
    to page: inout PageWriter,
    as part: PageWriter.LogRole,
    number: Int = 1
  ) throws {
    try page.openBlock(part, number: number)
    var failure: (any Error)?
    // Line numbers refer to the file, which may contain several logs.
    try LogReader.scan(log.path) { place, line in
      do {
        if place.line == headerLine, let start {
          try page.add(line: line)
          let checkpoint: JSON = [
            "kind": "checkpoint", "seq": .number(JSON.Number(start.seq)), "state": start.state,
            "effects": [],
          ]
          try page.add(line: checkpoint.bytes)
        } else if lines.contains(place.line) {
          try page.add(line: line)
        }
      } catch {
        failure = error
        return false
      }
      return place.line < lines.upperBound
    }
    if let failure { throw failure }
  }
}

/// Information about a log that the page needs in advance.
private struct PageLogScan {
  let range: ClosedRange<Int>?
  var header: LogEvent.Header?
  var headerLine = 1
  var firstLine = 0
  var lastLine = 0
  var actionCount = 0
  var lastSeq = 0
  /// Whether the last line of the log is shown.
  var isWhole = true
  private var isAfterRange = false
  private var cursor = LogCursor()
  private(set) var broken: LogCursor.BrokenPatch?

  init(range: ClosedRange<Int>?) { self.range = range }

  /// Processes the last event.
  mutating func finish() {
    do throws(LogCursor.BrokenPatch) { try cursor.apply() } catch { broken = broken ?? error }
  }

  mutating func add(_ entry: LogReader.Entry) {
    do throws(LogCursor.BrokenPatch) { try cursor.move(to: entry.event) } catch {
      broken = broken ?? error
    }
    if case .header(let header) = entry.event {
      self.header = header
      headerLine = entry.line
      if (range?.lowerBound ?? 0) <= 1 { firstLine = entry.line }
      lastLine = max(lastLine, entry.line)
      return
    }
    let seq = entry.event.seq
    if let seq { lastSeq = max(lastSeq, seq) }
    if let range, let seq {
      if seq > range.upperBound { isAfterRange = true }
      let begins = entry.event.kind != "checkpoint" && entry.event.kind != "note"
      if seq >= range.lowerBound, begins, firstLine == 0 { firstLine = entry.line }
    } else if range == nil, firstLine == 0 {
      firstLine = entry.line
    }
    guard !isAfterRange else {
      isWhole = false
      return
    }
    if firstLine > 0 {
      lastLine = entry.line
      switch entry.event.kind {
      case "action", "excluded":
        if seq.map({ range?.contains($0) ?? true }) ?? false { actionCount += 1 }
      default: break
      }
    }
  }
}
