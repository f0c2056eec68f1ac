import ActionLog
import ReplayCommands

/// Numbers the adapter's messages and writes them to the client.
final class MessageWriter {
  private let sink: any ByteSink
  private var seq = 0

  init(_ sink: any ByteSink) { self.sink = sink }

  /// Sends the response to a request.
  ///
  /// - Throws: `StreamError`.
  func respond(to request: Int, _ command: String, _ body: JSON.Object?) throws(StreamError) {
    var members: JSON.Object = [
      "request_seq": .number(JSON.Number(request)), "success": true, "command": .string(command),
    ]
    members["body"] = body.map(JSON.object)
    try write("response", members)
  }

  /// Sends an error response to a request.
  ///
  /// - Throws: `StreamError`.
  func refuse(_ request: Int, _ command: String, _ error: RequestError) throws(StreamError) {
    try write(
      "response",
      [
        "request_seq": .number(JSON.Number(request)), "success": false,
        "command": .string(command), "message": .string(error.message),
        "body": ["error": error.json],
      ]
    )
  }

  /// Sends an event.
  ///
  /// - Throws: `StreamError`.
  func sendEvent(_ event: String, _ body: JSON.Object? = nil) throws(StreamError) {
    var members: JSON.Object = ["event": .string(event)]
    members["body"] = body.map(JSON.object)
    try write("event", members)
  }

  private func write(_ type: String, _ members: JSON.Object) throws(StreamError) {
    seq += 1
    var message: JSON.Object = ["seq": .number(JSON.Number(seq)), "type": .string(type)]
    for (name, value) in members { message[name] = value }
    let bytes = JSON.object(message).bytes
    try sink.write(Array("Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes)
  }
}
