import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `coverage LOG...`: reports the parts of a feature that logs cover, the parts that no log covers, and a small set of
/// logs that is enough.
package enum CoverageCommand: Command {
  package static let syntax = CommandSyntax(
    name: "coverage",
    summary: "show what logs reach and what they never reach",
    operands: [
      CommandSyntax.Operand(
        name: "LOG",
        summary: "a log, or a folder to search recursively for *.jsonl; '-' is standard input",
        isRepeated: true
      )
    ],
    options: [
      CommandSyntax.Option(
        name: "--verbose",
        short: "-v",
        summary: "also list what is reached, and how often",
        formerName: "--all"
      ),
      CommandSyntax.Option(
        name: "--lines",
        summary: "replay the logs in a build with code coverage, and show which lines they reach"
      ),
      CommandSyntax.Option(
        name: "--build",
        value: "PATH",
        summary: "that build of the host, or the folder that contains it (the host)",
        requires: "--lines"
      ),
      CommandSyntax.Option(
        name: "--sources",
        value: "PATH",
        summary: "count only this file or folder (the modules of the features)",
        isRepeated: true,
        requires: "--lines"
      ),
      .jobs, .host, .feature, .timeout,
      CommandSyntax.Option(
        name: "--format",
        value: Format.allCases.map(\.rawValue).joined(separator: "|"),
        summary: "the format of the result (text)",
        choices: Format.allCases.map(\.rawValue)
      ),
    ],
    examples: [
      CommandSyntax.Example("Logs", "show one line per feature, then what no log reaches")
    ],
    discussion: """
      Coverage counts cases of actions (as in 'stats'), paths of the state that hold a value, paths that change, and
      effects with their ends. What is never reached is derived from the types of the host's features; without these
      types it is unknown. Redundant logs reach nothing beyond what the other logs reach together.

      --lines needs a host that was built with 'swift build --enable-code-coverage'. Each log is replayed in a process
      of its own.
      """
  )

  enum Format: String, CaseIterable {
    case text, json, markdown, html
  }

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let logs = OperandLogs(arguments.operands, input: context.console.input)
    defer { withExtendedLifetime(logs) {} }
    let options = try context.replayOptions(arguments)
    let outlines = try outlines(arguments, options, in: context)
    var scan = CoverageScan(outlines: outlines ?? [], feature: arguments.value("--feature"))
    var status = ExitStatus.same
    var unreadable: [(name: String, message: String)] = []
    func fail(_ name: String, _ error: any Error) {
      status = max(status, ExitStatus(error))
      unreadable.append((name, "\(error)"))
      context.complain("\(error)")
    }
    try logs.forEachLog { log, _ in
      guard scan.isNew(log) else { return }
      // After a host failure, the command continues with the other logs of the file.
      do { try scan.add(log, with: options) } catch let error as HostFailure {
        fail(log.name, error)
      } catch {
        guard LogRefusal(error) != nil || error is LogReadError else { throw error }
        fail(log.name, CommandError.naming(log.name, in: error))
      }
    } unreadable: { name, error in
      fail(name, error)
    }
    guard !scan.slices.isEmpty || arguments.isJSON else { return status }
    var lines: LineCoverage?
    var diverged = Set(scan.slices.filter(\.isExpectedToDiverge).map(\.name))
    if arguments.isOn("--lines"), !scan.slices.isEmpty {
      let (counter, found) = try await self.lines(of: scan, arguments, in: context)
      (lines, diverged) = (found, counter.diverged)
      status = counter.failures.reduce(status) { max($0, ExitStatus($1.error)) }
    }
    let report = CoverageReport(
      scan.coverages,
      order: scan.slices.map(\.name),
      diverged: diverged,
      lines: lines,
      unreadable: unreadable
    )
    let style = context.style(arguments)
    let (console, listsAll) = (context.console, arguments.isOn("--verbose"))
    switch arguments.value("--format").flatMap(Format.init) ?? .text {
    case .text: try console.print(CoverageText(report, style, listsAll: listsAll).text)
    case .json: try console.print(report.json)
    case .markdown: try console.print(CoverageMarkdown(report, listsAll: listsAll).text)
    case .html: try console.output.write(CoveragePage(report).text.utf8)
    }
    return status
  }

  /// Returns the type outlines of the host's features, or `nil` if the host doesn't provide them.
  private static func outlines(
    _ arguments: ParsedArguments,
    _ options: ReplayOptions,
    in context: CommandContext
  ) throws -> [FeatureOutline]? {
    guard let host = try context.host(arguments) else {
      return context.features.entries.compactMap(FeatureOutline.init)
    }
    let outlines = try HostExecution.outlines(of: host, timeout: options.timeout)
    if outlines == nil { context.complain(Wording.hostDoesNotListCases(host)) }
    return outlines
  }
}

