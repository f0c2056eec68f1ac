import ActionLog
import ReplayEngine

/// The titles and phrases of the timeline, some of which other commands also use.
extension Wording {
  /// Returns the name of an unknown event kind, in quotes if it is not a single word.
  static func kind(unknown kind: String) -> String {
    kind.isSwiftIdentifier ? kind : "\(JSON.string(Notation.visible(kind)))"
  }

  /// Returns a phrase that names an earlier log, and the action after which the current log continues it.
  package static func continued(_ place: LogEvent.Header.Continuation) -> String {
    "goes on from action \(place.seq) of log \(Notation.visible(place.log))"
  }

  package static func title(_ header: LogEvent.Header) -> String {
    "\(Notation.visible(header.feature))  log \(Notation.visible(header.id))"
      + (header.startedAt.isEmpty ? "" : ", recorded \(Notation.visible(header.startedAt))")
      + (header.recorder.isEmpty ? "" : " by recorder \(Notation.visible(header.recorder))")
      + (header.continues.map { ", \(continued($0))" } ?? "")
  }

  /// Returns the title for an external change or an excluded action.
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

  /// Returns the text of a note as lines, with a title on the first line.
  static func lines(_ note: LogEvent.Note) -> [String] {
    paragraph("note  ", Notation.visibleLines(note.text))
  }

  /// Returns a finding as lines, with its message below the title if the message has several lines.
  static func lines(_ finding: LogEvent.Finding, _ notation: Notation) -> [String] {
    let lines = Notation.visibleLines(finding.message ?? "")
    guard lines.count > 1 else { return [self.finding(finding, notation)] }
    var head = finding
    head.message = nil
    return [self.finding(head, notation)] + paragraph("  ", lines)
  }

  /// Returns lines with a title before the first line, and the other lines indented by the width of the title.
  private static func paragraph(_ title: String, _ lines: [String]) -> [String] {
    let indent = String(repeating: " ", count: title.count)
    return lines.enumerated().map { index, line in
      index == 0 ? title + line : line.isEmpty ? "" : indent + line
    }
  }

  static func gap(_ gap: LogEvent.Gap) -> String { "gap, \(missing(gap))" }

  /// Returns a phrase such as `4 events are missing: the disk was full`.
  package static func missing(_ gap: LogEvent.Gap) -> String {
    "\(missing(gap.dropped)): \(Notation.visible(gap.reason))"
  }

  /// Returns a phrase such as `4 events are missing`.
  static func missing(_ count: Int) -> String {
    "\(counted(count, "event")) \(count == 1 ? "is" : "are") missing"
  }

  /// Describes an effect event.
  ///
  /// - Parameters:
  ///   - effect: The event to describe.
  ///   - notation: The notation for values.
  ///   - known: The effects that have started, which supply the labels.
  /// - Returns: A phrase such as `save 3.0 finished after 1 action`.
  package static func turn(
    _ effect: LogEvent.Effect,
    _ notation: Notation,
    _ known: LabeledEffects = LabeledEffects()
  ) -> String {
    var text: [UInt8] = []
    write(effect, notation, known, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends a description of an effect event.
  static func write(
    _ effect: LogEvent.Effect,
    _ notation: Notation,
    _ known: LabeledEffects,
    to output: inout [UInt8]
  ) {
    known.write(effect.id, to: &output)
    switch effect.event {
    case .started: output.append(literal: " started")
    case .finished(let sent):
      // A canceled effect may not have finished its work, so it only ended.
      let end = known[effect.id]?.isCancelled == true ? "ended" : "finished"
      output.append(" \(end) after \(actions(sent))")
    case .cancelled(.effect(let id), _):
      output.append(literal: " canceled by ")
      known.write(id, to: &output)
    case .cancelled(let canceller, _):
      output.append(literal: " canceled by ")
      output.append(name(canceller))
    case .failed(let error):
      output.append(literal: " failed  ")
      output.append(notation.value(error))
    }
  }

  /// Describes a call that an effect made, such as `load 1.0 called APIClient.fetch(7) for 12.3 ms  "Milk"`.
  package static func call(
    _ call: LogEvent.Call,
    _ notation: Notation,
    _ known: LabeledEffects = LabeledEffects()
  ) -> String {
    "\(known.name(of: call.id)) called \(signature(call, notation)) \(outcome(call, notation))"
  }

  /// Returns the called endpoint with its arguments.
  private static func signature(_ call: LogEvent.Call, _ notation: Notation) -> String {
    let arguments = call.arguments.map { notation.value($0) }.joined(separator: ", ")
    return "\(Notation.visible(call.key))(\(arguments))"
  }

  /// Returns the duration and the result of a call, as text.
  private static func outcome(_ call: LogEvent.Call, _ notation: Notation) -> String {
    let time = StatisticsText.time(call.us)
    let canceled = call.isCancelled ? ", canceled" : ""
    return switch call.outcome {
    case nil: "for \(time) when the log ended"
    case .returned([:]): "for \(time)\(canceled)"
    case .returned(let value): "for \(time)\(canceled)  \(notation.value(value))"
    case .threw(let error): "for \(time)\(canceled), threw  \(notation.value(error))"
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

  /// Returns a phrase for the sender of an action.
  ///
  /// - Parameters:
  ///   - origin: The sender of the action.
  ///   - seq: The number of the action that started the sending effect, or `nil` if the log doesn't contain that
  ///     action. The number is ignored if `isInLog` is `true`.
  ///   - isInLog: Whether the log contains the action that started the effect. If so, the phrase omits that action.
  /// - Returns: The phrase, such as `sent by the view`.
  package static func origin(_ origin: LogEvent.Origin, of seq: Int?, isInLog: Bool) -> String {
    guard isInLog, case .effect(let id, let via) = origin else {
      return self.origin(origin, of: seq)
    }
    return "sent by effect \(id)\(via.map { " through \($0)" } ?? "")"
  }

  /// Appends a phrase for the sender of an action.
  static func write(
    _ origin: LogEvent.Origin,
    _ known: LabeledEffects,
    to output: inout [UInt8]
  ) {
    guard case .effect(let id, let via) = origin else {
      return output.append(Self.origin(origin, of: nil, isInLog: true))
    }
    output.append(literal: "sent by ")
    known.write(id, to: &output)
    if let via { output.append(" through \(Notation.visible(via))") }
  }

  /// Returns a path into the state as displayed text.
  static func pathText(
    _ path: JSON.Pointer,
    _ notation: Notation,
    in state: JSON? = nil
  ) -> String {
    path.tokens.isEmpty ? wholeState : notation.pathText(path, in: state)
  }
}
