import Foundation
import ReplayCommands
import ReplayEngine

/// A native debugger that takes the place of this process: it starts a host on a log, and stops in the reducer when an action comes.
///
/// ```swift
/// let debugger = try NativeDebugger(.gdb, environment: context.environment)
/// try debugger.become(host: "app-replay", log: "bug.jsonl", before: 7)  // returns only with an error
/// ```
package struct NativeDebugger {
  /// The debuggers.
  package enum Kind: String, CaseIterable, Sendable {
    case gdb
    case lldb
  }

  private let kind: Kind
  private let path: String

  /// Looks for a debugger, and whether it starts: once it has taken the place of this process, its status is this one's.
  ///
  /// - Throws: `NativeDebuggerError`.
  package init(_ kind: Kind, environment: [String: String]) throws(NativeDebuggerError) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let paths = folders.map { "\($0)/\(kind.rawValue)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      throw .missing(kind)
    }
    self.kind = kind
    self.path = path
    try Self.check(path)
  }

  /// Seconds that a debugger takes to say its version at most.
  private static let startTime = 30.0

  private static func check(_ path: String) throws(NativeDebuggerError) {
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        path,
        arguments: ["--version"],
        environment: HostProcess.environment,
        input: .null,
        // What is wrong with it, it says itself.
        error: .inherited
      )
    } catch {
      throw .broken(path, String(cString: strerror(error.code)))
    }
    let output = process.output.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
    let watchdog = Watchdog(process, seconds: startTime)
    _ = try? output?.readToEnd()
    let end = process.wait { _ = watchdog.stop() }
    guard end == .exited(0) else {
      throw .broken(path, Wording.noVersion(end))
    }
  }

  /// Replaces this process by the debugger; returns only with an error.
  ///
  /// The debugger starts the host: that needs no right to attach to other processes, and Ctrl-C reaches the debugger as always.
  ///
  /// - Parameters:
  ///   - host: The executable that has the feature.
  ///   - log: The file of the log.
  ///   - seq: The action.
  ///   - options: Further arguments of the host's `replay`.
  /// - Throws: `HostFailure` when the host is none, or the debugger cannot be started.
  package func become(
    host: String,
    log: String,
    before seq: Int,
    options: [String] = []
  ) throws(HostFailure) {
    try HostExecution.check(host)
    // A host that takes its own path from the environment or the settings would become itself again and again.
    setenv(CommandContext.hostVariable, "", 1)
    // Sets have the order that they have in any other replay.
    for (name, value) in HashSeed.additions(to: ProcessInfo.processInfo.environment) {
      setenv(name, value, 1)
    }
    let command =
      [host, "replay", log, "-o", "/dev/null", "--pause-before", String(seq)] + options
    let arguments =
      switch kind {
      case .gdb: Self.gdb(command, reducers: HostSymbols(of: host).reducers)
      case .lldb: Self.lldb(command)
      }
    throw HostExecution.replace(by: path, arguments: arguments)
  }

  /// Stops at the function before the reducer, then in the first reducer that gets the action.
  ///
  /// gdb does not step through the compiler's thunks, so the app's reducers have breakpoints of their own for a moment. Those at
  /// later actions stay.
  static func gdb(_ command: [String], reducers: [String]) -> [String] {
    let before = ["break \(ReplayPause.symbol)", "run"]
    let into = reducers.map { "tbreak '\($0)'" } + ["continue", "set confirm off", "delete"]
    let after = ["set confirm on", "break \(ReplayPause.symbol)"]
    let commands = before + (reducers.isEmpty ? [] : into + after)
    return ["-q"] + commands.flatMap { ["-ex", $0] } + ["--args"] + command
  }

  /// As with gdb; lldb knows the functions by their names in Swift.
  static func lldb(_ command: [String]) -> [String] {
    let commands = [
      "breakpoint set --name \(ReplayPause.symbol)", "run",
      "breakpoint set --breakpoint-name reducers --func-regex '\(reducerPattern)'", "continue",
      "breakpoint delete --force reducers",
    ]
    return commands.flatMap { ["--one-line", $0] } + ["--"] + command
  }

  /// The closures of `Reduce` in a `body`, with the types that Swift's demangler writes.
  private static let reducerPattern =
    #"^closure #[0-9]+ \(inout .*\) -> .*Effect<.*> in [^ ]*\.body\.getter"#
}

extension HostSymbols {
  /// The mangled names of the app's functions that reduce: closures in a `body` that return an effect, and `reduce(into:action:)`.
  var reducers: [String] { ownFunctions(where: Self.reduces) }

  private static func reduces(_ name: String) -> Bool {
    guard name.contains("6EffectV") else { return false }
    if name.contains("6reduce4into6action") { return name.hasSuffix("F") }
    guard let body = name.firstRange(of: "4body") else { return false }
    // Closures within the closure, such as the operation of an effect, have a mark for each level.
    let marks = name[body.upperBound...].matches(of: /f[Uu][0-9]*_/)
    return marks.count == 1 && marks[0].range.upperBound == name.endIndex
  }
}

/// A native debugger that cannot take the place of this process.
package enum NativeDebuggerError: StatusError, Hashable, CustomStringConvertible {
  /// It is not in `PATH`.
  case missing(NativeDebugger.Kind)
  /// It does not run, and why.
  case broken(String, String)

  package var status: ExitStatus { .hostFailed }

  package var description: String {
    switch self {
    case .missing(let kind):
      "\(kind.rawValue) is not in PATH; install it, or choose \(kind == .gdb ? "lldb" : "gdb")"
    case .broken(let path, let problem):
      "the debugger \(path) does not run: \(problem)"
    }
  }
}

extension Wording {
  fileprivate static func noVersion(_ end: ReplayEnd) -> String {
    switch end {
    case .exited(let status): "'--version' ends with status \(status)"
    case .signal(let name): "'--version' ends with \(name)"
    case .waiting, .timedOut: "'--version' does not end"
    }
  }
}
