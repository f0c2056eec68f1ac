extension Messages {
  static func errorsNotEquatable(_ error: any Error) -> String {
    """
    Two errors of type "\(DumpTypeName.full(type(of: error)))" were to be compared, which is not \
    "Equatable". They count as different. Make the type "Equatable".
    """
  }

  static func missingPayload<Enum, Payload>(
    of value: Enum,
    type: Payload.Type,
    _ message: String
  ) -> String {
    """
    \(prefix(message))A value of type "\(DumpTypeName.full(type))" was expected in a \
    "\(DumpTypeName.full(Enum.self))", which is:

    \(String(customDumping: value).indentedByFour)
    """
  }

  static func payloadUnchanged<Payload>(_ payload: Payload, _ message: String) -> String {
    """
    \(prefix(message))A value was expected to change, and did not. Leave the closure out, or change \
    it:

    \(String(customDumping: payload).indentedByFour)
    """
  }

  static func noEnvironment(_ type: Any.Type) -> String {
    """
    An environment of type "\(DumpTypeName.full(type))" was to be changed, but the test store has none of \
    that type. Make the store with \"TestStore(initialState:reducer:environment:)\" and that type.
    """
  }
}
