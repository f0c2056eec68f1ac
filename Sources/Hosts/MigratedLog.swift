import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A log that its host has migrated to the version of the code, stored in a temporary file.
package final class MigratedLog {
  /// The migrated log, with the name of the original log.
  package let log: LogSlice
  /// The findings that the migration has made.
  package let findings: [LogEvent.Finding]
  private let file: TemporaryFile

  /// Migrates a log in a host.
  ///
  /// - Throws: `LogReadError` if the log can't be read, `HostFailure` if the host can't migrate it, or `StreamError` if
  ///   a temporary file can't be written.
  package init(_ log: LogSlice, _ options: ReplayOptions) throws {
    let input = try TemporaryFile(try log.bytes())
    file = try TemporaryFile([UInt8]())
    let output = try TemporaryFile([UInt8]())
    let errorOutput = try TemporaryFile([UInt8]())
    let feature = options.feature.map { ["--feature", $0] } ?? []
    var environment = HostProcess.environment
    // The token makes the host end with this process.
    environment[ReplayHandshake.variable] = ReplayHandshake().token
    // The host migrates the log itself, even if the environment or the settings name another host.
    environment[CommandContext.hostVariable] = ""
    // Prevents a build with coverage from writing its profile into the working folder.
    environment["LLVM_PROFILE_FILE"] = "/dev/null"
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        options.host,
        arguments: ["migrate", input.path, "-o", file.path] + feature,
        environment: environment,
        // The host writes findings to standard output. The output of migration steps goes to standard error.
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
  /// Reads the findings that a host has written as events.
  ///
  /// Older versions of hosts write no findings.
  private static func findings(in output: TemporaryFile) -> [LogEvent.Finding] {
    (FileManager.default.contents(atPath: output.path) ?? Data()).split(separator: 0x0A)
      .compactMap { line in
        guard case .finding(let finding)? = LogEvent(line: line) else { return nil }
        return finding
      }
  }

  /// Forwards the standard error of a host to that of this process.
  ///
  /// - Parameters:
  ///   - file: The file that contains the host's standard error.
  ///   - isReasonLast: Whether the last line is the reason for a failure, which is not forwarded.
  /// - Returns: The reason without the program's name, or `nil` if there is none.
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
  /// Whether the process exited with a failure status.
  fileprivate var isFailure: Bool {
    if case .exited(let status) = self { status != 0 } else { false }
  }
}

extension LogSlice {
  /// Returns the bytes of the log in its file.
  fileprivate func bytes() throws -> Data {
    let bytes = try FileHandle(readingLog: path, from: start)
    return try end.map { try bytes.read(upToCount: $0 - start) ?? Data() }
      ?? bytes.readToEnd() ?? Data()
  }

  /// Calls a closure with this log, or with its migrated copy if the log is older than the code.
  package func migratingIfNeeded<Result>(
    _ options: ReplayOptions,
    _ body: (LogSlice) throws -> Result
  ) throws -> Result {
    do { return try body(self) } catch HostFailure.needsMigration {
      let migrated = try MigratedLog(self, options)
      return try withExtendedLifetime(migrated) { try body(migrated.log) }
    }
  }

  /// Calls a closure with this log, or with its migrated copy if the log is older than the code.
  ///
  /// For an older log, the closure is called twice. The first call must not write anything before it throws an error.
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

  /// Checks this log, or its migrated copy if the log is older than the code.
  ///
  /// The outcome contains line numbers of this log and a note with the log's original version. If a log without a
  /// version diverges after the migration, it is checked again as a log of the code's version.
  ///
  /// - Parameters:
  ///   - options: The options for the replay, which name the host.
  ///   - check: A closure that checks a log.
  ///   - isSame: A closure that checks a log again, and returns whether it replays without a divergence.
  /// - Returns: The verdict on the log, or the error that prevented it.
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
      outcome.addUnversionedNote(self, version) {
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

  /// Returns the bytes of the log with a schema version added to its header.
  private func bytes(stating version: Int) throws -> Data {
    let bytes = try bytes()
    guard case .header(var header)? = try events()() else { return bytes }
    header.schemaVersion = version
    return Data(LogEvent.header(header).line) + bytes.drop { $0 != 0x0A }
  }
}

extension HostPool {
  /// Returns a log in the version of the host's code.
  ///
  /// Commands that replay many times call this method first. All their replays then use the same log, and their output
  /// has the code's version. The host stays in the pool and serves the first replay.
  ///
  /// - Parameters:
  ///   - log: The log to migrate.
  ///   - options: The options for the replay, which name the host.
  /// - Returns: The migrated log and the object that owns its file. The original log if it needs no migration, or if a
  ///   replay will report why the log can't be replayed.
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
      // The host also reports this error for logs of a newer version.
      throw HostFailure.unknownFeature(message)
    } catch let error as Interrupted {
      throw error
    } catch {}
    return (log, nil)
  }

  /// Returns the offset of the line after the header, or `nil` if the log is empty.
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