/// Reads logs and collects the coverage of each feature.
struct CoverageScan {
  private let outlines: [FeatureOutline]
  /// The feature name that replaces the name in each log header, or `nil` to use the names in the headers.
  private let feature: String?
  /// The coverage of each feature, in the order in which the features first occur.
  private(set) var coverages: [FeatureCoverage] = []
  /// The logs that were read without errors.
  private(set) var slices: [LogSlice] = []
  /// The files and offsets of all logs that were requested so far.
  private var known: Set<String> = []

  init(outlines: [FeatureOutline], feature: String?) {
    (self.outlines, self.feature) = (outlines, feature)
  }

  /// Records a request for a log, and returns whether it is the first one.
  ///
  /// Several arguments can name the same log.
  mutating func isNew(_ log: LogSlice) -> Bool {
    let path = URL(fileURLWithPath: log.path).resolvingSymlinksInPath().path
    return known.insert("\(path)#\(log.start)").inserted
  }

  /// Adds the coverage of a log.
  ///
  /// A log with an older schema version is migrated first, so that its names match the code.
  ///
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch`, `HostFailure`, `StreamError`.
  mutating func add(_ log: LogSlice, with options: ReplayOptions) throws {
    var source = try LogEventIterator(log)
    var name = feature ?? ""
    var stateType = ""
    var version = 1
    if case .header(let header)? = try source.next()?.event {
      (name, stateType) = (feature ?? header.feature, header.stateType)
      version = header.schemaVersion ?? 1
    }
    let outline =
      outlines.first { $0.name == name }
      ?? outlines.first { !stateType.isEmpty && $0.stateType == stateType }
    if let outline, version > outline.schemaVersion {
      let error = MigrationError.newerLog(name, found: version, version: outline.schemaVersion)
      throw HostFailure.unknownFeature("\(error)")
    }
    if let outline, version < outline.schemaVersion {
      let migrated = try MigratedLog(log, options)
      try withExtendedLifetime(migrated) { try add(migrated.log, as: name, outline) }
    } else {
      try add(log, as: name, outline)
    }
    slices.append(log)
  }

  private mutating func add(
    _ log: LogSlice,
    as name: String,
    _ outline: FeatureOutline?
  ) throws {
    if let index = coverages.firstIndex(where: { $0.name == name }) {
      try coverages[index].add(log)
    } else {
      var coverage = FeatureCoverage(name: name, outline: outline)
      try coverage.add(log)
      coverages.append(coverage)
    }
  }

  /// The names of the modules that declare the logs' features.
  var modules: Set<String> {
    Set(coverages.compactMap { $0.outline?.module }.filter { !$0.isEmpty })
  }
}

extension CoverageCommand {
  /// Replays the logs in an instrumented build and counts executed lines.
  ///
  /// - Returns: The counter, with the errors of logs that could not be replayed, and the line coverage.
  private static func lines(
    of scan: CoverageScan,
    _ arguments: ParsedArguments,
    in context: CommandContext
  ) async throws -> (LineCoverageCollector, LineCoverage) {
    var options = try context.replayOptions(arguments)
    if let build = arguments.value("--build") {
      options.host = try InstrumentedHostLocator.executable(at: build, of: options.host)
    }
    let sources = arguments.values("--sources")
    guard !sources.isEmpty || !scan.modules.isEmpty else {
      throw CoverageError.unknownModules(options.host)
    }
    let progress = context.console.progress
    var counter = try LineCoverageCollector(
      tools: try CoverageTools(environment: context.environment),
      options: options,
      jobs: try arguments.positiveCount("--jobs") ?? context.processors,
      makeChecker: context.makeChecker,
      interruption: context.interruption,
      progress: { done in progress.show(Wording.replaying(done, of: scan.slices.count)) }
    )
    try await counter.replay(scan.slices)
    for failure in counter.failures {
      context.complain("\(failure.log): \(failure.error)")
      for line in (failure.error as? HostFailure)?.standardErrorLines ?? [] {
        context.console.complain("  \(line)")
      }
    }
    let choice =
      sources.isEmpty
      ? SourceFileFilter.modules(scan.modules) : .paths(sources.map(SourceFileFilter.full))
    return (counter, try counter.coverage(of: choice))
  }
}

extension LogSlice {
  /// Whether a verdict file next to the log states that the replay does not match the log.
  fileprivate var isExpectedToDiverge: Bool {
    guard let data = FileManager.default.contents(atPath: ExpectedVerdictFile.path(beside: path)),
      let verdict = (try? JSON(parsing: data))?["verdict"]
    else { return false }
    let same = [Verdict.identical, .cut(at: 0), .trapReproduced(at: 0, signal: "")]
    return !same.contains { $0.json["verdict"] == verdict }
  }
}
