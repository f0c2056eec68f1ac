internal import ActionLog

extension Shared: Equatable where Value: Equatable {
  /// Whether the values are equal; while a test compares, what it expects on the left side.
  public static func == (lhs: Shared, rhs: Shared) -> Bool {
    SharedReader(lhs) == SharedReader(rhs)
  }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Whether the values are equal; while a test compares, what it expects on the left side.
  public static func == (lhs: SharedReader, rhs: SharedReader) -> Bool {
    guard let tracker = SharedChangeTracker.comparing else {
      return lhs.wrappedValue == rhs.wrappedValue
    }
    tracker.see(lhs.reference.root)
    return SharedChangeTracker.onLeftSide { lhs.reference.current } == rhs.reference.current
  }
}

extension Shared: Identifiable where Value: Identifiable {
  /// The id of the value.
  public var id: Value.ID { wrappedValue.id }
}

extension SharedReader: Identifiable where Value: Identifiable {
  /// The id of the value.
  public var id: Value.ID { wrappedValue.id }
}

extension Shared: CustomStringConvertible {
  /// The type and the value.
  public var description: String { "Shared(\(String(reflecting: reference.current)))" }
}

extension SharedReader: CustomStringConvertible {
  /// The type and the value.
  public var description: String { "SharedReader(\(String(reflecting: reference.current)))" }
}

extension Shared: CustomDumpRepresentable, DumpPropertyWrapper {
  /// The value; on the left side of a test's comparison, what the test expects.
  public var customDumpValue: Any { reference.current }
}

extension SharedReader: CustomDumpRepresentable, DumpPropertyWrapper {
  /// The value; on the left side of a test's comparison, what the test expects.
  public var customDumpValue: Any { reference.current }
}

extension Shared: CustomReflectable {
  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: reference.current) }
}

extension SharedReader: CustomReflectable {
  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: reference.current) }
}
