import ActionLog
import ReplayCommands
import ReplayEngine

/// A timeline with one line for each action: time, action, sender, changes, and effects.
///
/// ```text
///    3  +1.203 s  .load  starts load 3.0
///    4  +1.310 s  .loaded(7)  from load 3.0  count: 1 → 7  load 3.0 finished
/// ```
///
/// If a line is longer than the terminal is wide, it is broken between these parts. Reads, calls, and the library's
/// effects are omitted.
package final class TimelineLines: TimelineWriter {
  private let style: Style
  /// The notation for actions, which limits their length.
  private let action: Notation
  private let value: Notation
  private let changes: ChangeText
  /// The depth of each action in the tree of causes, or `nil` if actions are not indented.
  private var depths: CauseDepths?
  /// Whether the current line has been started and not ended.
  private var isOpen = false
  private var breaks: LineBreaks
  /// The kind of the last part of the line, or `nil` at the start of the line.
  ///
  /// Consecutive parts of one kind are separated by commas.
  private var lastPart: LinePart?
  /// The line for a withheld action, written unless the next event is the recorded action.
  private var withheld: (seq: Int, line: [UInt8])?

  private enum LinePart { case changes, effects, turns }

  /// Creates a timeline.
  ///
  /// - Parameters:
  ///   - style: The colors, the notation, and the terminal width.
  ///   - isTree: Whether an action is indented below the action that caused it.
  package init(style: Style, isTree: Bool = false) {
    self.style = style
    depths = isTree ? CauseDepths() : nil
    var (action, value) = (style.notation, style.notation)
    if !style.notation.isFull {
      // On a narrow terminal, an action gets two fifths of the width, so that changes and effects fit.
      let width = style.width.map { max($0 * 2 / 5, 30) } ?? Self.longestAction
      action.limits.value = min(action.limits.value, width)
      // Strings get half of the limit. Names of cases are shorter than that.
      action.limits.text = min(action.limits.text, Self.longestAction / 2)
      let columns = style.width.map { min(max($0 / 4, 16), Self.longestValue) } ?? Self.longestValue
      value.limits = Notation.Limits(value: columns, text: columns)
    }
    (self.action, self.value) = (action, value)
    changes = ChangeText(style: style, value: value)
    breaks = LineBreaks(width: style.width, indent: Self.margin + 2)
  }

  /// The maximum length of an action, in columns, if the output is not a terminal.
  private static let longestAction = 120
  /// The maximum length of an old or new value, in columns.
  private static let longestValue = 32
  /// The maximum number of changes on one line, unless values are shown in full.
  private static let mostChanges = 3

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
      output += withheld.line
    }
    switch event {
    case .header(let header): output.append(style.wrapped(Wording.title(header)) + "\n")
    case .action(let event):
      beginLine(event.seq, event.at, depths?.depth(of: event) ?? 0, to: &output)
      output.append(literal: style.opening(.bold))
      action.append(action: event.logged, to: &output)
      output.append(literal: style.closing)
      write(event.origin, effects, to: &output)
    case .withheld(let action): withheld = (action.seq, line(action, effects))
    case .change(let change):
      write(change.logged, before, to: &output)
      for effect in change.effects { write(effect, effects, to: &output) }
    case .effect(let turn): write(turn, effects, to: &output)
    case .gap(let gap):
      writeLine(Wording.gap(gap), to: &output)
    case .note(let note): write(lines: Wording.lines(note), to: &output)
    case .finding(let finding):
      write(lines: Wording.lines(finding, style.notation), to: &output)
    case .end(let end): writeLine("end, \(Notation.visible(end.reason))", to: &output)
    default:
      guard let change = event.stateChange, let beginning = change.beginning else { break }
      beginLine(beginning.seq, beginning.at, 0, to: &output)
      output.append(Wording.title(change))
      if let origin = beginning.origin { write(origin, effects, to: &output) }
      write(change.logged, before, to: &output)
      for effect in change.effects { write(effect, effects, to: &output) }
    }
  }

  package func finishStep(to output: inout [UInt8]) {
    if let withheld = withheld.take() { output += withheld.line }
    endLine(to: &output)
  }

  // These functions serve output that is limited to a path, for which `show` uses `TimelineText`.
  package func observe(_ event: LogEvent, effects: LabeledEffects) {}
  package func write(_: LogEvent, seq: Int, _: [PathWatch.WatchedChange], to _: inout [UInt8]) {}
}

// MARK: - Lines

extension TimelineLines {
  private static let numberWidth = 4
  private static let timeWidth = 10
  /// The number of columns before an action: number, time, and two gaps.
  private static let margin = numberWidth + timeWidth + 4

  private func beginLine(_ seq: Int, _ at: Int, _ depth: Int, to output: inout [UInt8]) {
    endLine(to: &output)
    isOpen = true
    lastPart = nil
    breaks.beginLine(output)
    let number = String(seq)
    output += [UInt8](
      repeating: UInt8(ascii: " "),
      count: max(0, Self.numberWidth - number.utf8.count)
    )
    output.append(number)
    output.append(literal: "  ")
    output.append(literal: style.opening(.dim))
    RelativeTime(microseconds: at).write(to: &output, width: Self.timeWidth)
    output.append(literal: style.closing)
    output.append(literal: "  ")
    for _ in 0..<min(depth, CauseDepths.deepest) { output.append(literal: "  ") }
  }

  private func endLine(to output: inout [UInt8]) {
    if isOpen {
      breaks.breakLine(&output)
      output.append(UInt8(ascii: "\n"))
    }
    isOpen = false
  }

