extension Shared: CustomDumpRepresentable, DumpPropertyWrapper {
  /// The value, which is what differs.
  public var customDumpValue: Any { reference.current }
}

extension SharedReader: CustomDumpRepresentable, DumpPropertyWrapper {
  /// The value, which is what differs.
  public var customDumpValue: Any { reference.current }
}
