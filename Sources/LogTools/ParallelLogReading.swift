import ActionLog
import ReplayCommands
import ReplayEngine

/// Results that are collected event by event from a log, or from a range of it.
protocol LogEventAccumulator: Sendable {
  /// Adds an event.
  ///
  /// - Parameters:
  ///   - entry: The event with its line number.
  ///   - position: The number of bytes in the log before the event.
  mutating func add(_ entry: LogReader.Entry, at position: Int)

  /// Processes the checkpoint that ends the range.
  ///
  /// The same checkpoint is the first event of the next range.
  mutating func finishStretch(at entry: LogReader.Entry)

  /// Completes the results that depend on the end of the log.
  mutating func finish()
}

/// Reads the ranges of a long log in parallel, for `verify` and `stats`.
///
/// The functions return `nil` if the combined results could differ from those of a single pass. The caller then reads
/// the log from its beginning.
struct ParallelLogReading {
  private let threads: Int
  private let least: Int

  /// The number of ranges for each thread, chosen so that threads don't wait long for the last range.
  private static let stretchesOfThread = 4

  /// Creates a reader that uses all processors.
  ///
  /// Returns `nil` if `--serial` is set, or if there is only one processor.
  init?(_ arguments: ParsedArguments, _ context: CommandContext) {
    guard !arguments.isOn("--serial"), context.processors > 1 else { return nil }
    threads = context.processors
    least = context.leastStretch
  }

  /// Verifies a log.
  ///
  /// Returns `nil` if the log can't be read in ranges, or their results can't be combined.
  func verified(_ log: LogSlice) -> LogVerificationResult? {
    let found = parts(of: log, for: .reading) { isFirst in
      isFirst ? LogVerifier() : .ofLaterStretch
    }
    guard let found, let notHeld = notHeld(in: found, of: log) else { return nil }
    var verifier = found[0].findings
    for part in found.dropFirst() {
      guard verifier.add(part.findings) else { return nil }
    }
    return LogVerificationResult(verifier, tornTail: nil, notHeld: notHeld)
  }

  /// Collects the statistics of a log.
  ///
  /// Returns `nil` if the log can't be read in ranges, or their results can't be combined.
  func statistics(of log: LogSlice) -> LogStatistics? {
    guard let found = parts(of: log, for: .statistics, { _ in LogStatistics() }),
      let notHeld = notHeld(in: found, of: log)
    else { return nil }
    var statistics = found[0].findings
    var line = found[0].end
    for part in found.dropFirst() {
      guard statistics.add(part.findings, from: line) else { return nil }
      line += part.end - 1
    }
    statistics.notHeld = notHeld
    return statistics
  }
}

extension ParallelLogReading {
  /// The results from one range of a log.
  private struct RangeResult<Findings: LogEventAccumulator>: Sendable {
    var findings: Findings
    /// The line number of the checkpoint that ends the range, counted from the beginning of the range.
    var end = 0
    /// Whether the range may contain a value that the log holds only as a type name.
    var mayHaveTags = false
  }

  /// Reads the ranges of a log in parallel.
  ///
  /// - Parameters:
  ///   - log: The log to divide and read.
  ///   - purpose: The purpose of reading, which affects how the log is divided.
  ///   - make: A closure that creates the empty results for the first range or for a later one.
  /// - Returns: The results of each range, or `nil` if the log is too short to be divided or can't be read in full.
  private func parts<Findings: LogEventAccumulator>(
    of log: LogSlice,
    for purpose: LogPartitioner.Purpose,
    _ make: @escaping @Sendable (_ isFirst: Bool) -> Findings
  ) -> [RangeResult<Findings>]? {
    let count = threads * Self.stretchesOfThread
    guard
      let stretches = LogPartitioner.stretches(of: log, parts: count, least: least, for: purpose)
    else {
      return nil
    }
    let work = ParallelWork<RangeResult<Findings>>(parts: stretches.count, workers: threads)
    return work.outputs { _ in
      { number, failure in
        try? Self.read(stretches[number], make(number == 0), until: failure)
      }
    }
  }

  private static func read<Findings: LogEventAccumulator>(
    _ log: LogSlice,
    _ findings: Findings,
    until failure: Interruption
  ) throws -> RangeResult<Findings>? {
    var part = RangeResult(findings: findings)
    var source = try LogEventIterator(log)
    // Every range provides the header, but only the first range counts it.
    if log.stretch?.start != nil, try source.next() == nil { return nil }
    while let entry = try source.next() {
      guard !failure.isRequested else { return nil }
      if source.hasReachedEnd {
        part.findings.finishStretch(at: entry)
        part.end = entry.line
      } else {
        part.findings.add(entry, at: source.position(of: entry))
      }
    }
    let isLast = log.stretch?.end == nil
    guard source.hasReachedEnd || isLast, source.tornTail == nil else { return nil }
    if isLast { part.findings.finish() }
    part.mayHaveTags = try UncomparedValues.mayStand(in: log)
    return part
  }

  /// Returns the values that the log does not contain in full, or `nil` if the log can't be read.
  ///
  /// The log is read again only if a range may contain such a value.
  private func notHeld<Findings>(
    in parts: [RangeResult<Findings>],
    of log: LogSlice
  ) -> UncomparedValues? {
    parts.contains(where: \.mayHaveTags) ? try? UncomparedValues(in: log) : UncomparedValues()
  }
}
