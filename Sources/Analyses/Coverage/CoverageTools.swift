import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Why lines cannot be counted.
enum CoverageError: StatusError, Equatable, CustomStringConvertible {
  /// A tool of the toolchain is missing.
  case noTool(String)
  /// A tool has failed, and this is what it said.
  case toolFailed(String, message: String)
  /// A host does not count its lines.
  case notCounting(String)
  /// There is no executable of a host in a folder.
  case noExecutable(folder: String, name: String)
  /// A host does not say in which modules its features are.
  case unknownModules(String)
  /// No source file of the build is among those that were asked for.
  case noSources(String)

  var description: String { Wording.describe(self) }

  var status: ExitStatus {
    switch self {
    case .unknownModules, .noSources: .usage
    case .noTool, .toolFailed, .notCounting, .noExecutable: .hostFailed
    }
  }
}

/// The toolchain's `llvm-profdata` and `llvm-cov`, which have to be of the version of the compiler.
struct CoverageTools: Sendable {
  private let profdata: String
  private let cov: String

  /// Finds the tools beside `swift`, or else in the path.
  ///
  /// - Throws: `CoverageError.noTool`.
  init(environment: [String: String]) throws(CoverageError) {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    // On a Mac `swift` in the path leads to the toolchain that is chosen.
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

  /// Where Xcode has a tool, on macOS.
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

  /// The counters of profiles that are not zero, as `llvm-profdata` writes them.
  func counters(of profiles: [String]) throws -> FunctionCounters {
    FunctionCounters(text: try run(profdata, ["merge", "-sparse", "-text", "-o", "-"] + profiles))
  }

  /// Adds profiles to an indexed one.
  func merge(_ profiles: [String], into output: String) throws {
    _ = try run(profdata, ["merge", "-sparse", "-o", output] + profiles)
  }

  /// The lines of an executable, and how often they were executed.
  func sources(of executable: String, profile: String) throws -> [SourceLines] {
    SourceLines.read(
      lcov: try run(cov, ["export", "-format=lcov", "-instr-profile=\(profile)", executable])
    )
  }

  /// Runs a tool; what it writes may be long.
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
  /// The executable that a user means by a path: itself, or in a folder the one with the name of the host.
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

/// The counters of functions that are not zero: the regions of code that were executed.
struct FunctionCounters: Equatable, Sendable {
  /// By the mangled names of the functions.
  private(set) var functions: [String: [Int]] = [:]

  /// Reads the text form of a profile: for each function lines with its name, a hash, the number of counters and the
  /// counters, and an empty line.
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
  /// The full path of the file.
  var path: String
  /// The mangled names of its functions.
  var functions: [String] = []
  /// The lines that hold code, and how often each was executed.
  var counts: [Int: Int] = [:]

  /// Reads what `llvm-cov export -format=lcov` writes.
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
