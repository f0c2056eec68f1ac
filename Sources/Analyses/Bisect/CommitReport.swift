import ActionLog
import ReplayEngine

/// What a search among commits has found, for people and for programs.
struct CommitReport {
  let log: String
  let condition: String?
  let result: CommitBisection.Result
  /// What people call the commits that may be the culprit.
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
      lines.append(style.bold(Wording.oneOf))
      lines += commits.map { "  " + Wording.name($0) }
    case .unknown(let interval):
      lines.append(style.bold(Wording.unfinished(interval)))
      lines += Wording.rest(of: interval).map { "  " + $0 }
    }
    lines.append("")
    switch evidence {
    case nil: lines.removeLast()
    case .verdict(let verdict):
      lines.append("\(log): \(Wording.line(verdict, through: 0))")
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
