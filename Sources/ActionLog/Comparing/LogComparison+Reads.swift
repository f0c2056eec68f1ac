extension LogComparison {
  /// In what the reads of an action differ: each place at which other keys or values stand.
  func readDifferences(
    _ seq: Int,
    _ recorded: [LogEvent.Read],
    _ replayed: [LogEvent.Read]
  ) -> [LogDifference] {
    (0..<max(recorded.count, replayed.count)).compactMap { index in
      let old = index < recorded.count ? recorded[index] : nil
      let new = index < replayed.count ? replayed[index] : nil
      guard old?.key != new?.key || old?.value != new?.value else { return nil }
      return LogDifference(
        seq: seq,
        cause: .reads,
        subject: (old ?? new)?.key ?? "",
        expected: old?.comparable,
        actual: new?.comparable
      )
    }
  }

  /// What the second log's findings say and the first log's do not; mere notes are kept apart.
  mutating func findings(
    _ left: ComparedEvents.Element?,
    _ right: ComparedEvents.Element?
  ) -> [LogDifference] {
    let known = left?.findings ?? []
    var differences: [LogDifference] = []
    for finding in right?.findings ?? [] where !known.contains(finding) {
      if finding.code == .resynced {
        states.unite()
        continue
      }
      // What only one of them has cannot be compared.
      if finding.code == .schemaDrift { states.ignore(finding.subject) }
      if finding.code == .actionDrift, let place = try? JSON.Pointer(parsing: finding.subject) {
        driftedActions.insert(place)
      }
      if finding.code.isDrift, !options.isStrict {
        result.notes.append(finding)
      } else if let difference = LogDifference(finding) {
        differences.append(difference)
      } else if !result.notes.contains(where: { $0.subject == finding.subject }) {
        // The same place may report with every action; once tells it.
        result.notes.append(finding)
      }
    }
    return differences
  }
}

extension LogEvent.Read {
  fileprivate var comparable: JSON { ["key": .string(key), "value": value] }
}

extension LogDifference {
  /// What a finding means for the comparison; `nil` for one that makes no difference.
  init?(_ finding: LogEvent.Finding) {
    let cause: Cause
    switch finding.code {
    case .unrecordedRead, .unusedRead: cause = .reads
    case .deadEffect: cause = .deadEffect
    case .undecodable: cause = .undecodable
    case .notReplayable, .unknownFeature: cause = .notReplayable
    case .brokenLog: cause = .sequence
    case .schemaDrift, .actionDrift: cause = .schemaDrift
    case .runtimeIssue, .resynced: return nil
    }
    self.init(
      seq: finding.seq,
      cause: cause,
      subject: finding.subject,
      expected: finding.expected,
      actual: finding.actual,
      message: finding.message
    )
  }
}
