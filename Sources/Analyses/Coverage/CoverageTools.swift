import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The reason why lines can't be counted.
enum CoverageError: StatusError, Equatable, CustomStringConvertible {
  /// The tool with this name is neither in the toolchain nor in the `PATH`.
  case noTool(String)
  /// A tool exited with an error and wrote this message.
  case toolFailed(String, message: String)
  /// The host wrote no profile, because it is not built with coverage instrumentation.
  case notCounting(String)
  /// A folder contains no executable with the name of the host.
  case noExecutable(folder: String, name: String)
  /// The host doesn't report which modules declare its features.
  case unknownModules(String)
  /// No source file of the build matches the request.
  case noSources(String)

  var description: String { Wording.describe(self) }

  var status: ExitStatus {
    switch self {
    case .unknownModules, .noSources: .usage
    case .noTool, .toolFailed, .notCounting, .noExecutable: .hostFailed
    }
  }
}

/// The toolchain's `llvm-profdata` and `llvm-cov`, whose version must match the compiler.
struct CoverageTools: Sendable {
  private let profdata: String
  private let cov: String

  /// Finds the tools in the folder of `swift`, or in the `PATH`.
  ///
  /// - Throws: `CoverageError.noTool`.
  init(environment: [String: String]) throws(CoverageError) {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    // On macOS, `swift` in the `PATH` is a stub that runs the selected toolchain.
    let chosen = folders.isEmpty ? nil : Self.xcrun("swift")
    let swift = ([chosen].compactMap(\.self) + folders.map { "\($0)/swift" })
      .first { access($0, X_OK) == 0 }
    let beside = swift.map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().deletingLastPathComponent().path
    }
    func find(_ name: String) throws(CoverageError) -> String {
      let paths = ([beside].compactMap(\.self) + folders).map { "\($0)/\(name)" }
      guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { throw .noTool(name) }
      return path
    }
    profdata = try find("llvm-profdata")
    cov = try find("llvm-cov")
  }

  /// Returns the path that `xcrun` finds for a tool, or `nil` if `xcrun` is not available.
  private static func xcrun(_ name: String) -> String? {
    let finder = "/usr/bin/xcrun"
    guard access(finder, X_OK) == 0,
      let process = try? ChildProcess(
        finder,
        arguments: ["--find", name],
        input: .null,
        error: .null
      )
    else { return nil }
    let output = process.readToEnd().output
    guard process.wait() == .exited(0) else { return nil }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the counters that are nonzero in at least one of the profiles.
  func counters(of profiles: [String]) throws -> FunctionCounters {
    FunctionCounters(text: try run(profdata, ["merge", "-sparse", "-text", "-o", "-"] + profiles))
  }

  /// Merges raw or indexed profiles into one indexed profile.
  func merge(_ profiles: [String], into output: String) throws {
    _ = try run(profdata, ["merge", "-sparse", "-o", output] + profiles)
  }

  /// Returns the source files of an executable, with an execution count for each line.
  func sources(of executable: String, profile: String) throws -> [LineExecutionCounts] {
    LineExecutionCounts.read(
      lcov: try run(cov, ["export", "-format=lcov", "-instr-profile=\(profile)", executable])
    )
  }

  /// Runs a tool and returns its standard output.
  ///
  /// - Throws: `CoverageError.toolFailed`, `Interrupted`.
  private func run(_ path: String, _ arguments: [String]) throws -> [UInt8] {
    let name = URL(fileURLWithPath: path).lastPathComponent
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(path, arguments: arguments, input: .null, error: .pipe)
    } catch {
      throw CoverageError.toolFailed(name, message: String(cString: strerror(error.code)))
    }
    let (output, error) = process.readToEnd()
    let end = process.wait()
    try Interruption.process.check()
    guard end == .exited(0) else {
      let message = String(decoding: error, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      throw CoverageError.toolFailed(name, message: message)
    }
    return output
  }
}

/// Finds the host executable of an instrumented build.
enum InstrumentedHostLocator {
  /// Returns the path of the executable: `path` itself, or the file with the host's name in the folder `path`.
  ///
  /// The file can also be in the `debug`, `release`, or `.build` folder inside `path`.
  ///
  /// - Throws: `CoverageError.noExecutable`, or `HostFailure.cannotStart` if `path` does not exist.
  static func executable(at path: String, of host: String) throws -> String {
    switch FileSystemItemKind(path) {
    case .none: throw HostFailure.cannotStart(path, reason: String(cString: strerror(ENOENT)))
    case .file, .stream: return path
    case .folder:
      let name = URL(fileURLWithPath: host).lastPathComponent
      let places = ["", "debug/", "release/", ".build/debug/", ".build/release/"]
      for place in places {
        let path = "\(path)/\(place)\(name)"
        if case .file = FileSystemItemKind(path), access(path, X_OK) == 0 { return path }
      }
      throw CoverageError.noExecutable(folder: path, name: name)
    }
  }
}

// MARK: - Output of the tools

/// The profile counters that are not zero, which identify the code regions that were executed.
struct FunctionCounters: Equatable, Sendable {
  /// The indexes of nonzero counters, keyed by the mangled name of the function.
  private(set) var functions: [String: [Int]] = [:]

  /// Parses a profile in text format.
  ///
  /// Each function has lines with its name, a hash, the number of counters, and the counters, followed by an empty
  /// line.
  init(text: [UInt8]) {
    var lines: [ArraySlice<UInt8>] = []
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.isEmpty {
        add(lines)
        lines.removeAll(keepingCapacity: true)
      } else if line.first != UInt8(ascii: "#"), line.first != UInt8(ascii: ":") {
        lines.append(line)
      }
    }
    add(lines)
  }

  private mutating func add(_ lines: [ArraySlice<UInt8>]) {
    guard lines.count > 3, let count = Int(String(decoding: lines[2], as: UTF8.self)) else {
      return
    }
    let counters = lines.dropFirst(3).prefix(count)
    let executed = counters.enumerated().filter { $0.element != [UInt8(ascii: "0")] }.map(\.offset)
    if !executed.isEmpty { functions[String(decoding: lines[0], as: UTF8.self)] = executed }
  }
}

/// The execution counts of the lines in a source file.
struct LineExecutionCounts: Equatable, Sendable {
  /// The absolute path of the file.
  var path: String
  /// The mangled names of the functions in the file.
  var functions: [String] = []
  /// The execution counts, keyed by line number, for lines that contain code.
  var counts: [Int: Int] = [:]

  /// Parses the output of `llvm-cov export -format=lcov`.
  static func read(lcov text: [UInt8]) -> [LineExecutionCounts] {
    var files: [LineExecutionCounts] = []
    var file: LineExecutionCounts?
    for line in text.split(separator: 0x0A) {
      let line = String(decoding: line, as: UTF8.self)
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      let value = line[colon...].dropFirst()
      switch line[..<colon] {
      case "SF": file = LineExecutionCounts(path: String(value))
      case "FN":
        if let name = value.split(separator: ",").last { file?.functions.append(String(name)) }
      case "DA":
        let numbers = value.split(separator: ",").compactMap { Int($0) }
        if numbers.count >= 2 { file?.counts[numbers[0]] = numbers[1] }
      case "end_of_record":
        if let file { files.append(file) }
        file = nil
      default: break
      }
    }
    return files
  }
}
