import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A log that its host has brought to the version of its code, in a file of its own for as long as it is needed.
final class MigratedLog {
  /// The log, under the name that it has.
  package let log: LogSlice
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
    let said = try TemporaryFile([UInt8]())
    let feature = options.feature.map { ["--feature", $0] } ?? []
    var environment = HostProcess.environment
    // So it ends when this process does.
    environment[ReplayHandshake.variable] = ReplayHandshake().token
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        options.host,
        arguments: ["migrate", input.path, "-o", file.path] + feature,
        environment: environment,
        // It writes nothing there; what steps print goes to standard error.
        output: .null,
        error: .file(said.path)
      )
    } catch {
      throw HostFailure.cannotStart(
        options.host,
        reason: String(cString: strerror(error.code))
      )
    }
    let life = process.input.map { Descriptor($0) }
    let watchdog = Watchdog(process, seconds: options.timeout)
    var hasBitten = false
    let end = process.wait { hasBitten = watchdog.stop() }
    withExtendedLifetime((input, life)) {}
    try Interruption.process.check()
    let reason = Self.handOn(said, isReasonLast: !hasBitten && end.isFailure)
    guard !hasBitten else { throw HostFailure.timedOut(options.timeout, at: 0) }
    guard end == .exited(0) else { throw HostFailure.notMigrated(log.name, end, reason: reason) }
    self.log = LogSlice(path: file.path, name: log.name)
  }
}

extension MigratedLog {
  /// Writes what a host and its migrations have said to standard error.
  ///
  /// - Returns: The last line without the name of the program, when that is the reason for its end: it is not written.
  private static func handOn(_ file: TemporaryFile, isReasonLast: Bool) -> String? {
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
  /// Whether the process has ended by itself with a status that tells of a failure.
  fileprivate var isFailure: Bool {
    if case .exited(let status) = self { status != 0 } else { false }
  }
}

extension LogSlice {
  /// Does something with this log, or with what its host makes of it when it is of an older version than the code.
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
