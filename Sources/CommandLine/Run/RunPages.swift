import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayPage

/// The pages of `run --pages`: a folder with one page per failed log.
struct RunPages {
  private let folder: String
  private let program: Program
  private var options: ReplayOptions
  private let makeStart: @Sendable () -> CommandContext.ReplayStarter
  private var start: CommandContext.ReplayStarter
  /// The failed logs for the index.
  private var failures: [Failure] = []
  /// The names of the pages by the names of their logs.
  private var names: [String: String] = [:]
  private let isWatching: Bool
  /// The pages that are updated after each run, by the names of their logs.
  private var live: [String: LivePage] = [:]

  /// A failed log in the index.
  private struct Failure {
    let log: String
    let verdict: String
    let difference: String?
    let symptom: Symptom
    /// The name of the page, or `nil` if there is none.
    let page: String?
  }

  /// The name of the page that links to all others.
  static let indexName = "index.html"

  /// Creates the folder if it does not exist.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - context: The environment of the command.
  ///   - options: The options of the replays.
  ///   - isWatching: Whether there are further runs, whose results open pages load.
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

  /// Starts another run over the same logs, with new hosts.
  mutating func beginRun(_ options: ReplayOptions) {
    self.options = options
    start = makeStart()
    failures = []
    giveSign(patience: LivePage.longestRun)
  }

  /// Signals to open pages that the command is still waiting for the next run.
  func giveSignOfWaiting() { giveSign(patience: LivePage.patience) }

  private func giveSign(patience: Int) {
    // If the folder can't be written, the next run reports it.
    for page in live.values { try? page.publish(patience: patience) }
  }

  /// Writes the page of a failed log.
  ///
  /// A watched log keeps its page when it passes.
  ///
  /// - Returns: The path of the page, or `nil` for a log that is as expected or can't be read.
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

  /// Writes the page that links to all others.
  ///
  /// Failures are grouped by cause, the most frequent first.
  ///
  /// - Returns: The path of the page.
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
    // If the host is lost, the page shows the log without a comparison.
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

  /// Finalizes the pages, so that they no longer wait for further runs.
  ///
  /// - Throws: `StreamError`.
  mutating func freeze() throws {
    try LivePage.endAll(Array(live.values))
    live = [:]
  }

  /// The maximum length of a page name in bytes, without suffixes.
  ///
  /// File systems allow 255 bytes, and the page is first written under a longer temporary name.
  private static let longestStem = 160

  /// Returns the unique name of a log's page: the log's path with dashes instead of slashes.
  private mutating func name(of log: String) -> String {
    if let name = names[log] { return name }
    var parts = log.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    if let last = parts.popLast() {
      parts.append(last.replacing(".jsonl", with: "").replacing("#", with: "-"))
    }
    let stem = Self.fileName(parts.joined(separator: "-"))
    // Some file systems ignore case in names.
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

  /// Returns a name that is safe for file systems and links.
  ///
  /// Hidden characters are replaced. In a long name, a digest replaces the middle.
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
