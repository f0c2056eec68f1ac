import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayPage

/// The pages of `run --pages`: one for each log that fails, in a folder.
struct RunPages {
  private let folder: String
  private let program: Program
  private var options: ReplayOptions
  private let makeStart: @Sendable () -> CommandContext.ReplayStarter
  private var start: CommandContext.ReplayStarter
  /// The logs that fail, for the index.
  private var failures: [Failure] = []
  /// The names of the pages by those of their logs.
  private var names: [String: String] = [:]
  private let isWatching: Bool
  /// The pages that follow the runs, by the names of their logs.
  private var live: [String: LivePage] = [:]

  /// A log that fails, as the index shows it.
  private struct Failure {
    let log: String
    let verdict: String
    let difference: String?
    let symptom: Symptom
    /// The name of its page; `nil` for a log without one.
    let page: String?
  }

  /// The name of the page with links to all others.
  static let indexName = "index.html"

  /// Makes the folder, if it is not there.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - context: The environment of the command.
  ///   - options: The options of the replays.
  ///   - isWatching: Whether there are further runs, whose pages open ones load.
  /// - Throws: `StreamError`.
  init(
    in folder: String,
    _ context: CommandContext,
    _ options: ReplayOptions,
    isWatching: Bool
  ) throws(StreamError) {
    self.folder = folder
    program = context.program
    self.options = options
    makeStart = context.makeReplayStarter
    start = makeStart()
    self.isWatching = isWatching
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw StreamError(creating: folder, error, otherwise: EEXIST) }
  }

  /// Begins another run over the same logs, with hosts of its own.
  mutating func beginRun(_ options: ReplayOptions) {
    self.options = options
    start = makeStart()
    failures = []
    giveSign(patience: LivePage.longestRun)
  }

  /// Tells open pages that the command still waits for the next run.
  func giveSignOfWaiting() { giveSign(patience: LivePage.patience) }

  private func giveSign(patience: Int) {
    // The next run tells of a folder that cannot be written.
    for page in live.values { try? page.publish(patience: patience) }
  }

  /// Writes the page of a log that fails.
  ///
  /// A log that is watched keeps its page when it passes.
  ///
  /// - Returns: The path of the page; `nil` for a log that is as expected, and for one that cannot be read.
  /// - Throws: `PageError`, `StreamError`.
  mutating func write(for report: RunReport) throws -> String? {
    var page: String?
    defer { if report.status != .same { append(report, page) } }
    page = try writePage(for: report)
    return page
  }

  private mutating func append(_ report: RunReport, _ page: String?) {
    let notation = Style.plain.notation
    failures.append(
      Failure(
        log: report.name,
        verdict: report.line(notation),
        difference: report.firstDifference(.plain),
        symptom: Symptom(report),
        page: page.map { _ in names[report.name] ?? "" }
      )
    )
  }

  /// Writes the page that leads to all others: the failures by their causes, the most frequent first.
  ///
  /// - Returns: Its path.
  /// - Throws: `StreamError`.
  func writeIndex(_ summary: RunSummary) throws(StreamError) -> String {
    var report = HTMLReport(Wording.summary(summary))
    let failures = Dictionary(grouping: failures, by: \.symptom)
    for group in summary.largestGroups {
      let rows = (failures[group.symptom] ?? []).map { failure in
        [
          HTMLReport.Cell(text: failure.log, isCode: true, link: failure.page),
          HTMLReport.Cell(text: failure.verdict),
          HTMLReport.Cell(text: failure.difference ?? "", isCode: failure.difference != nil),
        ]
      }
      report.add(
        heading: "\(group.count) × \(group.symptom.text)",
        section: group.symptom.fingerprint
      )
      report.add(table: ["log", "verdict", "first difference"], rows)
    }
    let path = "\(folder)/\(Self.indexName)"
    let file = try AtomicFile(path)
    try file.write(report.text.utf8)
    try file.finish()
    return path
  }

  private mutating func writePage(for report: RunReport) throws -> String? {
    guard report.status != .same || live[report.name] != nil, let log = report.log,
      let shown = try? PageLog(log)
    else { return nil }
    // A host that is lost leaves the log.
    let comparison = try? PageComparison(replaying: log, options, by: start)
    let path = "\(folder)/\(name(of: report.name))"
    let page = LogPage(shown, comparison: comparison, program: program)
    if isWatching {
      let old = try live[report.name] ?? LivePage(path, grows: false)
      live[report.name] = old
      try old.write(page)
    } else {
      let file = try AtomicFile(path)
      try page.write(to: file)
      try file.finish()
    }
    return report.status == .same ? nil : path
  }

  /// Leaves the pages as they are, without a way to learn of further runs.
  ///
  /// - Throws: `StreamError`.
  mutating func freeze() throws {
    try LivePage.endAll(Array(live.values))
    live = [:]
  }

  /// How many bytes of a log's path the name of its page has: file systems have room for 255 bytes, and the page is written under a
  /// longer name at first.
  private static let longestStem = 160

  /// The name of a log's page: its path with dashes, which no other page has.
  private mutating func name(of log: String) -> String {
    if let name = names[log] { return name }
    var parts = log.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    if let last = parts.popLast() {
      parts.append(last.replacing(".jsonl", with: "").replacing("#", with: "-"))
    }
    let stem = Self.fileName(parts.joined(separator: "-"))
    // Some file systems take names for the same that differ in case.
    let taken = Set(names.values.map { $0.lowercased() } + [Self.indexName])
    var name = "\(stem).html"
    var number = 2
    while taken.contains(name.lowercased()) {
      name = "\(stem)-\(number).html"
      number += 1
    }
    names[log] = name
    return name
  }

  /// A name that file systems and links take: without hidden characters, and with a digest in place of the middle of a long one.
  private static func fileName(_ text: String) -> String {
    let visible = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.isHidden ? "-" : $0 })
    )
    guard visible.utf8.count > longestStem else { return visible }
    let half = longestStem / 2
    var (head, tail) = (visible.prefix(half), visible.suffix(half))
    while head.utf8.count > half { head = head.dropLast() }
    while tail.utf8.count > half { tail = tail.dropFirst() }
    return "\(head)-\(text.utf8.digest)-\(tail)"
  }
}
