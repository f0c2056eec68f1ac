import Foundation

/// A built program that runs as users run it.
struct Tool {
  let path: String

  static let replay = Tool("tca-replay")
  static let crashingApp = Tool("CrashingApp")

  static let shell = Tool(path: "/bin/sh")

  /// The system's git, if there is one.
  static let git = inPath("git")

  /// Returns a program of the system, if there is one.
  static func inPath(_ name: String) -> Tool? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
      .split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile).map(Tool.init(path:))
  }

  private init(path: String) { self.path = path }

  /// Creates a program that was built with the tests.
  private init(_ name: String) {
    // The bundle of the tests on Linux, or a folder inside it elsewhere.
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent(name).path),
      folder.path != "/"
    {
      folder.deleteLastPathComponent()
    }
    path = folder.appendingPathComponent(name).path
  }

  struct Result {
    let status: Int32
    let isSignal: Bool
    let output: String
    let error: String
  }

  /// Runs the program to its end.
  func run(_ arguments: String..., input: String = "", in folder: String? = nil) throws -> Result {
    try run(arguments, input: input, in: folder)
  }

  /// Runs the program to its end.
  ///
  /// Its output goes to files, so that it cannot block.
  func run(
    _ arguments: [String],
    environment changes: [String: String] = [:],
    input: String = "",
    in folder: String? = nil
  ) throws -> Result {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    func file(_ name: String, _ text: String = "") throws -> URL {
      let url = place.appendingPathComponent(name)
      try text.write(to: url, atomically: false, encoding: .utf8)
      return url
    }
    let (output, error) = (try file("output"), try file("error"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput =
      input.isEmpty
      ? FileHandle.nullDevice : try FileHandle(forReadingFrom: file("input", input))
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: error)
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["TCA_REPLAY_HOST"] = nil
    environment.merge(changes) { $1 }
    process.environment = environment
    try process.runWithoutBlockedSignals()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      isSignal: process.terminationReason == .uncaughtSignal,
      output: try String(contentsOf: output, encoding: .utf8),
      error: try String(contentsOf: error, encoding: .utf8)
    )
  }
}

extension Process {
  /// Starts the program with the signal mask of a shell.
  ///
  /// Tests run on threads of the system's queues, which block most signals, and a child inherits the mask. gdb would
  /// never receive the signals of the processes that it traces.
  func runWithoutBlockedSignals() throws {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try run()
  }
}

/// The project's own files.
enum Project {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The names of the sample logs.
  static let samples: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: sample(""))) ?? [])
    .filter { $0.hasSuffix(".jsonl") }.sorted()

  static func sample(_ name: String) -> String { "\(folder)/SampleLogs/\(name)" }
}
