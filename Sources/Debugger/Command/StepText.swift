import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Writes steps for people, as `show` writes them.
package struct StepText {
  let style: Style

  package init(style: Style) { self.style = style }

  /// The line of a step, with what has no place on it below.
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

  /// The lines of a change from outside with the number by which words know it.
  private func numbered(_ lines: [String], _ id: StepID) -> [String] {
    let (seq, number) = (Self.number(StepID(seq: id.seq)), Self.number(id))
    guard let first = lines.first, first.hasPrefix(seq) else { return lines }
    var rest = first.dropFirst(seq.count)
    // The columns after it stay where they are, as far as there is room.
    for _ in seq.count..<max(seq.count, number.count) where rest.hasPrefix("  ") {
      rest = rest.dropFirst()
    }
    return [number + rest] + lines.dropFirst()
  }

  /// Everything about a step.
  package func details(_ step: LogStep) -> [String] {
    if step.kind == .start || step.kind == .resumed { return lines(step) }
    var lines = written(step, by: TimelineText(style: style))
    if step.isUnfinished { lines.append("    \(Wording.unfinished)") }
    return lines
  }

  private func written(_ step: LogStep, by writer: any TimelineWriter) -> [String] {
    var output: [UInt8] = []
    step.forEachEvent { entry, before, known in
      // The whole state is not a part of a step.
      if case .checkpoint = entry.event { return }
      writer.write(entry.event, before: before, effects: known, to: &output)
    }
    writer.finishStep(to: &output)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The changes of a step, a place after the other.
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

  /// A line with the number, time and action of a step, and one change of a value.
  func line(_ step: LogStep, _ changes: [PlaceWatch.WatchedChange]) -> String {
    let time = step.at.map { RelativeTime(microseconds: $0).description } ?? ""
    let gap = String(repeating: " ", count: max(0, 10 - time.utf8.count))
    let changed = changes.map { Wording.change($0, style) }.joined(separator: ", ")
    return
      "\(Self.number(step.id))  \(style.dim(gap + time))  \(step.title(style.notation))  \(changed)"
  }
}

/// Writes values of expressions for people.
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

  /// A value in one line, shortened as the style says.
  func line(_ value: StepExpression.Value) -> String {
    switch value {
    case .one(let value): style.notation.value(value)
    case .action(let action): style.notation.action(action)
    case .truth(let isTrue): "\(isTrue)"
    case .many(let items):
      "[\(items.map { style.notation.value($0.value) }.joined(separator: ", "))]"
    }
  }

  /// A line for each of many places.
  func lines(_ items: [StepExpression.ExpressionValue]) -> [String] {
    let places = items.map { style.notation.shown($0.pointer, as: $0.place) }
    let width = places.map { TerminalColumns.count($0) }.max() ?? 0
    return zip(places, items).map { place, item in
      let gap = String(repeating: " ", count: width - TerminalColumns.count(place))
      return "\(place)\(gap)  \(style.notation.value(item.value))"
    }
  }
}

/// Writes steps for programs.
package enum StepJSON {
  /// A step without the states around it.
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

  /// The first and the last of actions that are missing.
  static func json(_ seqs: ClosedRange<Int>) -> JSON {
    .array([seqs.lowerBound, seqs.upperBound].map { .number(JSON.Number($0)) })
  }

  /// A step as a part of a list.
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

  package static func object(_ effect: LogPosition.AliveEffect) -> JSON.Object {
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

  static func object(_ change: PlaceWatch.WatchedChange) -> JSON.Object {
    var object: JSON.Object = ["path": .string(change.pointer.description)]
    object["before"] = change.before
    object["after"] = change.after
    return object
  }
}

extension Stop.Hit {
  /// The breakpoint for programs.
  var json: JSON {
    var object: JSON.Object = ["number": .number(JSON.Number(number)), "text": .string(text)]
    if !changes.isEmpty {
      object["changes"] = .array(changes.map { .object(StepJSON.object($0)) })
    }
    return .object(object)
  }
}
