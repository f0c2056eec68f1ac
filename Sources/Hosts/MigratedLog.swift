import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A log that its host has migrated to the version of its code, in a temporary file.
final class MigratedLog {
  /// The migrated log, under the name of the original.
  let log: LogSlice
  private let file: TemporaryFile

  /// Lets a host migrate a log.
  ///
  /// - Throws: `LogReadError`, `HostFailure`, `StreamError`.
  init(_ log: LogSlice, _ options: ReplayOptions) throws {
    let bytes = try FileHandle(readingLog: log.path, from: log.start)
    let input = try TemporaryFile(
      log.end.map { try bytes.read(upToCount: $0 - log.start) ?? Data() }
        ?? bytes.readToEnd() ?? Data()
    )
    file = try TemporaryFile([UInt8]())
    let errorOutput = try TemporaryFile([UInt8]())
    let feature = options.feature.map { ["--feature", $0] } ?? []
    var environment = HostProcess.environment
    // The token makes it end when this process does.
    environment[ReplayHandshake.variable] = ReplayHandshake().token
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        options.host,
        arguments: ["migrate", input.path, "-o", file.path] + feature,
        environment: environment,
        // It writes nothing there; prints of the steps go to standard error.
        output: .null,
        error: .file(errorOutput.path)
      )
    } catch {
      throw HostFailure.cannotStart(
        options.host,
        reason: String(cString: strerror(error.code))
      )
    }
    let hostInput = process.input.map { Descriptor($0) }
    let watchdog = Watchdog(process, seconds: options.timeout)
    var hasExpired = false
    let end = process.wait { hasExpired = watchdog.stop() }
    withExtendedLifetime((input, hostInput)) {}
    try Interruption.process.check()
    let reason = Self.forward(errorOutput, isReasonLast: !hasExpired && end.isFailure)
    guard !hasExpired else { throw HostFailure.timedOut(options.timeout, at: 0) }
    guard end == .exited(0) else { throw HostFailure.notMigrated(log.name, end, reason: reason) }
    self.log = LogSlice(path: file.path, name: log.name)
  }
}

extension MigratedLog {
  /// Writes the standard error of a host to that of this process.
  ///
  /// - Returns: The last line without the name of the program, when it is the reason of a failure; it is not written.
  private static func forward(_ file: TemporaryFile, isReasonLast: Bool) -> String? {
    let text = String(
      decoding: FileManager.default.contents(atPath: file.path) ?? Data(),
      as: UTF8.self
    )
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let reason = isReasonLast ? lines.popLast() : nil
    for line in lines { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
    return reason.map { line in
      let (name, rest) =
        line.firstRange(of: ": ")
        .map { (line[..<$0.lowerBound], line[$0.upperBound...]) } ?? ("", line)
      return String(name.contains(" ") ? line : rest)
    }
  }
}

extension ReplayEnd {
  /// Whether the process ended by itself with a status of failure.
  fileprivate var isFailure: Bool {
    if case .exited(let status) = self { status != 0 } else { false }
  }
}

extension LogSlice {
  /// Runs a closure with this log, or with the migrated one when this one is of an older version than the code.
  package func migratingIfNeeded<Result>(
    _ options: ReplayOptions,
    _ body: (LogSlice) throws -> Result
  ) throws -> Result {
    do { return try body(self) } catch HostFailure.needsMigration {
      let migrated = try MigratedLog(self, options)
      return try withExtendedLifetime(migrated) { try body(migrated.log) }
    }
  }
}
