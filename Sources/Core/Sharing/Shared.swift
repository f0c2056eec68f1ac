internal import ActionLog

/// A value that several features share.
///
/// All of them read and change the same value.
///
/// ```swift
/// @Shared(.inMemory("count")) var count = 0
///
/// print(count)
/// $count.withLock { $0 += 1 }
/// ```
///
/// Copies of a shared value, such as those in copies of a state, refer to the same value. A key also saves the value,
/// and all users of the key share it.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value> {
  private let place: SharedReferencePlace<any WritableReference<Value>>

  var reference: any WritableReference<Value> { place.reference }

  init(_ reference: any WritableReference<Value>) {
    place = SharedReferencePlace(reference)
  }

  /// Creates a shared value without a key.
  public init(value: sending Value) {
    self.init(SharedRoot(value))
  }

  /// Creates a copy that refers to an existing shared value.
  public init(projectedValue: Shared) {
    self = projectedValue
  }

  /// The current value.
  ///
  /// Use `withLock` of the projected value to change it, because another thread might write between a read and a write.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// The shared value itself, for passing it on or changing it.
  ///
  /// ```swift
  /// @Shared(.inMemory("settings")) var settings = Settings()
  /// let profile = Profile.State(settings: $settings)  // which changes the same settings
  /// ```
  ///
  /// If another shared value is assigned, all copies refer to it.
  public var projectedValue: Shared {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }

  /// Changes the value with exclusive access.
  ///
  /// Reads of the value inside the closure return its previous value. Keep the closure short: changing another shared
  /// value inside it may deadlock with a thread that waits for this one.
  ///
  /// - Parameter operation: Changes the value.
  /// - Returns: The result of `operation`.
  @discardableResult
  public func withLock<R>(_ operation: (inout Value) throws -> R) rethrows -> R {
    try reference.withLock(operation)
  }
}

extension Shared: Sendable where Value: Sendable {}

/// A read-only shared value.
///
/// ```swift
/// @SharedReader(.appStorage("isCompact")) var isCompact = false
/// ```
@dynamicMemberLookup
@propertyWrapper
public struct SharedReader<Value> {
  private let place: SharedReferencePlace<any ReadableReference<Value>>

  var reference: any ReadableReference<Value> { place.reference }

  init(_ reference: any ReadableReference<Value>) {
    place = SharedReferencePlace(reference)
  }

  /// Creates a reader of a constant value.
  public init(value: sending Value) {
    self.init(SharedRoot(value))
  }

  /// Returns a reader of a constant value.
  public static func constant(_ value: sending Value) -> SharedReader {
    SharedReader(value: value)
  }

  /// Creates a reader of a shared value, which other code can change.
  public init(_ shared: Shared<Value>) {
    self.init(shared.reference)
  }

  /// Creates a copy that refers to an existing shared value.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }

  /// The current value.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// The reader itself, for passing it on.
  ///
  /// ```swift
  /// @SharedReader(.appStorage("isCompact")) var isCompact = false
  /// let row = Row.State(isCompact: $isCompact)
  /// ```
  ///
  /// If another reader is assigned, all copies read its value.
  public var projectedValue: SharedReader {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }
}

extension SharedReader: Sendable where Value: Sendable {}

extension Shared: Equatable where Value: Equatable {
  /// Whether the values are equal.
  ///
  /// In a test's comparison, the left side is the expected value.
  public static func == (lhs: Shared, rhs: Shared) -> Bool {
    SharedReader(lhs) == SharedReader(rhs)
  }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Whether the values are equal.
  ///
  /// In a test's comparison, the left side is the expected value.
  public static func == (lhs: SharedReader, rhs: SharedReader) -> Bool {
    guard let tracker = SharedChangeTracker.comparing else {
      return lhs.wrappedValue == rhs.wrappedValue
    }
    if tracker.ignoresValues { return true }
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
  /// A textual representation of the type and the value.
  public var description: String { "Shared(\(String(reflecting: reference.current)))" }
}

extension SharedReader: CustomStringConvertible {
  /// A textual representation of the type and the value.
  public var description: String { "SharedReader(\(String(reflecting: reference.current)))" }
}

extension Shared: CustomDumpRepresentable, DumpPropertyWrapper {
  /// The current value.
  ///
  /// On the left side of a test's comparison, the expected value.
  public var customDumpValue: Any { reference.current }
}

extension SharedReader: CustomDumpRepresentable, DumpPropertyWrapper {
  /// The current value.
  ///
  /// On the left side of a test's comparison, the expected value.
  public var customDumpValue: Any { reference.current }
}

extension Shared: CustomReflectable {
  /// The mirror of the current value.
  public var customMirror: Mirror { Mirror(reflecting: reference.current) }
}

extension SharedReader: CustomReflectable {
  /// The mirror of the current value.
  public var customMirror: Mirror { Mirror(reflecting: reference.current) }
}
