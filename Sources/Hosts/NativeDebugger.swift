import Foundation
import ReplayCommands
import ReplayEngine

/// A native debugger that replaces this process, starts a host on a log, and stops in the reducer before an action.
///
/// ```swift
/// let debugger = try NativeDebugger(.gdb, environment: context.environment)
/// try debugger.become(host: "app-replay", log: "bug.jsonl", before: 7)  // returns only with an error
/// ```
package struct NativeDebugger {
  package enum Kind: String, CaseIterable, Sendable {
    case gdb
    case lldb
  }

  private let kind: Kind
  private let path: String

  /// Finds a debugger in `PATH`, and verifies that it starts.
  ///
  /// The caller can report an error only now. After `become`, the debugger's exit status is the command's status.
  ///
  /// - Throws: `NativeDebuggerError` if the debugger is missing or does not start.
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

  /// The number of seconds within which the debugger must print its version.
  private static let startTime = 30.0

  private static func check(_ path: String) throws(NativeDebuggerError) {
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        path,
        arguments: ["--version"],
        environment: HostProcess.environment,
        input: .null,
        // The debugger's own error message is shown to the user.
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

  /// Replaces this process with the debugger, and returns only by throwing an error.
  ///
  /// The debugger starts the host itself. It therefore needs no permission to attach to other processes, and Ctrl-C
  /// reaches the debugger as usual.
  ///
  /// - Parameters:
  ///   - host: The path of the executable with the feature.
  ///   - log: The path of the log.
  ///   - seq: The number of the action before which to stop.
  ///   - options: Further arguments for the host's `replay` command.
  /// - Throws: `HostFailure` if the executable is not a host, or if the debugger can't be started.
  package func become(
    host: String,
    log: String,
    before seq: Int,
    options: [String] = []
  ) throws(HostFailure) {
    try HostExecution.check(host)
    // Prevents an endless loop, in which the host would read its own path from the environment or the settings and
    // replace itself.
    setenv(CommandContext.hostVariable, "", 1)
    // The seed gives sets the same order as in all other replays.
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

  /// Returns arguments for gdb that stop at the function before the reducer, and then in the first reducer that
  /// receives the action.
  ///
  /// gdb can't step through the compiler's thunks, so the app's reducers get temporary breakpoints. The breakpoint
  /// before later actions remains.
  static func gdb(_ command: [String], reducers: [String]) -> [String] {
    let before = ["break \(ReplayPause.symbol)", "run"]
    let into = reducers.map { "tbreak '\($0)'" } + ["continue", "set confirm off", "delete"]
    let after = ["set confirm on", "break \(ReplayPause.symbol)"]
    let commands = before + (reducers.isEmpty ? [] : into + after)
    return ["-q"] + commands.flatMap { ["-ex", $0] } + ["--args"] + command
  }

  /// Returns arguments for lldb that stop at the same points.
  ///
  /// In contrast to gdb, lldb finds functions by their Swift names.
  static func lldb(_ command: [String]) -> [String] {
    let commands = [
      "breakpoint set --name \(ReplayPause.symbol)", "run",
      "breakpoint set --breakpoint-name reducers --func-regex '\(reducerPattern)'", "continue",
      "breakpoint delete --force reducers",
    ]
    return commands.flatMap { ["--one-line", $0] } + ["--"] + command
  }

  /// A pattern that matches closures of `Reduce` in a `body`, with the types as Swift's demangler prints them.
  private static let reducerPattern =
    #"^closure #[0-9]+ \(inout .*\) -> .*Effect<.*> in [^ ]*\.body\.getter"#
}

extension HostSymbols {
  /// The mangled names of the app's reducer functions.
  ///
  /// Reducer functions are `reduce(into:action:)`, and the closures in a `body` that return an effect.
  var reducers: [String] { ownFunctions(where: Self.reduces) }

  private static func reduces(_ name: String) -> Bool {
    guard name.contains("6EffectV") else { return false }
    if name.contains("6reduce4into6action") { return name.hasSuffix("F") }
    guard let body = name.firstRange(of: "4body") else { return false }
    // A nested closure, such as the operation of an effect, has one mark per nesting level.
    let marks = name[body.upperBound...].matches(of: /f[Uu][0-9]*_/)
    return marks.count == 1 && marks[0].range.upperBound == name.endIndex
  }
}

/// An error that prevents a native debugger from replacing this process.
package enum NativeDebuggerError: StatusError, Hashable, CustomStringConvertible {
  /// The debugger's executable is not in `PATH`.
  case missing(NativeDebugger.Kind)
  /// The debugger at this path does not start, for the reason in the second value.
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
