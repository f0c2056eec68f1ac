import ActionLog
import ReplayCommands
import ReplayEngine

/// Findings that are collected event by event from a log or a range of it.
protocol LogFindings: Sendable {
  /// Adds an event.
  ///
  /// `position` is the number of bytes of the log before it.
  mutating func add(_ entry: LogReader.Entry, at position: Int)

  /// Reads the checkpoint that ends a range.
  ///
  /// The checkpoint is also the first event of the next range.
  mutating func finishStretch(at entry: LogReader.Entry)

  /// Adds the findings that are known only at the end of the log.
  mutating func finish()
}

/// Reads the ranges of a long log in parallel, for `verify` and `stats`.
///
/// It has no result if the combined findings could differ from those of one pass. The caller then reads the log from
/// its beginning.
struct StretchedReading {
  private let threads: Int
  private let least: Int

  /// The number of ranges for each thread.
  ///
  /// More ranges than threads shorten the wait for the last one.
  private static let stretchesOfThread = 4

  /// Creates a reading on all processors; `nil` if the arguments ask for one thread, or if there is one processor.
  init?(_ arguments: ParsedArguments, _ context: CommandContext) {
    guard !arguments.isOn("--serial"), context.processors > 1 else { return nil }
    threads = context.processors
    least = context.leastStretch
  }

  /// Checks a log.
  func verified(_ log: LogSlice) -> VerifiedLog? {
    let found = parts(of: log, for: .reading) { isFirst in
      isFirst ? LogVerifier() : .ofLaterStretch
    }
    guard let found, let notHeld = notHeld(in: found, of: log) else { return nil }
    var verifier = found[0].findings
    for part in found.dropFirst() {
      guard verifier.add(part.findings) else { return nil }
    }
    return VerifiedLog(verifier, tornTail: nil, notHeld: notHeld)
  }

  /// Collects the statistics of a log.
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

extension StretchedReading {
  /// The findings in a range.
  private struct StretchFindings<Findings: LogFindings>: Sendable {
    var findings: Findings
    /// The line of the checkpoint that ends the range.
    ///
    /// Lines of later ranges are counted from their beginning.
    var end = 0
    /// Whether the range may contain a value that the log holds only as a type name.
    var mayHaveTags = false
  }

  /// Reads the ranges of a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - purpose: The purpose for which the log is read.
  ///   - make: Creates the findings of the first range or of a later one.
  /// - Returns: The findings of each range; `nil` if the log is not divided or cannot be read in full.
  private func parts<Findings: LogFindings>(
    of log: LogSlice,
    for purpose: LogCutter.Purpose,
    _ make: @escaping @Sendable (_ isFirst: Bool) -> Findings
  ) -> [StretchFindings<Findings>]? {
    let count = threads * Self.stretchesOfThread
    guard let stretches = LogCutter.stretches(of: log, parts: count, least: least, for: purpose)
    else {
      return nil
    }
    let work = ParallelWork<StretchFindings<Findings>>(parts: stretches.count, workers: threads)
    return work.outputs { _ in
      { number, failure in
        try? Self.read(stretches[number], make(number == 0), until: failure)
      }
    }
  }

  private static func read<Findings: LogFindings>(
    _ log: LogSlice,
    _ findings: Findings,
    until failure: Interruption
  ) throws -> StretchFindings<Findings>? {
    var part = StretchFindings(findings: findings)
    var source = try LogSource(log)
    // The header is an event of the first range.
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

  /// Returns the values that the log does not contain.
  ///
  /// Most logs contain all values.
  private func notHeld<Findings>(
    in parts: [StretchFindings<Findings>],
    of log: LogSlice
  ) -> UncomparedValues? {
    parts.contains(where: \.mayHaveTags) ? try? UncomparedValues(in: log) : UncomparedValues()
  }
}
