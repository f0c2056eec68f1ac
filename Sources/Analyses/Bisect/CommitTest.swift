import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Tests a commit by building it and replaying the log with its host.
struct CommitTest: Sendable {
  /// The worktree in which commits are checked out and built.
  let checkout: Worktree.Checkout
  /// The shell command that builds a commit.
  let build: String
  /// The path of the built host executable, relative to the build folder.
  let host: String
  let log: LogSlice
  let condition: Condition?
  /// The replay options, in which the host is replaced by the one that was built.
  let options: ReplayOptions
  /// The number of replays for each commit, which must all have the same outcome.
  let runs: Int
  /// A closure that starts a host, which replays the given log.
  let start: @Sendable (_ host: String, LogSlice) throws -> any ReplayEventSource
  /// A closure that returns the path of the file for a commit's build output.
  let buildLog: @Sendable (_ commit: String) -> String
  var interruption = Interruption()

  /// The outcome of testing a commit.
  enum CommitVerdict: Sendable, Equatable {
    case good
    /// The replay diverges, or the condition holds.
    case bad(Evidence)
    case skipped(SkipReason)
  }

  /// The evidence that a commit is bad.
  enum Evidence: Sendable, Equatable {
    case verdict(Verdict)
    /// The number of the first action after which the condition holds.
    case condition(at: Int)
  }

  /// The reason why a commit counts neither as good nor as bad.
  enum SkipReason: Sendable, Hashable {
    case buildFailed(status: Int, log: String)
    case hostFailed(String)
    /// The commit's code can't decode or replay the log.
    case undecodable(String)
    case notDeterministic
  }

  /// Tests a commit.
  ///
  /// - Throws: `GitRepository.Failure` if the commit can't be checked out, `HostFailure` if the shell can't be started,
  ///   `StreamError` if a file can't be read or written, or `Interrupted`.
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
          "-c", #"read -r start && cd -- "$1" && exec /bin/sh -c "$2" </dev/null"#, "sh",
          checkout.folder.path, build,
        ],
        output: .file(path),
        error: .file(path)
      )
    } catch {
      reaper?.release()
      throw HostFailure.cannotStart("/bin/sh", reason: String(cString: strerror(error.code)))
    }
    reaper?.watch(process)
    // The build waits for this line, so that it never runs without the reaper. If this process is killed before it has
    // written the line, the end of input ends the build's shell.
    if let input = process.input {
      _ = [UInt8(ascii: "\n")].write(to: input)
      close(input)
    }
    let end = process.wait {
      process.killSession()
      reaper?.release()
    }
    try interruption.check()
    // The output of a failed build remains, because the report refers to it.
    if end == .exited(0) { unlink(path) }
    return end.status
  }

  private func replay() throws -> CommitVerdict {
    var options = options
    options.host = checkout.folder.appendingPathComponent(host).path
    do {
      // Commits can have different schema versions, so each commit may need its own migration.
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

  /// Replays the log until the condition holds, and returns the outcome.
  private func search(
    _ condition: Condition,
    in replay: any ReplayEventSource
  ) throws -> CommitVerdict {
    var problem: LogEvent.Finding?
    var contexts = ConditionContextReader {
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
  /// The exit status that a shell reports for the end of the process.
  fileprivate var status: Int {
    switch self {
    case .exited(let status): Int(status)
    case .signal(let name): 128 + Int(SignalName.number(of: name) ?? 0)
    case .waiting, .timedOut: 0
    }
  }
}

extension CommitTest.CommitVerdict {
  /// Converts the verdict of a replay to a test outcome.
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
