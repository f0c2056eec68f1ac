import ActionLog
import ReplayEngine

/// An output format for the events of a log.
package protocol TimelineWriter: AnyObject {
  var opening: String { get }
  var closing: String { get }
  /// The text between two steps.
  var separator: StaticString { get }

  /// Writes an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - before: The state before the event.
  ///   - effects: The effects that are known so far, including those that the event starts.
  ///   - output: The text of the step to append to.
  func write(
    _ event: LogEvent,
    before: JSON?,
    effects: KnownEffects,
    to output: inout [UInt8]
  )

  /// Completes the text of a step: an action and the events after it.
  func finishStep(to output: inout [UInt8])

  /// Registers an event of which only the changes at one path are written.
  func observe(_ event: LogEvent, effects: KnownEffects)

  /// Writes the changes at the selected path.
  func write(
    _ event: LogEvent,
    seq: Int,
    _ changes: [PathWatch.WatchedChange],
    to output: inout [UInt8]
  )
}

/// A timeline as one JSON document: an array of events, or of the changes to one value.
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
    effects: KnownEffects,
    to output: inout [UInt8]
  ) {
    separate(&output)
    output += event.line
  }

  func finishStep(to output: inout [UInt8]) {}

  func observe(_ event: LogEvent, effects: KnownEffects) {
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
