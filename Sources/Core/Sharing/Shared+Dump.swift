extension Shared: CustomDumpRepresentable {
  /// The value, which is what differs.
  public var customDumpValue: Any { reference.current }
}

extension SharedReader: CustomDumpRepresentable {
  /// The value, which is what differs.
  public var customDumpValue: Any { reference.current }
}
