import ActionLog
import Foundation

/// A log that its host has brought to the version of its code, in a file of its own for as long as it is needed.
final class MigratedLog {
  /// The log, under the name that it has.
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
    let feature = options.feature.map { ["--feature", $0] } ?? []
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        options.host,
        arguments: ["migrate", input.path, "-o", file.path] + feature,
        environment: ProcessInfo.processInfo.environment
      )
    } catch {
      throw HostFailure.cannotStart(
        options.host,
        reason: String(cString: strerror(error.code))
      )
    }
    close(process.input)
    // It writes nothing there; what steps print goes to standard error.
    close(process.output)
    let watchdog = Watchdog(process, seconds: options.timeout)
    var hasBitten = false
    let end = process.wait { hasBitten = watchdog.stop() }
    guard !hasBitten else { throw HostFailure.timedOut(options.timeout, at: 0) }
    guard end == .exited(0) else { throw HostFailure.notMigrated(log.name, end) }
    withExtendedLifetime(input) {}
    self.log = LogSlice(path: file.path, name: log.name)
  }
}

extension LogSlice {
  /// Does something with this log, or with what its host makes of it when it is of an older version than the code.
  func migratingIfNeeded<Result>(
    _ options: ReplayOptions,
    _ body: (LogSlice) throws -> Result
  ) throws -> Result {
    do { return try body(self) } catch HostFailure.needsMigration {
      let migrated = try MigratedLog(self, options)
      return try withExtendedLifetime(migrated) { try body(migrated.log) }
    }
  }
}