  /// Writes a line for an event without a number or a time, indented like an action.
  private func writeLine(_ text: String, to output: inout [UInt8]) {
    endLine(to: &output)
    let indent = text.isEmpty ? "" : String(repeating: " ", count: Self.margin)
    output.append(style.wrapped(indent + text, indent: indent + "  ") + "\n")
  }

  private func write(lines: [String], to output: inout [UInt8]) {
    for line in lines { writeLine(line, to: &output) }
  }

  /// Starts the next item of a line.
  ///
  /// If the action's line is complete, the item starts a separate line.
  ///
  /// - Parameters:
  ///   - part: The kind of the item.
  ///   - isNext: Whether the item is an effect that starts after the previous one ends.
  ///   - output: The text of the step, to which the separator is appended.
  private func openPart(_ part: LinePart, isNext: Bool = false, to output: inout [UInt8]) {
    if !isOpen {
      // The action's line is complete, so a later effect event starts its own line.
      breaks.beginLine(output)
      for _ in 0..<Self.margin { output.append(UInt8(ascii: " ")) }
      isOpen = true
    } else {
      breaks.beginPart(output)
      output.append(literal: lastPart == part ? ", " : "  ")
    }
    lastPart = part
    if isNext { output.append(literal: "then ") }
  }
}

// MARK: - Parts of a line

extension TimelineLines {
  private func write(
    _ origin: LogEvent.Origin,
    _ effects: LabeledEffects,
    to output: inout [UInt8]
  ) {
    if case .view = origin { return }
    breaks.beginPart(output)
    output.append(literal: "  ")
    output.append(literal: style.opening(.dim))
    switch origin {
    case .view: break
    case .parent: output.append(literal: "from an effect of a reducer around the feature")
    case .reentrant(let seq): output.append("sent while action \(seq) was handled")
    case .effect(let id, let via):
      output.append(literal: "from ")
      effects.write(id, to: &output)
      if let via { output.append(" through \(Notation.visible(via))") }
    }
    output.append(literal: style.closing)
  }

  private func line(_ event: LogEvent.Withheld, _ effects: LabeledEffects) -> [UInt8] {
    var line: [UInt8] = []
    beginLine(event.seq, event.at, 0, to: &line)
    line.append(event.cases.map { Notation.caseName($0) }.joined())
    write(event.origin, effects, to: &line)
    breaks.beginPart(line)
    line.append("  \(Wording.withheldForGood)")
    endLine(to: &line)
    return line
  }

  private func write(_ patch: PatchText, _ before: JSON?, to output: inout [UInt8]) {
    var count = 0
    let most = style.notation.isFull ? Int.max : Self.mostChanges
    style.notation.shown(patch, before).forEachOperation { operation in
      count += 1
      guard count <= most else { return }
      openPart(.changes, to: &output)
      changes.write(operation, before, to: &output)
    }
    if count > most { output.append(Wording.andMore(count - most)) }
  }

  /// Writes the effects that the app started, without the merge or concatenation that groups them.
  private func write(
    _ effect: EffectDescription,
    _ effects: LabeledEffects,
    isNext: Bool = false,
    to output: inout [UInt8]
  ) {
    guard !effect.isOfLibrary else { return }
    guard effect.effects.isEmpty else {
      let parts = effect.effects.filter { !$0.isOfLibrary }
      for (index, part) in parts.enumerated() {
        let isNext = index == 0 ? isNext : effect.operation == .concatenate
        write(part, effects, isNext: isNext, to: &output)
      }
      return
    }
    switch effect.operation {
    case .merge, .concatenate: break
    case .cancel:
      openPart(.effects, isNext: isNext, to: &output)
      output.append(literal: "cancels ")
      if let id = effect.cancelID {
        output.append(style.notation.cancelID(id))
      }
    case .send:
      openPart(.effects, isNext: isNext, to: &output)
      output.append(literal: "sends ")
      if let sent = effect.loggedAction { value.append(action: sent, to: &output) }
    case .run:
      openPart(.effects, isNext: isNext, to: &output)
      output.append(literal: "starts ")
      guard let id = effect.id else { return output.append(literal: "an effect") }
      effects.write(id, to: &output)
    }
  }

  private func write(
    _ turn: LogEvent.Effect,
    _ effects: LabeledEffects,
    to output: inout [UInt8]
  ) {
    let effect = effects[turn.id]
    guard effect?.isInternal != true else { return }
    // The timeline already shows the cancellation of this effect.
    if case .finished = turn.event, effect?.isCancelled == true { return }
    openPart(.turns, to: &output)
    if case .failed = turn.event { output.append(literal: style.opening(.red)) }
    effects.write(turn.id, to: &output)
    switch turn.event {
    case .started: output.append(literal: " started")
    case .finished: output.append(literal: " finished")
    case .cancelled(.effect(let id), _):
      output.append(literal: " canceled by ")
      effects.write(id, to: &output)
    case .cancelled(.task, _): output.append(literal: " canceled by the task of its action")
    case .cancelled(.store, _): output.append(literal: " canceled by the end of the store")
    case .cancelled(.action, _): output.append(literal: " canceled")
    case .failed(let error):
      output.append(literal: " failed: ")
      output.append(value.value(error))
      output.append(literal: style.closing)
    }
  }
}

/// Computes the depth of each action in the tree of causes.
struct CauseDepths {
  private var depths: [Int: Int] = [:]

  /// The maximum depth for indentation, beyond which actions are not indented further.
  static let deepest = 20

  /// Returns the depth of the next action, or 0 if its cause is not an action in the log.
  mutating func depth(of action: LogEvent.Action) -> Int {
    let depth = action.origin.cause.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
    depths[action.seq] = depth
    return depth
  }
}
