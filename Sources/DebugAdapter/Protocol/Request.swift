import ActionLog

/// A request from a client.
struct Request: Equatable {
  /// The number of the request, to which the response refers.
  let seq: Int
  let command: String
  let arguments: RequestArguments

  /// The result of reading a message.
  enum ParseResult: Equatable {
    case request(Request)
    /// A message that needs no response: a response or an event.
    case ignored
    /// A message that is not a valid request but has a number, so that it can be answered.
    case refused(seq: Int, command: String, RequestError)
    /// A message that can't be answered.
    case unanswerable(RequestError)
  }

  /// Classifies a message.
  static func read(_ message: JSON) -> ParseResult {
    guard let object = message.object else {
      return .unanswerable(.badMessage(member: "", expected: "an object", found: message))
    }
    // The protocol counts from 1, but some clients start at 0.
    guard let seq = object["seq"]?.int, (0...Int(Int32.max)).contains(seq) else {
      let expected = "a whole number from 0 to \(Int32.max)"
      return .unanswerable(.badMessage(member: "seq", expected: expected, found: object["seq"]))
    }
    let command = object["command"]?.string
    func refused(_ member: String, _ expected: String) -> ParseResult {
      let error = RequestError.badMessage(member: member, expected: expected, found: object[member])
      return .refused(seq: seq, command: command ?? "", error)
    }
    switch object["type"]?.string {
    case "request": break
    case "response", "event": return .ignored
    default: return refused("type", "\"request\"")
    }
    guard let command else { return refused("command", "a string") }
    switch object["arguments"] {
    case nil, .null:
      return .request(Request(seq: seq, command: command, arguments: RequestArguments()))
    case .object(let members):
      return .request(Request(seq: seq, command: command, arguments: RequestArguments(members)))
    default: return refused("arguments", "an object")
    }
  }
}
