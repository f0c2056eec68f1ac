import ActionLog
import LogTools
import ReplayEngine

/// Formats the result of searching a log for a condition, as text and as JSON.
struct LogBisectReport {
  let name: String
  let condition: String
  let scan: ConditionScan
  /// The chain of causes for the first action after which the condition holds, including this action.
  let causes: [Verdict.Divergence.Link]
  /// Whether an interruption stopped reading before the end of the log.
  var isPartial = false

  /// The maximum number of listed actions at which the condition starts or ceases to hold.
  private static let mostFlips = 10

  func text(_ style: Style) -> String {
    guard let first = scan.first else {
      return Wording.neverTrue(name, condition, scan) + "\n"
    }
    var lines = [style.bold(Wording.firstTrue(name, condition, at: first))]
    lines.append("")
    lines += VerdictText(style: style).causes(causes, of: first).map { "  " + $0 }
    lines.append("")
    if scan.differences.isEmpty {
      lines.append("  " + Wording.unchangedState)
    } else {
      lines.append("  " + Wording.legend(first: "before", second: "after"))
      lines += DifferenceText(style: style).lines(scan.differences).map { "  " + $0 }
    }
    let others = scan.flips.filter { $0.seq != first }
    if scan.holdsAtStart || !others.isEmpty {
      lines.append("")
      if scan.holdsAtStart { lines.append("  " + Wording.trueAtStart) }
      lines += others.prefix(Self.mostFlips).map { "  " + Wording.flip($0) }
      if others.count > Self.mostFlips {
        lines.append("  " + Wording.more(others.count - Self.mostFlips))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = [
      "log": .string(name),
      "when": .string(condition),
      "found": .bool(scan.first != nil),
    ]
    object["seq"] = scan.first.map { .number(JSON.Number($0)) }
    object["holdsAtStart"] = .bool(scan.holdsAtStart)
    object["flips"] = .array(
      scan.flips.map { ["seq": .number(JSON.Number($0.seq)), "holds": .bool($0.holds)] }
    )
    object["last"] = .number(JSON.Number(scan.last))
    if isPartial { object["isPartial"] = true }
    if scan.first != nil {
      object["differences"] = .array(scan.differences.map(\.json))
      object["causes"] = .array(causes.map(\.json))
    }
    return .object(object)
  }
}

/// Formats the result of searching commits, as text and as JSON.
struct CommitBisectReport {
  let log: String
  let condition: String?
  let result: CommitBisection.Result
  /// The commits that may be the first bad one, with author, date, and subject.
  let commits: [GitRepository.Commit]

  private var evidence: CommitTest.Evidence? {
    switch result.culprit {
    case .first(_, let evidence), .oneOf(_, let evidence): evidence
    case .unknown: nil
    }
  }

  func text(_ style: Style) -> String {
    var lines: [String] = []
    switch result.culprit {
    case .first:
      if let commit = commits.first {
        lines.append(style.bold(Wording.firstBad(commit)))
      }
    case .oneOf:
      lines.append(style.bold(Wording.firstBadIsOneOf))
      lines += commits.map { "  " + Wording.name($0) }
    case .unknown(let interval):
      lines.append(style.bold(Wording.unfinished(interval)))
      lines += Wording.rest(of: interval).map { "  " + $0 }
    }
    lines.append("")
    switch evidence {
    case nil: lines.removeLast()
    case .verdict(let verdict):
      lines.append("\(log): \(Wording.line(verdict, through: 0, style.notation))")
      let details = VerdictText(style: style).details(verdict)
      if !details.isEmpty { lines.append("") }
      lines += details.map { $0.isEmpty ? $0 : "  " + $0 }
    case .condition(let seq):
      lines.append(Wording.firstTrue(log, condition ?? "", at: seq))
    }
    lines += ["", Wording.testedCommits(result)]
    lines += result.tested.compactMap { tested in
      guard case .skipped(let reason) = tested.outcome else { return nil }
      return "  " + Wording.skipped(tested.commit, reason)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var object: JSON.Object = ["log": .string(log)]
    object["when"] = condition.map(JSON.string)
    switch result.culprit {
    case .first: object["firstBad"] = commits.first?.json
    case .oneOf: object["oneOf"] = .array(commits.map(\.json))
    case .unknown(let interval):
      object["isPartial"] = true
      object["good"] = .array(interval.good.map(JSON.string))
      object["bad"] = .string(interval.bad)
      object["suspects"] = .array(interval.suspects.map(JSON.string))
    }
    switch evidence {
    case nil: break
    case .verdict(let verdict): object["verdict"] = verdict.json
    case .condition(let seq): object["at"] = .number(JSON.Number(seq))
    }
    object["range"] = .number(JSON.Number(result.range))
    object["tested"] = .array(
      result.tested.map { tested in
        var entry: JSON.Object = ["commit": .string(tested.commit)]
        for (key, value) in tested.outcome.json.object ?? JSON.Object() { entry[key] = value }
        return .object(entry)
      }
    )
    return .object(object)
  }
}

extension GitRepository.Commit {
  fileprivate var json: JSON {
    [
      "commit": .string(hash), "author": .string(author), "date": .string(date),
      "subject": .string(subject),
    ]
  }
}
