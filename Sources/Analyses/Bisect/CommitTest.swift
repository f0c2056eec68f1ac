import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Builds a commit and replays the log with its host.
struct CommitTest: Sendable {
  /// The worktree for builds.
  let checkout: Worktree.Checkout
  /// The shell command that builds a commit.
  let build: String
  /// The path of the host, relative to the folder of the build.
  let host: String
  let log: LogSlice
  let condition: Condition?
  /// The options of the replays, except for the host.
  let options: ReplayOptions
  /// The number of replays per commit.
  let runs: Int
  /// Starts a host that replays the log.
  let start: @Sendable (_ host: String, LogSlice) throws -> any ReplayEventSource
  /// Returns the path of the file for a build's output.
  let buildLog: @Sendable (_ commit: String) -> String
  var interruption = Interruption()

  /// The outcome of a commit's test.
  enum CommitVerdict: Sendable, Equatable {
    case good
    /// The replay diverges, or the condition holds.
    case bad(Evidence)
    case skipped(SkipReason)
  }

  /// The evidence that a commit is bad.
  enum Evidence: Sendable, Equatable {
    case verdict(Verdict)
    /// The condition first holds after this action.
    case condition(at: Int)
  }

  /// The reason why a commit is neither good nor bad.
  enum SkipReason: Sendable, Hashable {
    case buildFailed(status: Int, log: String)
    case hostFailed(String)
    /// The commit's code can't decode the log.
    case undecodable(String)
    case notDeterministic
  }

  /// Tests a commit.
  ///
  /// - Throws: `GitRepository.Failure` if the commit can't be checked out, `StreamError` if the log can't be read.
  func test(_ commit: String) throws -> CommitVerdict {
    try checkout.checkOut(commit)
    let status = try runBuild(of: commit)
    guard status == 0 else {
      return .skipped(.buildFailed(status: status, log: buildLog(commit)))
    }
    let first = try replay()
    for _ in 1..<max(runs, 1) where try replay() != first { return .skipped(.notDeterministic) }
    return first
  }

  private func runBuild(of commit: String) throws -> Int {
    let path = buildLog(commit)
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw StreamError(name: path, code: errno, isCreation: true)
    }
    let reaper = OrphanReaper()
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        "/bin/sh",
        arguments: [
          "-c", #"cd -- "$1" && exec /bin/sh -c "$2""#, "sh", checkout.folder.path, build,
        ],
        input: .null,
        output: .file(path),
        error: .file(path)
      )
    } catch {
      reaper?.release()
      throw HostFailure.cannotStart("/bin/sh", reason: String(cString: strerror(error.code)))
    }
    reaper?.watch(process)
    let end = process.wait {
      process.killSession()
      reaper?.release()
    }
    try interruption.check()
    // The output of a failed build is kept, because it explains the failure.
    if end == .exited(0) { unlink(path) }
    return end.status
  }

  private func replay() throws -> CommitVerdict {
    var options = options
    options.host = checkout.folder.appendingPathComponent(host).path
    do {
      // Commits can have different schema versions.
      return try log.migratingIfNeeded(options) { log in
        let replay = try start(options.host, log)
        if let condition { return try search(condition, in: replay) }
        return CommitVerdict(
          try ReplayCheck(log: log, options: options.comparison).run(replay).verdict
        )
      }
    } catch let failure as HostFailure {
      let said = failure.standardErrorLines.map { "\n    \($0)" }.joined()
      return .skipped(.hostFailed("\(failure)\(said)"))
    }
  }

  /// Searches the replay of a log for a condition.
  private func search(
    _ condition: Condition,
    in replay: any ReplayEventSource
  ) throws -> CommitVerdict {
    var problem: LogEvent.Finding?
    var contexts = ActionContexts {
      let event = try replay.next()
      if case .finding(let finding) = event, finding.stopsTheReplay { problem = finding }
      return event
    }
    while let context = try contexts.next() {
      guard !condition.holds(in: context) else {
        _ = replay.end(isDone: false)
        return .bad(.condition(at: context.seq))
      }
    }
    let end = replay.end(isDone: true)
    if let problem { return .skipped(.undecodable(problem.message ?? problem.subject)) }
    return end == .waiting || end == .exited(0) ? .good : .skipped(.hostFailed(Wording.ended(end)))
  }
}

extension ReplayEnd {
  /// The exit status of a process, in the convention of shells.
  fileprivate var status: Int {
    switch self {
    case .exited(let status): Int(status)
    case .signal(let name): 128 + Int(SignalName.number(of: name) ?? 0)
    case .waiting, .timedOut: 0
    }
  }
}

extension CommitTest.CommitVerdict {
  /// Converts a verdict to an outcome.
  init(_ verdict: Verdict) {
    switch verdict {
    case .identical, .cut, .trapReproduced: self = .good
    case .undecodable, .notReplayable:
      self = .skipped(.undecodable(Wording.line(verdict, through: 0)))
    default: self = .bad(.verdict(verdict))
    }
  }
}

extension LogEvent.Finding {
  fileprivate var stopsTheReplay: Bool { code == .undecodable || code == .notReplayable }
}
