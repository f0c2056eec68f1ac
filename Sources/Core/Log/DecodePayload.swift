/// Reads the payload of a case and makes the case of it.
public func _$decode<Payload, Enum>(
  _ members: LogDecoder.Members,
  _ name: String,
  _ make: (Payload) -> Enum,
  over template: Payload? = nil
) throws -> Enum {
  make(try members.value(name, Payload.self, over: template))
}

/// Reads the payload of a case, of a type that describes itself, and makes the case of it.
public func _$decode<Payload: LogValue, Enum>(
  _ members: LogDecoder.Members,
  _ name: String,
  _ make: (Payload) -> Enum,
  over template: Payload? = nil
) throws -> Enum {
  make(try members.value(name, Payload.self, over: template))
}
