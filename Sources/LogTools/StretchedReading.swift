import ActionLog
import ReplayCommands
import ReplayEngine

/// What is found in a log, event by event, or in a stretch of one.
protocol LogFindings: Sendable {
  /// Takes an event, and how many bytes of the log are before it.
  mutating func add(_ entry: LogReader.Entry, at position: Int)

  /// Takes the checkpoint with which a stretch ends; it is the first event of the next one.
  mutating func finishStretch(at entry: LogReader.Entry)

  /// Takes what can be known only at the end of the log.
  mutating func finish()
}

/// Reads the stretches of a long log at the same time, for `verify` and `stats`.
///
/// Where what was found in them does not make what is found in one go, it has no result: then the log is read from its beginning.
struct StretchedReading {
  private let threads: Int
  private let least: Int

  /// More stretches than threads, so that no thread waits long for the last one.
  private static let stretchesOfThread = 4

  /// A reading on all processors; `nil` where the arguments ask for one thread, or there is one processor.
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

  /// Gathers the numbers about a log.
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
  /// What was found in a stretch.
  private struct StretchFindings<Findings: LogFindings>: Sendable {
    var findings: Findings
    /// The line of the checkpoint with which it ends; those of later stretches are counted from their beginning.
    var end = 0
    /// Whether a value may stand in it that the log does not hold.
    var mayHaveTags = false
  }

  /// Reads the stretches of a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - purpose: What is done with them.
  ///   - make: Makes the findings of a stretch, of the first one or a later one.
  /// - Returns: What was found in each; `nil` when the log is not cut, or cannot be read in full.
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
    // The header is an event of the first stretch.
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

  /// The values that the log does not hold; most hold all.
  private func notHeld<Findings>(
    in parts: [StretchFindings<Findings>],
    of log: LogSlice
  ) -> UncomparedValues? {
    parts.contains(where: \.mayHaveTags) ? try? UncomparedValues(in: log) : UncomparedValues()
  }
}
