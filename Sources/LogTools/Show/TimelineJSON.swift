import ActionLog

/// A timeline as one JSON document: an array of events, or of the changes of one value.
final class TimelineJSON: TimelineWriter {
  private let hasPath: Bool
  private var isFirst = true
  private var action: JSON?

  init(path: JSON.Pointer?) { hasPath = path != nil }

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
