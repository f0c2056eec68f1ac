import ActionLog
import ReplayCommands

/// Why a request has no result.
enum RequestError: Error, Equatable {
  /// A message that is no request of the protocol.
  case badMessage(member: String, expected: String, found: JSON?)
  /// Bytes that are not JSON.
  case malformed(String)
  case badArgument(String, expected: String, found: JSON?)
  case unknownCommand(String, known: [String])
  /// A request that comes too early or too late.
  case outOfOrder(String, expected: String)
  /// A request about a state that is only shown while the log stands still.
  case notStopped(String)
  case cancelled
  case noSuchThread(Int)
  case noSuchFrame(Int)
  case noSuchReference(Int)
  case noSuchVariable(String)
  case noSuchSource(Int)
  case noSuchTarget(Int)
  case noException
  /// The launch has no log.
  case noLog
  /// An app is to be attached, and no socket is given.
  case noSocket
  /// An error of the debugger, in its own words.
  case failed(String)
}

extension RequestError {
  /// A number that stays the same for the same kind of error, so that people can refer to it.
  var id: Int {
    switch self {
    case .badMessage: 1001
    case .malformed: 1002
    case .badArgument: 1003
    case .unknownCommand: 1004
    case .outOfOrder: 1005
    case .notStopped: 1006
    case .cancelled: 1007
    case .noSuchThread: 1101
    case .noSuchFrame: 1102
    case .noSuchReference: 1103
    case .noSuchVariable: 1104
    case .noSuchSource: 1105
    case .noSuchTarget: 1106
    case .noException: 1107
    case .noLog: 1201
    case .noSocket: 1202
    case .failed: 2001
    }
  }

  /// What clients act on: two words of the protocol, else the whole text.
  var message: String {
    switch self {
    case .cancelled: "cancelled"
    case .notStopped: "notStopped"
    default: text.filled
    }
  }

  /// Whether people are to see it: editors ask for much by themselves, which may fail quietly.
  var isForUser: Bool {
    switch self {
    case .noLog, .noSocket, .failed, .badArgument: true
    default: false
    }
  }

  /// The error as the protocol has it.
  var json: JSON {
    let text = text
    var object: JSON.Object = [
      "id": .number(JSON.Number(id)),
      "format": .string(text.format),
    ]
    if !text.variables.isEmpty {
      let members = text.variables.map { (key: $0.name, value: JSON.string($0.value)) }
      object["variables"] = .object(JSON.Object(members: members))
    }
    object["showUser"] = .bool(isForUser)
    return .object(object)
  }

  /// A text with places for values: `no frame has the id {id}`.
  struct MessageTemplate: Equatable {
    var format: String
    var variables: [(name: String, value: String)] = []

    static func == (lhs: MessageTemplate, rhs: MessageTemplate) -> Bool {
      lhs.filled == rhs.filled && lhs.format == rhs.format
    }

    /// The text with the values in their places.
    var filled: String {
      var result = ""
      var rest = format[...]
      while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
        let name = rest[rest.index(after: start)..<end]
        result += rest[..<start]
        result += variables.first { $0.name == name }?.value ?? String(rest[start...end])
        rest = rest[rest.index(after: end)...]
      }
      return result + rest
    }
  }
}
