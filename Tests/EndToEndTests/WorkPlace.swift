import Foundation
import TestSupport

/// Folders for a command: for its work, for temporary files, and for its user's data.
///
/// Every process that is started here carries a mark by which it is found.
struct WorkPlace {
  let work: TemporaryFolder
  let others: TemporaryFolder
  private let mark = UUID().uuidString

  static let files = ["actions", "folder", "rubbish"]

  init() throws {
    work = try TemporaryFolder()
    others = try TemporaryFolder()
    try work.write(#"{"addButtonTapped":{}}"# + "\n", to: "actions")
    try work.write("rubbish\n", to: "rubbish")
    try work.write(to: "folder/file")
    for name in ["tmp", "home"] {
      try FileManager.default.createDirectory(
        atPath: "\(others.path)/\(name)",
        withIntermediateDirectories: false
      )
    }
  }

  var environment: [String: String] {
    [
      "TMPDIR": "\(others.path)/tmp", "HOME": "\(others.path)/home",
      "XDG_CACHE_HOME": "\(others.path)/home", "TCA_REPLAY_TEST_MARK": mark,
      "SWIFT_BACKTRACE": "enable=no", "TCA_REPLAY_HOST": "",
    ]
  }

  func leftovers() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: others.path)
      .filter { $0 != "tmp" && $0 != "home" && !$0.hasPrefix("streams") }
  }

  var temporary: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: "\(others.path)/tmp")) ?? []
  }

  /// The existing worktrees.
  var worktrees: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: "\(others.path)/home")) ?? [])
      .filter { $0.split(separator: "/").last?.hasPrefix("worktree-") == true }
  }

  // MARK: - Processes

  /// The living processes that were started here, identified by their environments.
  var processes: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { name in
      let path = "/proc/\(name)/environ"
      guard Int(name) != nil, let data = FileManager.default.contents(atPath: path) else {
        return false
      }
      return data.range(of: Data(mark.utf8)) != nil
    }
  }

  /// Waits until all processes that were started here have ended, and returns the remaining ones after a time limit.
  func processesAtLast() -> [String] {
    for _ in 0..<12_000 {
      let left = processes
      if left.isEmpty { return [] }
      usleep(5000)
    }
    return processes
  }

  /// A running command.
  final class Running {
    let process = Process()
    fileprivate let streams: String

    fileprivate init(streams: String) { self.streams = streams }

    var output: String { (try? String(contentsOfFile: streams + "/output", encoding: .utf8)) ?? "" }
    var error: String { (try? String(contentsOfFile: streams + "/error", encoding: .utf8)) ?? "" }

    /// Sends a signal and waits for the end; returns whether the signal ended the process.
    func interrupt(by number: Int32) -> Bool {
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      return process.terminationReason == .uncaughtSignal && process.terminationStatus == number
    }
  }

  /// Starts a command in the working folder.
  func start(
    _ arguments: [String],
    input: String = Project.sample("todos.jsonl"),
    environment changes: [String: String] = [:],
    in folder: String? = nil
  ) throws -> Running {
    // A shell that started the tests in the background ignores interrupts, and the tool would inherit this.
    for number in [SIGHUP, SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    let running = Running(streams: "\(others.path)/streams-\(UUID().uuidString)")
    for name in ["output", "error"] {
      try others.write(to: "\(URL(fileURLWithPath: running.streams).lastPathComponent)/\(name)")
    }
    let process = running.process
    process.executableURL = URL(fileURLWithPath: Tool.replay.path)
    process.arguments = arguments
    process.currentDirectoryURL = folder.map { URL(fileURLWithPath: $0) } ?? work.url
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { $1 }.merging(changes) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
    process.standardOutput = FileHandle(forWritingAtPath: running.streams + "/output")
    process.standardError = FileHandle(forWritingAtPath: running.streams + "/error")
    try process.run()
    return running
  }

  /// A named pipe that signals progress.
  struct Sign {
    let path: String

    /// Waits for a signal, up to a limit, because other tests would wait with it.
    func wait() throws {
      // Opened for reading and writing, so that opening the pipe does not wait for a writer.
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Foundation.poll(&poll, 1, Self.longest) == 1 else { throw Timeout() }
    }

    struct Timeout: Error {}

    /// The limit in milliseconds, much longer than a loaded machine needs.
    private static let longest: Int32 = 600_000
  }

  func sign(_ name: String = "sign") -> Sign {
    let path = "\(others.path)/streams-\(name)"
    mkfifo(path, 0o600)
    return Sign(path: path)
  }
}
