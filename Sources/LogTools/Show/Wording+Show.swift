import ActionLog
import ReplayEngine

/// Texts of `show` that other commands also use.
extension Wording {
  /// Returns a name for an unknown kind of event, in quotes if it is not a word.
  static func kind(unknown kind: String) -> String {
    kind.isSwiftIdentifier ? kind : "\(JSON.string(Notation.visible(kind)))"
  }

  /// Returns a text for the position in another log at which a log continues.
  package static func continued(_ place: LogEvent.Header.Continuation) -> String {
    "goes on from action \(place.seq) of log \(Notation.visible(place.log))"
  }

  package static func title(_ header: LogEvent.Header) -> String {
    "\(Notation.visible(header.feature))  log \(Notation.visible(header.id))"
      + (header.startedAt.isEmpty ? "" : ", recorded \(Notation.visible(header.startedAt))")
      + (header.recorder.isEmpty ? "" : " by recorder \(Notation.visible(header.recorder))")
      + (header.continues.map { ", \(continued($0))" } ?? "")
  }

  /// Returns the title of a change outside an action.
  static func title(_ change: LogEvent.StateChange) -> String {
    change.beginning?.origin == nil ? changedFromOutside : leftOut
  }

  static let changedFromOutside = "changed from outside"

  static let leftOut = "an action that the recording left out"

  static let withheldForGood = "withheld for the log's masks; its value never came"

  package static func finding(_ finding: LogEvent.Finding, _ notation: Notation) -> String {
    let subject = finding.subject.isEmpty ? "" : " \(locationText(finding.subject, notation))"
    return "finding \(finding.code.rawValue)\(subject)  \(Notation.visible(finding.message ?? ""))"
  }

  /// Returns the lines of a note.
  static func lines(_ note: LogEvent.Note) -> [String] {
    paragraph("note  ", Notation.visibleLines(note.text))
  }

  /// Returns the lines of a finding, one for each line of its message.
  static func lines(_ finding: LogEvent.Finding, _ notation: Notation) -> [String] {
    let lines = Notation.visibleLines(finding.message ?? "")
    guard lines.count > 1 else { return [self.finding(finding, notation)] }
    var head = finding
    head.message = nil
    return [self.finding(head, notation)] + paragraph("  ", lines)
  }

  /// Returns a title with lines below it.
  private static func paragraph(_ title: String, _ lines: [String]) -> [String] {
    let indent = String(repeating: " ", count: title.count)
    return lines.enumerated().map { index, line in
      index == 0 ? title + line : line.isEmpty ? "" : indent + line
    }
  }

  static func gap(_ gap: LogEvent.Gap) -> String { "gap, \(missing(gap))" }

  /// Returns a text such as `4 events are missing: the disk was full`.
  package static func missing(_ gap: LogEvent.Gap) -> String {
    "\(missing(gap.dropped)): \(Notation.visible(gap.reason))"
  }

  /// Returns a text such as `4 events are missing`.
  static func missing(_ count: Int) -> String {
    "\(counted(count, "event")) \(count == 1 ? "is" : "are") missing"
  }

  /// Returns a text for an effect event.
  ///
  /// - Parameters:
  ///   - effect: The event.
  ///   - notation: The notation for values.
  ///   - known: The names of effects.
  /// - Returns: A text such as `save 3.0 finished after 1 action`.
  package static func turn(
    _ effect: LogEvent.Effect,
    _ notation: Notation,
    _ known: KnownEffects = KnownEffects()
  ) -> String {
    var text: [UInt8] = []
    write(effect, notation, known, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes an effect event.
  static func write(
    _ effect: LogEvent.Effect,
    _ notation: Notation,
    _ known: KnownEffects,
    to output: inout [UInt8]
  ) {
    known.write(effect.id, to: &output)
    switch effect.event {
    case .started: output.append(literal: " started")
    case .finished(let sent):
      // A cancelled effect did not finish its work.
      let end = known[effect.id]?.isCancelled == true ? "ended" : "finished"
      output.append(" \(end) after \(actions(sent))")
    case .cancelled(.effect(let id), _):
      output.append(literal: " cancelled by ")
      known.write(id, to: &output)
    case .cancelled(let canceller, _):
      output.append(literal: " cancelled by ")
      output.append(name(canceller))
    case .failed(let error):
      output.append(literal: " failed  ")
      output.append(notation.value(error))
    }
  }

  /// Returns a text for the call of an effect: `load 1.0 called APIClient.fetch(7) for 12.3 ms  "Milk"`.
  package static func call(
    _ call: LogEvent.Call,
    _ notation: Notation,
    _ known: KnownEffects = KnownEffects()
  ) -> String {
    "\(known.name(of: call.id)) called \(signature(call, notation)) \(outcome(call, notation))"
  }

  /// Returns the endpoint with its arguments.
  private static func signature(_ call: LogEvent.Call, _ notation: Notation) -> String {
    let arguments = call.arguments.map { notation.value($0) }.joined(separator: ", ")
    return "\(Notation.visible(call.key))(\(arguments))"
  }

  /// Returns the result of a call and its duration.
  private static func outcome(_ call: LogEvent.Call, _ notation: Notation) -> String {
    let time = StatisticsText.time(call.us)
    let cancelled = call.isCancelled ? ", cancelled" : ""
    return switch call.outcome {
    case nil: "for \(time) when the log ended"
    case .returned([:]): "for \(time)\(cancelled)"
    case .returned(let value): "for \(time)\(cancelled)  \(notation.value(value))"
    case .threw(let error): "for \(time)\(cancelled), threw  \(notation.value(error))"
    }
  }

  private static func name(_ canceller: LogEvent.Effect.Canceller) -> String {
    switch canceller {
    case .action(let seq): "action \(seq)"
    case .effect(let id): "effect \(id)"
    case .task: "the task of its action"
    case .store: "the end of the store"
    }
  }

  /// Returns the sender of an action in the displayed log.
  package static func origin(_ origin: LogEvent.Origin, of seq: Int?, isInLog: Bool) -> String {
    guard isInLog, case .effect(let id, let via) = origin else {
      return self.origin(origin, of: seq)
    }
    return "sent by effect \(id)\(via.map { " through \($0)" } ?? "")"
  }

  /// Writes the sender of an action in the displayed log.
  static func write(
    _ origin: LogEvent.Origin,
    _ known: KnownEffects,
    to output: inout [UInt8]
  ) {
    guard case .effect(let id, let via) = origin else {
      return output.append(Self.origin(origin, of: nil, isInLog: true))
    }
    output.append(literal: "sent by ")
    known.write(id, to: &output)
    if let via { output.append(" through \(Notation.visible(via))") }
  }

  /// Returns a path into the state.
  static func pathText(
    _ path: JSON.Pointer,
    _ notation: Notation,
    in state: JSON? = nil
  ) -> String {
    path.tokens.isEmpty ? wholeState : notation.pathText(path, in: state)
  }
}
