/// Reads a member whose type is a tuple: an object with its elements under their labels, else `_0`, `_1`, ...
public func _$decodeTuple<Tuple>(
  _ members: LogDecoder.Members,
  _ name: String,
  over template: Tuple?,
  _ read: (LogDecoder.Members, Tuple?) throws -> Tuple
) throws -> Tuple {
  let place = try members.value(name, over: template.map { _ in DecodedPlace(decoder: nil) })
  guard let decoder = place.decoder else {
    // Without a place in the log there is a template.
    return try template ?? read(members, nil)
  }
  let elements = try decoder.members(of: Tuple.self)
  let tuple = try read(elements, template)
  elements.finish()
  return tuple
}

/// A place in the log that is read later; none where the log has nothing.
private struct DecodedPlace: LogValue {
  let decoder: LogDecoder?

  func encode(to encoder: inout LogEncoder) { encoder.encodeNull() }

  static func decode(from decoder: LogDecoder, over template: Self?) -> Self {
    Self(decoder: decoder)
  }
}
