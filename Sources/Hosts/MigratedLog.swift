import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A log that its host has migrated to the version of its code, in a temporary file.
package final class MigratedLog {
  /// The migrated log, under the name of the original.
  package let log: LogSlice
  /// The notes on the migration.
  package let findings: [LogEvent.Finding]
  private let file: TemporaryFile

  /// Lets a host migrate a log.
  ///
  /// - Throws: `LogReadError`, `HostFailure`, `StreamError`.
  package init(_ log: LogSlice, _ options: ReplayOptions) throws {
    let input = try TemporaryFile(try log.bytes())
    file = try TemporaryFile([UInt8]())
    let output = try TemporaryFile([UInt8]())
    let errorOutput = try TemporaryFile([UInt8]())
    let feature = options.feature.map { ["--feature", $0] } ?? []
    var environment = HostProcess.environment
    // The token makes it end when this process does.
    environment[ReplayHandshake.variable] = ReplayHandshake().token
    // It migrates itself, whatever host the environment or the settings name.
    environment[CommandContext.hostVariable] = ""
    // A build that counts its lines would write the counts into the working folder.
    environment["LLVM_PROFILE_FILE"] = "/dev/null"
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        options.host,
        arguments: ["migrate", input.path, "-o", file.path] + feature,
        environment: environment,
        // It writes its notes there; prints of the steps go to standard error.
        output: .file(output.path),
        error: .file(errorOutput.path)
      )
    } catch {
      throw HostFailure.cannotStart(
        options.host,
        reason: String(cString: strerror(error.code))
      )
    }
    let hostInput = process.input.map { Descriptor($0) }
    let watchdog = Watchdog(process, seconds: options.timeout, until: options.cancellation)
    var hasExpired = false
    let end = process.wait { hasExpired = watchdog.stop() }
    withExtendedLifetime((input, hostInput)) {}
    try options.checkInterruption()
    let reason = Self.forward(errorOutput, isReasonLast: !hasExpired && end.isFailure)
    guard !hasExpired else { throw HostFailure.timedOut(options.timeout, at: 0) }
    guard end == .exited(0) else { throw HostFailure.notMigrated(log.name, end, reason: reason) }
    self.log = LogSlice(path: file.path, name: log.name)
    findings = Self.findings(in: output)
  }
}

extension MigratedLog {
  /// The notes that a host has written, as events; those of an older version write none.
  private static func findings(in output: TemporaryFile) -> [LogEvent.Finding] {
    (FileManager.default.contents(atPath: output.path) ?? Data()).split(separator: 0x0A)
      .compactMap { line in
        guard case .finding(let finding)? = LogEvent(line: line) else { return nil }
        return finding
      }
  }

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
  /// The bytes of the log.
  fileprivate func bytes() throws -> Data {
    let bytes = try FileHandle(readingLog: path, from: start)
    return try end.map { try bytes.read(upToCount: $0 - start) ?? Data() }
      ?? bytes.readToEnd() ?? Data()
  }

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

  /// Runs a closure with this log, or with the migrated one when this one is of an older version than the code.
  ///
  /// The closure runs a second time for an older log: it must have written nothing when it throws.
  package func migratingIfNeeded<Result>(
    _ options: ReplayOptions,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (LogSlice) async throws -> Result
  ) async throws -> Result {
    do { return try await body(self) } catch HostFailure.needsMigration {
      let migrated = try MigratedLog(self, options)
      defer { withExtendedLifetime(migrated) {} }
      return try await body(migrated.log)
    }
  }

  /// Checks this log, or the migrated one when this one is of an older version than the code.
  ///
  /// The lines of the outcome are those of this log, and its notes say from which version it was migrated. A log without a
  /// version that is not the same then is checked once more, as a log of the code's version.
  ///
  /// - Parameters:
  ///   - options: The host.
  ///   - check: Checks a log.
  ///   - isSame: Checks a log once more.
  /// - Returns: The outcome.
  package func migratedOutcome(
    _ options: ReplayOptions,
    _ check: (LogSlice) throws -> ReplayCheck.Result,
    isSame: (LogSlice) throws -> Bool
  ) -> ReplayOutcome {
    do { return .verdict(try check(self)) } catch HostFailure.needsMigration(_, let version) {
      var outcome: ReplayOutcome
      do {
        let migrated = try MigratedLog(self, options)
        var result = try withExtendedLifetime(migrated) { try check(migrated.log) }
        result.notes = migrated.findings + result.notes
        try result.locate(in: self)
        outcome = .verdict(result)
      } catch {
        outcome = .failure(error)
      }
      outcome.noteUnversioned(self, version) {
        let copy = try TemporaryFile(try bytes(stating: version))
        return try withExtendedLifetime(copy) {
          try isSame(LogSlice(path: copy.path, name: name))
        }
      }
      return outcome
    } catch {
      return .failure(error)
    }
  }

  /// The bytes of the log with a version in its header.
  private func bytes(stating version: Int) throws -> Data {
    let bytes = try bytes()
    guard case .header(var header)? = try events()() else { return bytes }
    header.schemaVersion = version
    return Data(LogEvent.header(header).line) + bytes.drop { $0 != 0x0A }
  }
}

extension HostPool {
  /// A log for the version of the host's code.
  ///
  /// Commands that replay many times begin with it: all their replays are of the same log, and what they write has its
  /// version. The host that is asked stays in the pool and serves the first replay.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: The host.
  /// - Returns: The migrated log, and what keeps its file; the log itself when it needs no migration, or when a replay will
  ///   say why it can't be replayed.
  /// - Throws: `HostFailure.notMigrated`, and `HostFailure.unknownFeature` for a log that the host refuses.
  package func current(
    _ log: LogSlice,
    _ options: ReplayOptions
  ) throws -> (log: LogSlice, file: MigratedLog?) {
    guard let end = try headerEnd(of: log) else { return (log, nil) }
    let head = LogSlice(
      path: log.path,
      name: log.name,
      start: log.start,
      firstLine: log.firstLine,
      end: end
    )
    do {
      try use(for: options) { start in
        let replay = try start(head, options)
        defer { _ = replay.end(isDone: false) }
        while try replay.next() != nil {}
      }
    } catch HostFailure.needsMigration {
      let migrated = try MigratedLog(log, options)
      return (migrated.log, migrated)
    } catch HostFailure.unknownFeature(let message) {
      // Also a log of a newer version.
      throw HostFailure.unknownFeature(message)
    } catch let error as Interrupted {
      throw error
    } catch {}
    return (log, nil)
  }

  /// The offset after the header's line.
  private func headerEnd(of log: LogSlice) throws -> Int? {
    var lines = LineReader(
      try FileHandle(readingLog: log.path, from: log.start),
      path: log.path,
      longest: LogReader.longestLine
    )
    guard let line = try lines.next(line: 0) else { return nil }
    return log.start + line.count + 1
  }
}
