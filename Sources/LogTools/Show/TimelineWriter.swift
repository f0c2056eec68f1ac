import ActionLog
import ReplayEngine

/// Formats the events of a log for one output format.
package protocol TimelineWriter: AnyObject {
  var opening: String { get }
  var closing: String { get }
  /// The text that separates two steps.
  var separator: StaticString { get }

  /// Formats an event.
  ///
  /// - Parameters:
  ///   - event: The event to format.
  ///   - before: The state before the event, or `nil` if it is not known.
  ///   - effects: The effects that have started, including those that start with the event.
  ///   - output: The text of the current step, to which the event is appended.
  func write(
    _ event: LogEvent,
    before: JSON?,
    effects: LabeledEffects,
    to output: inout [UInt8]
  )

  /// Completes the text of a step, which is an action and the events after it.
  func finishStep(to output: inout [UInt8])

  /// Processes an event that is not itself written, because the output is limited to the changes at a path.
  func observe(_ event: LogEvent, effects: LabeledEffects)

  /// Formats the changes that an event made at the selected path.
  func write(
    _ event: LogEvent,
    seq: Int,
    _ changes: [PathWatch.WatchedChange],
    to output: inout [UInt8]
  )
}

/// A timeline as one JSON document, which contains the events, or the changes at the selected path.
final class TimelineJSON: TimelineWriter {
  private let hasPath: Bool
  private var action: JSON?

  init(hasPath: Bool) { self.hasPath = hasPath }

  var opening: String { hasPath ? "{\"changes\":[" : "{\"events\":[" }
  var closing: String { "]}\n" }
  var separator: StaticString { "," }

  func write(
    _ event: LogEvent,
    before: JSON?,
    effects: LabeledEffects,
    to output: inout [UInt8]
  ) {
    separate(&output)
    output += event.line
  }

  func finishStep(to output: inout [UInt8]) {}

  func observe(_ event: LogEvent, effects: LabeledEffects) {
    switch event {
    case .action(let event): action = event.action
    default: break
    }
  }

  func write(
    _ event: LogEvent,
    seq: Int,
    _ changes: [PathWatch.WatchedChange],
    to output: inout [UInt8]
  ) {
    for change in changes {
      var object: JSON.Object = ["seq": .number(JSON.Number(seq))]
      if event.kind == "change" { object["action"] = action }
      if !change.place.isEmpty { object["path"] = .string(change.pointer.description) }
      object["before"] = change.before
      object["after"] = change.after
      separate(&output)
      output += JSON.object(object).bytes
    }
  }

  private func separate(_ step: inout [UInt8]) {
    if !step.isEmpty { step.append(UInt8(ascii: ",")) }
  }
}
