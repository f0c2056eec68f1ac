import ActionLog
import ReplayCommands
import ReplayEngine

/// A timeline that shows all details of a log as text.
package final class TimelineText: TimelineWriter {
  let style: Style
  /// The first line for the current action, written before its first change if output is limited to a path.
  private var action: [UInt8] = []
  private var breaks: LineBreaks
  /// An action that was withheld because of masks.
  ///
  /// Its title is written unless the next event is the recorded action.
  private var withheld: LogEvent.Withheld?

  package init(style: Style) {
    self.style = style
    breaks = LineBreaks(width: style.width, indent: 4)
  }

  package var opening: String { "" }
  package var closing: String { "" }
  package var separator: StaticString { "" }

  package func write(
    _ event: LogEvent,
    before: JSON?,
    effects: LabeledEffects,
    to output: inout [UInt8]
  ) {
    if let withheld = withheld.take(), event.kind != "action" || event.seq != withheld.seq {
      write([title(withheld)], to: &output)
    }
    switch event {
    case .withheld(let action): withheld = action
    case .action(let event):
      write(event, effects, to: &output)
      output.append(UInt8(ascii: "\n"))
    case .read(let read):
      output.append(literal: "    read ")
      output.append(Notation.visible(read.key))
      output.append(literal: "  ")
      style.notation.append(value: read.logged, to: &output)
      output.append(UInt8(ascii: "\n"))
    case .change(let change):
      style.notation.shown(change.logged, before).forEachOperation {
        write($0, before, to: &output)
      }
      for effect in change.effects {
        write(lines(effect), to: &output)
      }
    case .effect(let effect):
      guard !effects.isSettled(by: effect) else { return }
      let turn = Wording.turn(effect, style.notation, effects)
      write([message(turn)], to: &output)
    case .checkpoint(let checkpoint):
      output.append(decimal: checkpoint.seq)
      output.append(literal: "  checkpoint  ")
      style.notation.append(value: checkpoint.logged, to: &output)
      output.append(UInt8(ascii: "\n"))
    default: write(lines(event, before, effects), to: &output)
    }
  }

  package func finishStep(to output: inout [UInt8]) {
    if let withheld = withheld.take() { write([title(withheld)], to: &output) }
  }

  private func write(_ lines: [String], to output: inout [UInt8]) {
    for line in lines {
      output.append(line)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private func write(
    _ action: LogEvent.Action,
    _ effects: LabeledEffects,
    to output: inout [UInt8]
  ) {
    breaks.beginLine(output)
    output.append(literal: style.opening(.bold))
    output.append(decimal: action.seq)
    output.append(literal: "  ")
    RelativeTime(microseconds: action.at).write(to: &output)
    output.append(literal: "  ")
    style.notation.append(action: action.logged, to: &output)
    output.append(literal: style.closing)
    breaks.beginPart(output)
    output.append(literal: "  ")
    output.append(literal: style.opening(.dim))
    Wording.write(action.origin, effects, to: &output)
    output.append(literal: style.closing)
    breaks.breakLine(&output)
  }

  private func write(
    _ operation: borrowing PatchText.LoggedOperation,
    _ before: JSON?,
    to output: inout [UInt8]
  ) {
    guard let path = operation.path else {
      return write(lines(operation.operation, before), to: &output)
    }
    output.append(literal: "    ")
    if path.isEmpty {
      output.append(Wording.wholeState)
    } else {
      output.append(style.notation.pathText(operation.pointer ?? JSON.Pointer(), in: before))
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
}

extension TimelineText {
  package func observe(_ event: LogEvent, effects: LabeledEffects) {
    switch event {
    case .action(let event):
      action.removeAll(keepingCapacity: true)
      write(event, effects, to: &action)
    default: break
    }
  }

  package func write(
    _ event: LogEvent,
    seq: Int,
    _ changes: [PathWatch.WatchedChange],
    to output: inout [UInt8]
  ) {
    switch event {
    case .change: output += action
    default:
      output.append(event.stateChange.flatMap(title) ?? "\(seq)  \(event.kind)")
    }
    output.append(UInt8(ascii: "\n"))
    for change in changes {
      let isNamed = !change.place.isEmpty
      if isNamed {
        let place = style.notation.shown(change.pointer, as: change.place)
        write(["    \(place)"], to: &output)
      }
      let indent = isNamed ? "      " : "    "
      write(Self.pair(change.before, change.after, style, indent: indent), to: &output)
    }
  }
}

// MARK: - Rare events
extension TimelineText {
  private func lines(_ event: LogEvent, _ before: JSON?, _ effects: LabeledEffects) -> [String] {
    switch event {
    case .header(let header): return [style.wrapped(Wording.title(header))]
    case .call(let call): return [message(Wording.call(call, style.notation, effects))]
    case .gap(let gap):
      return ["\(gap.seq)  \(Wording.gap(gap))"]
    case .note(let note): return messages(Wording.lines(note))
    case .finding(let finding): return messages(Wording.lines(finding, style.notation))
    case .end(let end): return ["\(end.seq)  end, \(Notation.visible(end.reason))"]
    case .unknown(let kind, _):
      return ["    \(Wording.kind(unknown: kind)), which this version does not know"]
    default:
      guard let change = event.stateChange, let title = title(change) else { return [] }
      let patch = style.notation.shown(PatchText(change.patch), before).patch
      return [title] + patch.operations.flatMap { lines($0, before) }
        + change.effects.flatMap { lines($0) }
    }
  }

  /// Returns lines that describe an effect and the effects inside it.
  private func lines(_ effect: EffectDescription) -> [String] {
    effect.lines(indent: "    ", style.notation).map { style.hanging($0) }
  }

  /// Formats a message without shortening it.
  private func message(_ text: String) -> String {
    text.isEmpty ? "" : style.wrapped("    \(text)", indent: "      ")
  }

  private func messages(_ lines: [String]) -> [String] { lines.map(message) }

  func title(_ event: LogEvent.Withheld) -> String {
    let cases = event.cases.map { Notation.caseName($0) }.joined()
    return style.bold("\(event.seq)  \(RelativeTime(microseconds: event.at))  \(cases)")
      + style.dim(
        "  \(Wording.origin(event.origin, of: nil, isInLog: true)), \(Wording.withheldForGood)"
      )
  }

  /// Returns the title for a change that has no recorded action, or `nil` for the change of a recorded action.
  private func title(_ change: LogEvent.StateChange) -> String? {
    guard let beginning = change.beginning else { return nil }
    let time = RelativeTime(microseconds: beginning.at)
    let title = "\(change.seq)  \(time)  \(Wording.title(change))"
    guard let origin = beginning.origin else { return title }
    return style.bold(title) + style.dim("  \(Wording.origin(origin, of: nil, isInLog: true))")
  }

  func lines(_ operation: JSON.Patch.Operation, _ before: JSON?) -> [String] {
    let path = operation.path
    let place = Wording.pathText(path, style.notation, in: before)
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
      return ["    \(place)  moved from \(Wording.pathText(from, style.notation, in: before))"]
    case .copy(let from, _):
      return ["    \(place)  copied from \(Wording.pathText(from, style.notation, in: before))"]
    case .test: return []
    }
  }

  package static func pair(
    _ old: JSON?,
    _ new: JSON?,
    _ style: Style,
    indent: String
  ) -> [String] {
    (old.map { [style.red("\(indent)− \(style.notation.value($0))")] } ?? [])
      + (new.map { [style.green("\(indent)+ \(style.notation.value($0))")] } ?? [])
  }
}
