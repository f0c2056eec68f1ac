import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Counts the lines that logs execute, by replaying each log in an instrumented host process.
///
/// Several processes run at the same time.
struct LineCoverageCollector {
  private let replayer: InstrumentedReplayer
  private let jobs: Int
  private let interruption: Interruption
  private let progress: (Int) -> Void
  private let folder: TemporaryDirectory
  /// The path of the profile into which all profiles are merged, or `nil` before the first merge.
  private var profile: String?
  private var merges = 0
  /// The number that each counter has in `executed`, keyed by function name and counter index.
  private var numbers: [String: [Int: Int]] = [:]
  private var count = 0
  /// The numbers of the counters that each log executes, keyed by the name of the log.
  private var executed: [String: BitSet] = [:]
  /// The logs that could not be replayed, with errors.
  private(set) var failures: [(log: String, error: any Error)] = []
  /// The names of the logs whose replays diverged or could not be completed.
  private(set) var diverged: Set<String> = []

  /// The number of logs that are replayed before their profiles are merged.
  ///
  /// The limit bounds disk space, because each profile takes several megabytes until it is merged.
  private static let batch = 32

  init(
    tools: CoverageTools,
    options: ReplayOptions,
    jobs: Int,
    makeChecker: @escaping @Sendable () -> CommandContext.Checker,
    interruption: Interruption,
    progress: @escaping (Int) -> Void
  ) throws {
    (self.jobs, self.interruption, self.progress) = (jobs, interruption, progress)
    folder = try TemporaryDirectory()
    replayer = InstrumentedReplayer(
      tools: tools,
      options: options,
      makeChecker: makeChecker,
      folder: folder.path
    )
  }

  /// Replays logs and counts what they execute.
  ///
  /// - Throws: `CoverageError`, `Interrupted`.
  @MainActor mutating func replay(_ logs: [LogSlice]) async throws {
    for start in stride(from: 0, to: logs.count, by: Self.batch) {
      let end = min(start + Self.batch, logs.count)
      let work = OrderedWork<Int, InstrumentedReplayer.ProfiledReplay>(
        items: Array(start..<end),
        workers: jobs,
        makeWorker: { [replayer] in
          { index in replayer.run(logs[index], number: index) }
        },
        isLast: { _ in false },
        interruption: interruption
      )
      var profiles: [String] = []
      var done = start
      for await replay in work.results() {
        profiles += replay.profiles
        if !replay.isSame { diverged.insert(replay.log) }
        if let error = replay.error { failures.append((replay.log, error)) }
        for (name, counters) in replay.counters?.functions ?? [:] {
          for counter in counters { recordCounter(name, counter, in: replay.log) }
        }
        done += 1
        progress(done)
      }
      try interruption.check()
      try merge(profiles)
    }
    // If all replays failed, their errors are reported instead.
    guard profile != nil || failures.count == logs.count else {
      throw CoverageError.notCounting(replayer.options.host)
    }
  }

  private mutating func recordCounter(_ function: String, _ counter: Int, in log: String) {
    let number: Int
    if let known = numbers[function]?[counter] {
      number = known
    } else {
      number = count
      count += 1
      numbers[function, default: [:]][counter] = number
    }
    executed[log, default: BitSet()].insert(number)
  }

  private mutating func merge(_ profiles: [String]) throws {
    guard !profiles.isEmpty else { return }
    merges += 1
    let merged = "\(folder.path)/\(merges).profdata"
    try replayer.tools.merge([profile].compactMap(\.self) + profiles, into: merged)
    for path in profiles + [profile].compactMap(\.self) { unlink(path) }
    profile = merged
  }
}

// MARK: - Replays with profiles

/// Replays logs in instrumented host processes, which write profiles.
private struct InstrumentedReplayer: Sendable {
  let tools: CoverageTools
  let options: ReplayOptions
  let makeChecker: @Sendable () -> CommandContext.Checker
  /// The folder to which host processes write profiles.
  let folder: String

  /// The result of replaying one log, with the counters that it executed.
  struct ProfiledReplay: Sendable {
    let log: String
    var isSame = false
    var profiles: [String] = []
    var counters: FunctionCounters?
    var error: (any Error)?
  }

