import ActionLog
import ReplayCommands

/// The reason why a request fails.
enum RequestError: Error, Equatable {
  /// The message is not a valid request, because a member has an unexpected value or is missing.
  case badMessage(member: String, expected: String, found: JSON?)
  /// The bytes are not JSON.
  case malformed(String)
  case badArgument(String, expected: String, found: JSON?)
  case unknownCommand(String, known: [String])
  /// The request came too early or too late in the session.
  case outOfOrder(String, expected: String)
  /// The request needs a stopped log.
  case notStopped(String)
  case cancelled
  case noSuchThread(Int)
  case noSuchFrame(Int)
  case noSuchReference(Int)
  case noSuchVariable(String)
  case noSuchSource(Int)
  case noSuchTarget(Int)
  case noException
  /// The launch configuration has no log.
  case noLog
  /// The configuration of `attach` has no socket.
  case noSocket
  /// The debugger failed with this message.
  case failed(String)
}

extension RequestError {
  /// The number of this kind of error, which stays the same so that people can refer to it.
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

  /// The message for clients: one of two words that the protocol defines, or the complete text.
  var message: String {
    switch self {
    case .cancelled: "cancelled"
    case .notStopped: "notStopped"
    default: text.filled
    }
  }

  /// Whether the editor shows the error to the user.
  ///
  /// Editors send many requests on their own that may fail silently.
  var isForUser: Bool {
    switch self {
    case .noLog, .noSocket, .failed, .badArgument: true
    default: false
    }
  }

  /// The error in the protocol's JSON format.
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

  /// A message with placeholders for values, such as `no frame has the id {id}`.
  struct MessageTemplate: Equatable {
    var format: String
    var variables: [(name: String, value: String)] = []

    static func == (lhs: MessageTemplate, rhs: MessageTemplate) -> Bool {
      lhs.filled == rhs.filled && lhs.format == rhs.format
    }

    /// The message with values instead of placeholders.
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
