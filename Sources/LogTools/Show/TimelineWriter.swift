import ActionLog
import ReplayEngine

/// A way to write the events of a log.
protocol TimelineWriter: AnyObject {
  var opening: String { get }
  var closing: String { get }

  /// Writes an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - text: Its line, if it has the recorder's layout.
  ///   - before: The state before it.
  ///   - output: The text to append to.
  func write(
    _ event: SkimmedEvent,
    text: SkimmedEvent.Text?,
    before: JSON?,
    to output: inout [UInt8]
  )

  /// Notes an event of which only the change at one path is written.
  func note(_ event: SkimmedEvent)

  /// Writes the change at the one path.
  func write(
    _ event: SkimmedEvent,
    seq: Int,
    from before: JSON?,
    to after: JSON?,
    to output: inout [UInt8]
  )
}

/// A timeline for people to read.
final class TimelineText: TimelineWriter {
  let style: Style
  /// The title of the current action.
  private var action: [UInt8] = []
  /// An action that was withheld, until the next event shows whether it came after all.
  private var withheld: LogEvent.Withheld?

  init(style: Style) { self.style = style }

  var opening: String { "" }
  var closing: String { withheld.map { "\(title($0))\n" } ?? "" }

  func write(
    _ event: SkimmedEvent,
    text: SkimmedEvent.Text?,
    before: JSON?,
    to output: inout [UInt8]
  ) {
    if let withheld = withheld.take(), event.kind != "action" || event.seq != withheld.seq {
      write([title(withheld)], to: &output)
    }
    switch event {
    case .whole(.withheld(let action)):
      withheld = action
      return
    case .action(let event): write(event, to: &output)
    case .read(let read):
      output.append(literal: "    read ")
      output.append(Notation.visible(read.key))
      output.append(literal: "  ")
      style.notation.append(value: read.value, to: &output)
    case .change(let change):
      for operation in change.patch { write(operation, before, to: &output) }
      for effect in change.effects { write(effect, to: &output) }
      return
    case .effect(let effect):
      output.append(literal: "    ")
      Wording.write(effect, style.notation, to: &output)
    case .checkpoint(let checkpoint):
      output.append(decimal: checkpoint.seq)
      output.append(literal: "  checkpoint  ")
      style.notation.append(value: checkpoint.state, to: &output)
    case .whole(let event):
      write(lines(event, before), to: &output)
      return
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func write(_ lines: [String], to output: inout [UInt8]) {
    for line in lines {
      output.append(line)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private func write(_ action: SkimmedEvent.Action, to output: inout [UInt8]) {
    output.append(literal: style.opening(.bold))
    output.append(decimal: action.seq)
    output.append(literal: "  ")
    style.notation.append(action: action.action, to: &output)
    output.append(literal: style.closing)
    output.append(literal: style.opening(.dim))
    output.append(literal: "  ")
    Wording.write(action.origin, to: &output)
    output.append(literal: style.closing)
  }

  private func write(
    _ operation: PatchText.Operation,
    _ before: JSON?,
    to output: inout [UInt8]
  ) {
    guard let path = operation.path else {
      return write(lines(operation.operation, before), to: &output)
    }
    output.append(literal: "    ")
    if path.isEmpty {
      output.append(Wording.wholeState)
    } else if style.notation.isRaw {
      output.append(contentsOf: path)
    } else {
      output.append(style.notation.place(operation.pointer ?? JSON.Pointer(), in: before))
    }
    output.append(UInt8(ascii: "\n"))
    if !operation.isAddition, let old = before?[text: path] {
      output.append(literal: style.opening(.red))
      output.append(literal: "      − ")
      output.append(style.notation.value(old))
      output.append(literal: style.closing)
      output.append(UInt8(ascii: "\n"))
    }
    if let new = operation.value {
      output.append(literal: style.opening(.green))
      output.append(literal: "      + ")
      style.notation.append(value: new, to: &output)
      output.append(literal: style.closing)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private func write(_ effect: EffectText, to output: inout [UInt8]) {
    for _ in 0..<effect.level + 2 { output.append(literal: "  ") }
    Wording.write(effect, style.notation, to: &output)
    output.append(UInt8(ascii: "\n"))
  }
}

extension TimelineText {
  func note(_ event: SkimmedEvent) {
    switch event {
    case .action(let event):
      action.removeAll(keepingCapacity: true)
      write(event, to: &action)
    case .whole(.action(let event)): action = Array(title(event).utf8)
    default: break
    }
  }

  func write(
    _ event: SkimmedEvent,
    seq: Int,
    from before: JSON?,
    to after: JSON?,
    to output: inout [UInt8]
  ) {
    switch event {
    case .change, .whole(.change): output += action
    case .whole(.external): output.append("\(seq)  changed from outside")
    case .whole(.excluded(let event)): output.append(excludedTitle(event))
    case .checkpoint, .whole(.checkpoint): output.append("\(seq)  checkpoint")
    case .action, .read, .effect, .whole: output.append("\(seq)  \(event.kind)")
    }
    output.append(UInt8(ascii: "\n"))
    write(Self.pair(before, after, style, indent: "    "), to: &output)
  }
}

// Events that were read as values: rare ones, and those that are not in the recorder's layout.
extension TimelineText {
  func lines(_ event: LogEvent, _ before: JSON?) -> [String] {
    switch event {
    case .header(let header): return [Wording.title(header)]
    case .checkpoint(let checkpoint):
      return ["\(checkpoint.seq)  checkpoint  \(style.notation.value(checkpoint.state))"]
    case .withheld(let action): return [title(action)]
    case .action(let action): return [title(action)]
    case .read(let read):
      return ["    read \(Notation.visible(read.key))  \(style.notation.value(read.value))"]
    case .change(let change):
      return change.patch.operations.flatMap { lines($0, before) }
        + change.effects.flatMap { $0.lines(indent: "    ", style.notation) }
    case .effect(let effect): return ["    \(Wording.turn(effect, style.notation))"]
    case .call(let call): return ["    \(Wording.call(call, style.notation))"]
    case .external(let external):
      return ["\(external.seq)  changed from outside"]
        + external.patch.operations.flatMap { lines($0, before) }
    case .excluded(let excluded):
      return [excludedTitle(excluded)]
        + excluded.patch.operations.flatMap { lines($0, before) }
        + excluded.effects.flatMap { $0.lines(indent: "    ", style.notation) }
    case .gap(let gap):
      return ["\(gap.seq)  gap, \(gap.dropped) events are missing: \(Notation.visible(gap.reason))"]
    case .note(let note): return ["    note  \(Notation.visible(note.text))"]
    case .finding(let finding):
      let place = Wording.place(finding.subject, style.notation)
      let subject = finding.subject.isEmpty ? "" : " \(place)"
      let message = Notation.visible(finding.message ?? "")
      return ["    finding \(finding.code.rawValue)\(subject)  \(message)"]
    case .end(let end): return ["\(end.seq)  end, \(Notation.visible(end.reason))"]
    case .unknown(let kind, _):
      return ["    \(Notation.visible(kind)), which this version does not know"]
    }
  }

  func title(_ event: LogEvent.Action) -> String {
    style.bold("\(event.seq)  \(style.notation.action(event.action))")
      + style.dim("  \(Wording.origin(event.origin, of: nil, isInLog: true))")
  }

  func title(_ event: LogEvent.Withheld) -> String {
    let cases = event.cases.map { Notation.caseName($0) }.joined()
    return style.bold("\(event.seq)  \(cases)")
      + style.dim(
        "  \(Wording.origin(event.origin, of: nil, isInLog: true)), \(Wording.withheldForGood)"
      )
  }

  func excludedTitle(_ event: LogEvent.Excluded) -> String {
    style.bold("\(event.seq)  an action that the recording left out")
      + style.dim("  \(Wording.origin(event.origin, of: nil, isInLog: true))")
  }

  func lines(_ operation: JSON.Patch.Operation, _ before: JSON?) -> [String] {
    let path = operation.path
    let place = Wording.place(path, style.notation, in: before)
    switch operation {
    case .add(_, let value):
      return ["    \(place)"] + Self.pair(nil, value, style, indent: "      ")
    case .remove: return ["    \(place)"] + Self.pair(before?[path], nil, style, indent: "      ")
    case .replace(_, let value):
      return ["    \(place)"] + Self.pair(before?[path], value, style, indent: "      ")
    case .splice(_, let splice):
      let removed = before?[path]?.string.flatMap { try? splice.removed(from: $0) } ?? ""
      return ["    \(place)  at byte \(splice.offset) of the text"]
        + Self.pair(
          removed.isEmpty ? nil : JSON.string(removed),
          splice.inserted.isEmpty ? nil : JSON.string(splice.inserted),
          style,
          indent: "      "
        )
    case .move(let from, _):
      return ["    \(place)  moved from \(Wording.place(from, style.notation, in: before))"]
    case .copy(let from, _):
      return ["    \(place)  copied from \(Wording.place(from, style.notation, in: before))"]
    case .test: return []
    }
  }

  static func pair(
    _ old: JSON?,
    _ new: JSON?,
    _ style: Style,
    indent: String
  ) -> [String] {
    (old.map { [style.red("\(indent)− \(style.notation.value($0))")] } ?? [])
      + (new.map { [style.green("\(indent)+ \(style.notation.value($0))")] } ?? [])
  }
}

/// A timeline as one JSON document: an array of events, or of the changes of one value.
final class TimelineJSON: TimelineWriter {
  private let hasPath: Bool
  private var isFirst = true
  private var action: JSON?

  init(hasPath: Bool) { self.hasPath = hasPath }

  var opening: String { hasPath ? "{\"changes\":[" : "{\"events\":[" }
  var closing: String { "]}\n" }

  func write(
    _ event: SkimmedEvent,
    text: SkimmedEvent.Text?,
    before: JSON?,
    to output: inout [UInt8]
  ) {
    separate(&output)
    if let text {
      output += text
    } else if case .whole(let event) = event {
      output += event.line
    }
  }

  func note(_ event: SkimmedEvent) {
    switch event {
    case .action(let event): action = try? JSON(parsing: event.action)
    case .whole(.action(let event)): action = event.action
    default: break
    }
  }

  func write(
    _ event: SkimmedEvent,
    seq: Int,
    from before: JSON?,
    to after: JSON?,
    to output: inout [UInt8]
  ) {
    var object: JSON.Object = ["seq": .number(JSON.Number(seq))]
    if event.kind == "change" { object["action"] = action }
    object["before"] = before
    object["after"] = after
    separate(&output)
    output += JSON.object(object).bytes
  }

  private func separate(_ output: inout [UInt8]) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    isFirst = false
  }
}