  func run(_ log: LogSlice, number: Int) -> ProfiledReplay {
    var replay = ProfiledReplay(log: log.name)
    do {
      let (isSame, trap) = try check(log, number, until: .max)
      replay.isSame = isSame
      // A process that ends with a signal writes no profile, so the actions before the trap are replayed again.
      if let trap, trap > 1 { _ = try check(log, number, until: trap - 1) }
    } catch {
      replay.error = error
    }
    do {
      replay.profiles = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasPrefix("\(number)-") && $0.hasSuffix(".profraw") }.sorted()
        .map { "\(folder)/\($0)" }
      if !replay.profiles.isEmpty { replay.counters = try tools.counters(of: replay.profiles) }
    } catch {
      replay.error = replay.error ?? error
    }
    return replay
  }

  /// Replays a log in a host process of its own and waits until the process ends.
  ///
  /// - Returns: Whether the replay matches the log, and the number of the action at which the process trapped, if any.
  private func check(
    _ log: LogSlice,
    _ number: Int,
    until: Int
  ) throws -> (isSame: Bool, trap: Int?) {
    var options = options
    // The process id makes the file name unique, because a log may need several processes.
    options.environment["LLVM_PROFILE_FILE"] = "\(folder)/\(number)-%p.profraw"
    return try log.migratingIfNeeded(options) { log in
      let check = ReplayCheck(
        log: log,
        until: until,
        options: options.comparison,
        isContinuing: true
      )
      let checker = makeChecker()
      let result = try checker(check, options).outcome.get()
      for verdict in [result.verdict] + result.further.map(\.verdict) {
        switch verdict {
        case .trapped(let seq, _), .trapReproduced(let seq, _): return (result.isSame, seq)
        default: break
        }
      }
      return (result.isSame, nil)
    }
  }
}

// MARK: - Coverage of sources

extension LineCoverageCollector {
  /// Returns the line coverage of the selected source files.
  ///
  /// - Throws: `CoverageError`.
  func coverage(of choice: SourceFileFilter) throws -> LineCoverage {
    guard let profile else { return LineCoverage(files: [], regions: [:]) }
    let sources = try replayer.tools.sources(of: replayer.options.host, profile: profile)
      .filter(choice.includes)
    guard !sources.isEmpty else { throw CoverageError.noSources(choice.description) }
    let counted = BitSet(
      Set(sources.flatMap(\.functions)).lazy.flatMap { numbers[$0].map { Array($0.values) } ?? [] }
    )
    return LineCoverage(
      files: sources.map(LineCoverage.File.init).sorted { $0.path < $1.path },
      regions: executed.mapValues { set in BitSet(set.numbers.filter(counted.contains)) }
    )
  }
}

/// Selects the source files of a coverage report.
enum SourceFileFilter: CustomStringConvertible {
  /// The files with functions that belong to these modules.
  case modules(Set<String>)
  /// The files at these paths, and the files in folders at these paths.
  case paths([String])

  /// Returns the absolute path of a file or folder, with symbolic links resolved.
  static func full(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  func includes(_ file: LineExecutionCounts) -> Bool {
    // A file that doesn't exist contains code that a macro generated.
    guard !file.counts.isEmpty, access(file.path, F_OK) == 0 else { return false }
    switch self {
    case .modules(let modules):
      let marks = modules.map { "$s\($0.utf8.count)\($0)" }
      return file.functions.contains { function in marks.contains { function.contains($0) } }
    case .paths(let paths):
      let path = Self.full(file.path)
      return paths.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
  }

  var description: String {
    switch self {
    case .modules(let modules): modules.sorted().joined(separator: ", ")
    case .paths(let paths): paths.joined(separator: ", ")
    }
  }
}

/// The line coverage of a set of logs.
struct LineCoverage: Sendable {
  /// The line coverage of one source file.
  struct File: Sendable, Equatable {
    /// The path of the file, relative to the working folder if the file is inside of it.
    let path: String
    /// The absolute path of the file.
    let fullPath: String
    /// The number of lines that contain code.
    let lines: Int
    /// The number of lines that contain code and were executed.
    let reached: Int
    /// The ranges of lines that were not executed, including lines without code between them.
    let missed: [ClosedRange<Int>]

    init(_ source: LineExecutionCounts) {
      fullPath = source.path
      let folder = FileManager.default.currentDirectoryPath + "/"
      path =
        source.path.hasPrefix(folder) ? String(source.path.dropFirst(folder.count)) : source.path
      lines = source.counts.count
      reached = source.counts.values.count { $0 > 0 }
      var missed: [ClosedRange<Int>] = []
      var isOpen = false
      for line in source.counts.keys.sorted() {
        guard source.counts[line] == 0 else {
          isOpen = false
          continue
        }
        // A missed line extends the previous range, because only lines without code are between them.
        if isOpen, let last = missed.popLast() {
          missed.append(last.lowerBound...line)
        } else {
          missed.append(line...line)
        }
        isOpen = true
      }
      self.missed = missed
    }
  }

  let files: [File]
  /// The code regions that each log executes, keyed by the name of the log.
  let regions: [String: BitSet]

  var lines: Int { files.reduce(0) { $0 + $1.lines } }
  var reached: Int { files.reduce(0) { $0 + $1.reached } }

  var json: JSON {
    func number(_ value: Int) -> JSON { .number(JSON.Number(value)) }
    return [
      "lines": number(lines), "reached": number(reached),
      "files": .array(
        files.map { file in
          [
            "file": .string(file.path), "lines": number(file.lines),
            "reached": number(file.reached),
            "missed": .array(
              file.missed.map { [number($0.lowerBound), number($0.upperBound)] }
            ),
          ]
        }
      ),
    ]
  }
}
