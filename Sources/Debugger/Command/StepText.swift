import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Formats steps as text, in the layout of `show`.
package struct StepText {
  let style: Style

  package init(style: Style) { self.style = style }

  /// Returns the line of a step, followed by lines for the details that don't fit on it.
  package func lines(_ step: LogStep) -> [String] {
    var lines = written(step, by: TimelineLines(style: style))
    switch step.kind {
    case .resumed: lines.append("\(Self.number(step.id))  \(Wording.resumed)")
    case .external: lines = numbered(lines, step.id)
    case .start where step.after == nil: lines.append(Wording.noFirstState)
    default: if step.isUnfinished { lines.append("      \(Wording.unfinished)") }
    }
    if let broken = step.end.brokenPatch, broken.seq == step.seq { lines.append("      \(broken)") }
    if let missing = step.missing { lines.append("      \(Wording.missing(missing))") }
    return lines
  }

  /// Replaces the number in the lines of an external change by the id that words accept, such as `7+1`.
  private func numbered(_ lines: [String], _ id: StepID) -> [String] {
    let (seq, number) = (Self.number(StepID(seq: id.seq)), Self.number(id))
    guard let first = lines.first, first.hasPrefix(seq) else { return lines }
    var rest = first.dropFirst(seq.count)
    // The id takes space from the padding, so that the following columns stay aligned if possible.
    for _ in seq.count..<max(seq.count, number.count) where rest.hasPrefix("  ") {
      rest = rest.dropFirst()
    }
    return [number + rest] + lines.dropFirst()
  }

  /// Returns all details of a step.
  package func details(_ step: LogStep) -> [String] {
    if step.kind == .start || step.kind == .resumed { return lines(step) }
    var lines = written(step, by: TimelineText(style: style))
    if step.isUnfinished { lines.append("    \(Wording.unfinished)") }
    return lines
  }

  private func written(_ step: LogStep, by writer: any TimelineWriter) -> [String] {
    var output: [UInt8] = []
    step.forEachEvent { entry, before, known in
      // A checkpoint repeats the state, which is not a detail of this step.
      if case .checkpoint = entry.event { return }
      writer.write(entry.event, before: before, effects: known, to: &output)
    }
    writer.finishStep(to: &output)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Returns the changes of a step, one line for each path.
  func changes(_ step: LogStep) -> [String] {
    let writer = TimelineText(style: style)
    var output: [UInt8] = []
    step.forEachEvent { entry, before, known in
      guard entry.event.stateChange != nil else { return }
      var event = entry.event
      event.stateChange?.effects = []
      writer.write(event, before: before, effects: known, to: &output)
    }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  static func number(_ id: StepID) -> String {
    let text = id.description
    return String(repeating: " ", count: max(0, 4 - text.utf8.count)) + text
  }

  /// Returns a line with the number, the time, and the action of a step, and with the changes to a value.
  func line(_ step: LogStep, _ changes: [PathWatch.WatchedChange]) -> String {
    let time = step.at.map { RelativeTime(microseconds: $0).description } ?? ""
    let gap = String(repeating: " ", count: max(0, 10 - time.utf8.count))
    let changed = changes.map { Wording.change($0, style) }.joined(separator: ", ")
    return
      "\(Self.number(step.id))  \(style.dim(gap + time))  \(step.title(style.notation))  \(changed)"
  }
}

/// Formats the values of expressions as text.
package struct ValueText {
  let style: Style

  package init(style: Style) { self.style = style }

  package func lines(_ value: StepExpression.Value) -> [String] {
    switch value {
    case .one(let value):
      let text = style.notation.isRaw ? value.indented : style.notation.lines(value)
      return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .action(let action): return [style.notation.action(action)]
    case .truth(let isTrue): return ["\(isTrue)"]
    case .many(let items): return items.isEmpty ? [Wording.nothingFound] : lines(items)
    }
  }

  /// Returns a value as one line, truncated according to the style.
  func line(_ value: StepExpression.Value) -> String {
    switch value {
    case .one(let value): style.notation.value(value)
    case .action(let action): style.notation.action(action)
    case .truth(let isTrue): "\(isTrue)"
    case .many(let items):
      "[\(items.map { style.notation.value($0.value) }.joined(separator: ", "))]"
    }
  }

  /// Returns one line for each value, with its path.
  func lines(_ items: [StepExpression.ExpressionValue]) -> [String] {
    let places = items.map { style.notation.shown($0.pointer, as: $0.place) }
    let width = places.map { TerminalWidthCounter.count($0) }.max() ?? 0
    return zip(places, items).map { place, item in
      let gap = String(repeating: " ", count: width - TerminalWidthCounter.count(place))
      return "\(place)\(gap)  \(style.notation.value(item.value))"
    }
  }
}

/// Formats steps as JSON.
package enum StepJSON {
  /// Returns a step as JSON, without the states before and after it.
  package static func object(_ step: LogStep) -> JSON.Object {
    var object: JSON.Object = [
      "seq": .number(JSON.Number(step.seq)), "kind": .string(step.kind.rawValue),
    ]
    if step.id.part > 0 { object["part"] = .number(JSON.Number(step.id.part)) }
    object["at"] = step.at.map { .number(JSON.Number($0)) }
    object["lines"] = .array(
      [step.lines.lowerBound, step.lines.upperBound].map { .number(JSON.Number($0)) }
    )
    object["action"] = step.action?.action
    object["origin"] = step.origin?.json
    if step.isUnfinished { object["unfinished"] = true }
    object["missing"] = step.missing.map { json($0) }
    let reads = step.reads
    if !reads.isEmpty {
      object["reads"] = .array(reads.map { ["key": .string($0.key), "value": $0.value] })
    }
    object["patch"] = step.patch?.json
    let effects = step.effects
    if !effects.isEmpty { object["effects"] = .array(effects.map { JSON(logging: $0) }) }
    let turns = step.turns
    if !turns.isEmpty {
      object["turns"] = .array(turns.compactMap { try? JSON(parsing: LogEvent.effect($0).line) })
    }
    object["alive"] = .array(step.alive.map { .object(Self.object($0)) })
    return object
  }

  /// Returns the numbers of the first and the last missing action.
  static func json(_ seqs: ClosedRange<Int>) -> JSON {
    .array([seqs.lowerBound, seqs.upperBound].map { .number(JSON.Number($0)) })
  }

  /// Returns the short form of a step that is used in lists.
  package static func link(_ step: LogStep) -> JSON.Object {
    var object: JSON.Object = [
      "seq": .number(JSON.Number(step.seq)), "kind": .string(step.kind.rawValue),
    ]
    if step.id.part > 0 { object["part"] = .number(JSON.Number(step.id.part)) }
    object["at"] = step.at.map { .number(JSON.Number($0)) }
    object["action"] = step.action?.action
    object["origin"] = step.origin?.json
    return object
  }

  package static func object(_ effect: PositionState.AliveEffect) -> JSON.Object {
    var object: JSON.Object = ["id": .string(effect.id.description)]
    if !effect.label.isEmpty { object["name"] = .string(effect.label) }
    object["source"] = effect.source.map { .string($0) }
    if effect.isWaiting { object["waits"] = true }
    return object
  }

  package static func object(_ value: StepExpression.Value) -> JSON.Object {
    switch value {
    case .one(let value), .action(let value): ["value": value]
    case .truth(let isTrue): ["value": .bool(isTrue)]
    case .many(let items):
      [
        "values": .array(
          items.map { ["path": .string($0.pointer.description), "value": $0.value] }
        )
      ]
    }
  }

  static func object(_ change: PathWatch.WatchedChange) -> JSON.Object {
    var object: JSON.Object = ["path": .string(change.pointer.description)]
    object["before"] = change.before
    object["after"] = change.after
    return object
  }
}

extension Stop.Hit {
  /// The breakpoint as JSON.
  var json: JSON {
    var object: JSON.Object = ["number": .number(JSON.Number(number)), "text": .string(text)]
    if !changes.isEmpty {
      object["changes"] = .array(changes.map { .object(StepJSON.object($0)) })
    }
    return .object(object)
  }
}
