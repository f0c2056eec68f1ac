import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayPage

/// The folder of `run --pages`, which contains one page per failed log.
struct RunPages {
  private let folder: String
  private let program: Program
  private var options: ReplayOptions
  private let makeStart: @Sendable () -> CommandContext.ReplayStarter
  private var start: CommandContext.ReplayStarter
  /// The failed logs that the index lists.
  private var failures: [Failure] = []
  /// The file names of the pages by the names of their logs.
  private var names: [String: String] = [:]
  private let isWatching: Bool
  /// The pages that each run updates, by the names of their logs.
  private var live: [String: LivePage] = [:]

  /// A failed log that the index lists.
  private struct Failure {
    let log: String
    let verdict: String
    let difference: String?
    let symptom: Symptom
    /// The file name of the log's page, or `nil` if the log has no page.
    let page: String?
  }

  /// The file name of the index, which links to all pages.
  static let indexName = "index.html"

  /// Creates the folder if it does not exist.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - context: The environment of the command.
  ///   - options: The options for the replays.
  ///   - isWatching: Whether further runs follow, whose results are loaded by pages that are open in a browser.
  /// - Throws: `StreamError` if the folder can't be created.
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

  /// Prepares for another run with the same logs and new hosts.
  mutating func prepareForRun(_ options: ReplayOptions) {
    self.options = options
    start = makeStart()
    failures = []
    giveSign(patience: LivePage.longestRun)
  }

  /// Signals to pages that are open in a browser that the command is still waiting for the next run.
  func giveSignOfWaiting() { giveSign(patience: LivePage.patience) }

  private func giveSign(patience: Int) {
    // If the folder can't be written, the next run reports the error.
    for page in live.values { try? page.publish(patience: patience) }
  }

  /// Writes the page of a failed log.
  ///
  /// If the log passes in a later run, its page is kept and updated.
  ///
  /// - Returns: The path of the page, or `nil` for a log that is as expected or can't be read.
  /// - Throws: `PageError` if another file is at the path of the page, or `StreamError` if the page can't be written.
  mutating func write(for report: LogRunReport) throws -> String? {
    var page: String?
    defer { if report.status != .same { append(report, page) } }
    page = try writePage(for: report)
    return page
  }

  private mutating func append(_ report: LogRunReport, _ page: String?) {
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

  /// Writes the index, which links to all pages.
  ///
  /// The index groups the failures by cause, starting with the most frequent cause.
  ///
  /// - Returns: The path of the index.
  /// - Throws: `StreamError` if the index can't be written.
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

  private mutating func writePage(for report: LogRunReport) throws -> String? {
    guard report.status != .same || live[report.name] != nil, let log = report.log,
      let shown = try? PageLog(log)
    else { return nil }
    // If the host fails, the page shows the log without a comparison.
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

  /// Finalizes the pages, so that they don't wait for further runs.
  ///
  /// - Throws: `StreamError` if a page can't be written.
  mutating func freeze() throws {
    try LivePage.endAll(Array(live.values))
    live = [:]
  }

  /// The maximum length of a page's file name in bytes, without suffixes.
  ///
  /// File systems allow 255 bytes, and the page is first written under a longer temporary name.
  private static let longestStem = 160

  /// Returns a unique file name for the page of a log: the log's path with dashes in place of slashes.
  private mutating func name(of log: String) -> String {
    if let name = names[log] { return name }
    var parts = log.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    if let last = parts.popLast() {
      parts.append(last.replacing(".jsonl", with: "").replacing("#", with: "-"))
    }
    let stem = Self.fileName(parts.joined(separator: "-"))
    // Some file systems ignore the letter case of names, so the names are compared in lowercase.
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

  /// Returns a file name that is safe for file systems and links.
  ///
  /// Hidden characters are replaced. In a long name, a digest replaces the middle part.
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
