import ActionLog

/// A message of a client.
enum ClientMessage: Sendable {
  case request(ClientRequest)
  case notification(method: String, JSON.Object)
  /// A response.
  ///
  /// The server sends no requests, so it expects none.
  case ignored
  /// An error, which is sent as the response to a request, or without a request id.
  case refused(RequestID?, ProtocolError)

  /// Reads a message.
  init(_ json: JSON) {
    guard let object = json.object else {
      self = .refused(nil, .notAMessage(member: nil, expected: "an object"))
      return
    }
    let id = RequestID(object["id"])
    func refused(_ member: String, _ expected: String) -> ClientMessage {
      .refused(id, .notAMessage(member: member, expected: expected))
    }
    guard object["jsonrpc"] == "2.0" else {
      self = refused("jsonrpc", "\"2.0\"")
      return
    }
    guard let method = object["method"]?.string else {
      let isResponse =
        object["method"] == nil && (object["result"] != nil || object["error"] != nil)
      self = isResponse ? .ignored : refused("method", "a text")
      return
    }
    let params: JSON.Object
    switch object["params"] {
    case nil: params = JSON.Object()
    case .object(let members)?: params = members
    default:
      self = refused("params", "an object")
      return
    }
    if object["id"] == nil {
      self = .notification(method: method, params)
    } else if let id {
      self = .request(ClientRequest(id: id, method: method, params: params))
    } else {
      self = refused("id", "a text or a whole number")
    }
  }
}

/// A request of a client.
struct ClientRequest: Sendable {
  let id: RequestID
  let method: String
  let params: JSON.Object

  /// The members in the parameters that belong to the protocol.
  var meta: JSON.Object { params["_meta"]?.object ?? JSON.Object() }

  /// The token for progress notifications; `nil` if the client does not want them.
  var progressToken: RequestID? { RequestID(meta["progressToken"]) }

  func text(_ name: String) throws(ProtocolError) -> String {
    guard let text = params[name]?.string else {
      throw .badParameter(name, expected: "a text")
    }
    return text
  }

  func optionalText(_ name: String) throws(ProtocolError) -> String? {
    guard let value = params[name] else { return nil }
    guard let text = value.string else { throw .badParameter(name, expected: "a text") }
    return text
  }

  func optionalObject(_ name: String) throws(ProtocolError) -> JSON.Object {
    guard let value = params[name] else { return JSON.Object() }
    guard let object = value.object else { throw .badParameter(name, expected: "an object") }
    return object
  }

  func object(_ name: String) throws(ProtocolError) -> JSON.Object {
    guard let object = params[name]?.object else {
      throw .badParameter(name, expected: "an object")
    }
    return object
  }
}
