import ActionLog
import ReplayEngine

/// An error response to a request.
///
/// Errors in the arguments and the work of a tool are results of the tool, because the model that called it can read
/// and correct them.
enum ProtocolError: Error, Equatable {
  /// Bytes that are not JSON.
  case notJSON(JSON.ParseError)
  case messageTooLong(limit: Int)
  /// A value that is not a message, with the name of the wrong member, if there is one.
  case notAMessage(member: String?, expected: String)
  case unknownMethod(String, version: ProtocolVersion)
  case badParameter(String, expected: String)
  case unknownTool(String, known: [String])
  case unknownPrompt(String, known: [String])
  case unknownResource(String, version: ProtocolVersion)
  case unsupportedVersion(String)
  /// A request before the version is known.
  case noVersion(String)
  case initializedTwice
  /// The id of a request that is still running.
  case repeatedID
  case tooManyRequests(limit: Int)
  /// An internal error.
  case failed(String)
}

extension ProtocolError {
  /// The code as defined by JSON-RPC 2.0 and the protocol.
  var code: Int {
    switch self {
    case .notJSON: -32700
    case .messageTooLong, .notAMessage, .initializedTwice, .repeatedID: -32600
    case .unknownMethod: -32601
    case .badParameter, .unknownTool, .unknownPrompt, .noVersion: -32602
    case .unknownResource(_, .stateless): -32602
    case .unknownResource(_, .handshake): -32002
    case .failed: -32603
    case .tooManyRequests: -32000
    case .unsupportedVersion: -32022
    }
  }

  /// Additional structured information.
  private var data: JSON? {
    switch self {
    case .unsupportedVersion(let version):
      ["supported": .array(ProtocolVersion.supported), "requested": .string(version)]
    case .unknownResource(let uri, _): ["uri": .string(uri)]
    default: nil
    }
  }

  var json: JSON {
    var object: JSON.Object = [
      "code": .number(JSON.Number(code)), "message": .string(Wording.describe(self)),
    ]
    object["data"] = data
    return .object(object)
  }
}
