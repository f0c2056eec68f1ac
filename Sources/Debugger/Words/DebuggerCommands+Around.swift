import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Words for the context of a step: its neighbors, its causes, and the values before and after it.
extension DebuggerCommands {
  @MainActor static func list(
    _ shell: DebugShell,
    _ call: DebuggerCommand.Call
  ) throws -> DebugAnswer {
    let session = shell.session
    var steps: [LogStep] = []
    func goBack(from id: StepID, _ count: Int) throws {
      var id = id
      for _ in 0..<count {
        guard let step = try session.log.step(before: id) else { return }
        steps.insert(step, at: 0)
        id = step.id
      }
    }
    func appendSteps(from id: StepID, _ count: Int) throws {
      var id = id
      for _ in 0..<count {
        guard let step = try session.log.step(after: id) else { return }
        steps.append(step)
        id = step.id
      }
    }
    switch (call.text, shell.listed) {
    case ("-", let listed?): try goBack(from: listed.lowerBound, listCount)
    case ("-", nil): try goBack(from: session.frame.step.id, listCount)
    case ("", let listed?): try appendSteps(from: listed.upperBound, listCount)
    case ("", nil):
      let step = session.frame.step
      try goBack(from: step.id, listCount / 2)
      steps.append(step)
      try appendSteps(from: step.id, listCount / 2)
    case (let text, _) where text.contains(","):
      let ends = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " } }
      guard ends.count == 2, let first = Int(ends[0]), first >= 0,
        let last = ends[1].isEmpty ? first + listCount - 1 : Int(ends[1]), last >= first,
        last - first < mostListed
      else { throw call.badArguments }
      var step = try session.log.step(after: StepID(seq: first - 1, part: .max))
      guard step != nil else { throw try session.noStep(StepID(seq: first)) }
      while let next = step, next.seq <= last {
        steps.append(next)
        step = try session.log.step(after: next.id)
      }
    case (let text, _):
      guard let id = StepID(text) else { throw call.badArguments }
      guard let step = try session.log.step(at: id) else { throw try session.noStep(id) }
      try goBack(from: id, listCount / 2)
      steps.append(step)
      try appendSteps(from: id, listCount / 2)
    }
    if let first = steps.first, let last = steps.last { shell.listed = first.id...last.id }
    return shell.answer {
      steps.isEmpty
        ? [Wording.noMoreSteps]
        : steps.flatMap { step in
          marked(
            StepText(style: shell.style.inset(by: 2)).lines(step),
            step.id == session.frame.step.id
          )
        }
    } json: {
      ["steps": .array(steps.map { .object(StepJSON.link($0)) })]
    }
  }

  private static let listCount = 10
  /// The maximum length of a range that `list` prints.
  ///
  /// `show --range` prints longer ranges.
  private static let mostListed = 10_000

  private static func marked(_ lines: [String], _ isCurrent: Bool) -> [String] {
    lines.enumerated().map { ($0.offset == 0 && isCurrent ? "> " : "  ") + $0.element }
  }

  /// Returns a causal chain in the format of verdicts.
  static func links(_ chain: [LogStep]) -> [Verdict.Divergence.Link] {
    chain.compactMap { step in
      guard let origin = step.origin else { return nil }
      let action =
        step.action?.action
        ?? ["$opaque": "Action", "reason": .string(step.title(Style.plain.notation))]
      return Verdict.Divergence.Link(seq: step.seq, origin: origin, action: action)
    }
  }

  @MainActor static func causes(_ shell: DebugShell) throws -> DebugAnswer {
    let session = shell.session
    let step = session.current
    let chain = try session.causes(of: step)
    let (consequences, hasMore) = try session.consequences(of: step)
    return shell.answer {
      var lines = chain.enumerated().map { depth, link in
        let line = "#\(depth)  \(Wording.link(link, shell.style.notation))"
        return (depth == session.frame.depth ? "> " : "  ") + line
      }
      guard !consequences.isEmpty else { return lines }
      lines.append(Wording.ledTo)
      for (step, depth) in consequences {
        let indent = String(repeating: "  ", count: depth + 1)
        lines.append("\(indent)action \(step.seq)  \(step.title(shell.style.notation))")
      }
      if hasMore { lines.append("  …") }
      return lines
    } json: {
      [
        "causes": .array(chain.map { .object(StepJSON.link($0)) }),
        "consequences": .array(consequences.map { .object(StepJSON.link($0.step)) }),
        "hasMore": .bool(hasMore),
      ]
    }
  }

  @MainActor static func blame(
    _ shell: DebugShell,
    _ place: ValuePath
  ) throws -> DebugAnswer {
    let session = shell.session
    let results = try session.blame(place, at: session.frame.step.seq)
    var causes: [Int: [Verdict.Divergence.Link]] = [:]
    for case let change? in results.map(\.change) where !change.isExternal {
      guard causes[change.seq] == nil, let step = try session.log.step(at: change.seq) else {
        continue
      }
      causes[change.seq] = links(try session.causes(of: step))
    }
    let chains: BlameCommand.CauseLookup = { result in
      result.change.flatMap { $0.isExternal ? nil : causes[$0.seq] } ?? []
    }
    return shell.answer {
      BlameCommand.text(results, of: place, chains, shell.style)
        .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    } json: {
      BlameCommand.document(results, of: place, chains).object ?? JSON.Object()
    }
  }

  /// The maximum number of changes that `history` prints.
  ///
  /// The command prints the changes around the current step.
  private static let mostChanges = 100

  @MainActor static func history(
    _ shell: DebugShell,
    _ place: ValuePath
  ) throws -> DebugAnswer {
    let session = shell.session
    var earlier: [(id: StepID, changes: [PathWatch.WatchedChange])] = []
    var later: [(id: StepID, changes: [PathWatch.WatchedChange])] = []
    var (before, after) = (0, 0)
    let end = try session.forEachChange(of: place) { id, changes in
      if id <= session.current.id {
        earlier.append((id, changes))
        if earlier.count > mostChanges {
          earlier.removeFirst(mostChanges / 2)
          before += mostChanges / 2
        }
      } else if later.count < mostChanges / 2 {
        later.append((id, changes))
      } else {
        after += 1
      }
    }
    let changes = try (earlier + later).compactMap { change in
      try session.log.step(at: change.id).map { (step: $0, changes: change.changes) }
    }
    guard !changes.isEmpty || end != nil else {
      // A value that never changes is a valid result, but a path that doesn't exist is an error.
      _ = try StepExpression(parsing: place.description).value(in: session.current)
      return shell.answer {
        [Wording.neverChanges]
      } json: {
        ["changes": []]
      }
    }
    return try shell.answer {
      let text = StepText(style: shell.style)
      let isThere = { (step: LogStep) in step.id == session.current.id }
      return (before > 0 ? ["  \(Wording.changesBefore(before))"] : [])
        + changes.map { (isThere($0.step) ? "> " : "  ") + text.line($0.step, $0.changes) }
        + (after > 0 ? ["  \(Wording.changesAfter(after))"] : [])
        + (end.map { [Wording.interrupted(at: $0)] } ?? [])
    } json: {
      var object: JSON.Object = [
        "changes": .array(
          changes.map { change in
            var object = StepJSON.link(change.step)
            object["changes"] = .array(change.changes.map { .object(StepJSON.object($0)) })
            return .object(object)
          }
        ), "before": .number(JSON.Number(before)), "after": .number(JSON.Number(after)),
      ]
      object["interruptedAt"] = try end.flatMap { try session.log.step(at: $0) }
        .map { .object(StepJSON.link($0)) }
      return object
    }
  }
}
