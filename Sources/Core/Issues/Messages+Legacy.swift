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
}
