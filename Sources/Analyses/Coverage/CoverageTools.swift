import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The reason why lines can't be counted.
enum CoverageError: StatusError, Equatable, CustomStringConvertible {
  /// A tool of the toolchain is missing.
  case noTool(String)
  /// A tool has failed with this message.
  case toolFailed(String, message: String)
  /// A host is not instrumented.
  case notCounting(String)
  /// A folder doesn't contain the host's executable.
  case noExecutable(folder: String, name: String)
  /// A host doesn't report the modules of its features.
  case unknownModules(String)
  /// None of the requested sources belongs to the build.
  case noSources(String)

  var description: String { Wording.describe(self) }

  var status: ExitStatus {
    switch self {
    case .unknownModules, .noSources: .usage
    case .noTool, .toolFailed, .notCounting, .noExecutable: .hostFailed
    }
  }
}

/// The toolchain's `llvm-profdata` and `llvm-cov`, which must match the version of the compiler.
struct CoverageTools: Sendable {
  private let profdata: String
  private let cov: String

  /// Finds the tools beside `swift`, or in the `PATH`.
  ///
  /// - Throws: `CoverageError.noTool`.
  init(environment: [String: String]) throws(CoverageError) {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    // On macOS, `swift` in the path is a stub that runs the selected toolchain.
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

  /// Returns the path of a tool in Xcode, on macOS.
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

  /// Returns the nonzero counters of profiles from the output of `llvm-profdata`.
  func counters(of profiles: [String]) throws -> FunctionCounters {
    FunctionCounters(text: try run(profdata, ["merge", "-sparse", "-text", "-o", "-"] + profiles))
  }

  /// Merges profiles into an indexed one.
  func merge(_ profiles: [String], into output: String) throws {
    _ = try run(profdata, ["merge", "-sparse", "-o", output] + profiles)
  }

  /// Returns the lines of an executable with their execution counts.
  func sources(of executable: String, profile: String) throws -> [SourceLines] {
    SourceLines.read(
      lcov: try run(cov, ["export", "-format=lcov", "-instr-profile=\(profile)", executable])
    )
  }

  /// Runs a tool and returns its output, which may be large.
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

/// The executable of a build.
enum CoverageBuild {
  /// Returns the executable at a path.
  ///
  /// In a folder, it has the name of the host.
  ///
  /// - Throws: `CoverageError.noExecutable`, `LogReadError.noSuchFile`.
  static func executable(at path: String, of host: String) throws -> String {
    switch FileKind(path) {
    case .none: throw HostFailure.cannotStart(path, reason: String(cString: strerror(ENOENT)))
    case .file, .stream: return path
    case .folder:
      let name = URL(fileURLWithPath: host).lastPathComponent
      let places = ["", "debug/", "release/", ".build/debug/", ".build/release/"]
      for place in places {
        let path = "\(path)/\(place)\(name)"
        if case .file = FileKind(path), access(path, X_OK) == 0 { return path }
      }
      throw CoverageError.noExecutable(folder: path, name: name)
    }
  }
}

// MARK: - What the tools write

/// The nonzero counters of functions, which identify the executed regions of code.
struct FunctionCounters: Equatable, Sendable {
  /// The indexes of nonzero counters, by the mangled name of the function.
  private(set) var functions: [String: [Int]] = [:]

  /// Parses the text form of a profile.
  ///
  /// Each function has lines with its name, a hash, the number of counters and the counters, followed by an empty line.
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

/// The lines of a source file.
struct SourceLines: Equatable, Sendable {
  /// The absolute path of the file.
  var path: String
  /// The mangled names of its functions.
  var functions: [String] = []
  /// The execution count of each line with code.
  var counts: [Int: Int] = [:]

  /// Parses the output of `llvm-cov export -format=lcov`.
  static func read(lcov text: [UInt8]) -> [SourceLines] {
    var files: [SourceLines] = []
    var file: SourceLines?
    for line in text.split(separator: 0x0A) {
      let line = String(decoding: line, as: UTF8.self)
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      let value = line[colon...].dropFirst()
      switch line[..<colon] {
      case "SF": file = SourceLines(path: String(value))
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
