import ActionLog

/// A timeline as one JSON document: an array of events, or of the changes of one value.
final class TimelineJSON: TimelineWriter {
  private let path: JSON.Pointer?
  private var isFirst = true
  private var action: LogEvent.Action?

  init(path: JSON.Pointer?) { self.path = path }

  var opening: String { path == nil ? "{\"events\":[" : "{\"changes\":[" }
  var closing: String { "]}\n" }

  func text(_ entry: Timeline.Entry) -> String {
    if case .action(let event) = entry.event { action = event }
    guard let path else {
      return element(String(decoding: entry.event.line, as: UTF8.self))
    }
    guard let after = entry.stateAfter, entry.stateBefore?[path] != after[path] else { return "" }
    var object: JSON.Object = ["seq": .number(JSON.Number(entry.seq ?? 0))]
    if case .change = entry.event { object["action"] = action?.action }
    object["before"] = entry.stateBefore?[path]
    object["after"] = after[path]
    return element(JSON.object(object).description)
  }

  private func element(_ text: String) -> String {
    defer { isFirst = false }
    return isFirst ? text : ",\(text)"
  }
}
