internal import ActionLog

/// A value that several features share, read, and change.
///
/// ```swift
/// @Shared(.inMemory("count")) var count = 0
///
/// print(count)
/// $count.withLock { $0 += 1 }
/// ```
///
/// Copies of a shared value, such as those in copies of a state, refer to the same value. A shared value with a key is
/// also saved by the key, and all shared values with that key refer to the same value.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value> {
  private let place: SharedReferenceBox<any WritableReference<Value>>

  var reference: any WritableReference<Value> { place.reference }

  init(_ reference: any WritableReference<Value>) {
    place = SharedReferenceBox(reference)
  }

  /// Creates a shared value that no key stores.
  public init(value: sending Value) {
    self.init(SharedRoot(value))
  }

  /// Creates a copy of a shared value, which refers to the same value.
  public init(projectedValue: Shared) {
    self = projectedValue
  }

  /// The current value.
  ///
  /// To change the value, call `withLock` on the projected value, because another thread might write between a read and
  /// a write.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// The shared value itself, which can be passed to another feature or changed.
  ///
  /// ```swift
  /// @Shared(.inMemory("settings")) var settings = Settings()
  /// let profile = Profile.State(settings: $settings)  // `Profile` changes the same settings
  /// ```
  ///
  /// Assigning another shared value makes all copies refer to that value.
  public var projectedValue: Shared {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }

  /// Calls a closure with exclusive access to the value, which the closure may change.
  ///
  /// Other reads of the shared value inside the closure return its previous value. Keep the closure short. Changing
  /// another shared value inside it may deadlock with a thread that waits for this one.
  ///
  /// - Parameter operation: A closure that receives the value and may change it.
  /// - Returns: The result of `operation`.
  @discardableResult
  public func withLock<R>(_ operation: (inout Value) throws -> R) rethrows -> R {
    try reference.withLock(operation)
  }
}

extension Shared: Sendable where Value: Sendable {}

/// A shared value that can't be changed through this wrapper.
///
/// ```swift
/// @SharedReader(.appStorage("isCompact")) var isCompact = false
/// ```
@dynamicMemberLookup
@propertyWrapper
public struct SharedReader<Value> {
  private let place: SharedReferenceBox<any ReadableReference<Value>>

  var reference: any ReadableReference<Value> { place.reference }

  init(_ reference: any ReadableReference<Value>) {
    place = SharedReferenceBox(reference)
  }

  /// Creates a read-only shared value that never changes.
  public init(value: sending Value) {
    self.init(SharedRoot(value))
  }

  /// Returns a read-only shared value that never changes.
  public static func constant(_ value: sending Value) -> SharedReader {
    SharedReader(value: value)
  }

  /// Creates a read-only shared value that refers to the same value as a writable one.
  ///
  /// Code with access to the writable shared value can still change the value.
  public init(_ shared: Shared<Value>) {
    self.init(shared.reference)
  }

  /// Creates a copy of a read-only shared value, which refers to the same value.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }

  /// The current value, which other code may change.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// The read-only shared value itself, which can be passed to another feature.
  ///
  /// ```swift
  /// @SharedReader(.appStorage("isCompact")) var isCompact = false
  /// let row = Row.State(isCompact: $isCompact)
  /// ```
  ///
  /// Assigning another read-only shared value makes all copies refer to that value.
  public var projectedValue: SharedReader {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }
}

extension SharedReader: Sendable where Value: Sendable {}

extension Shared: Equatable where Value: Equatable {
  /// Returns whether the current values are equal.
  ///
  /// In a comparison by a test, the left side is the expected value.
  public static func == (lhs: Shared, rhs: Shared) -> Bool {
    SharedReader(lhs) == SharedReader(rhs)
  }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Returns whether the current values are equal.
  ///
  /// In a comparison by a test, the left side is the expected value.
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
  /// The id of the current value.
  public var id: Value.ID { wrappedValue.id }
}

extension SharedReader: Identifiable where Value: Identifiable {
  /// The id of the current value.
  public var id: Value.ID { wrappedValue.id }
}

extension Shared: CustomStringConvertible {
  /// A textual representation of the current value and its type.
  public var description: String { "Shared(\(String(reflecting: reference.current)))" }
}

extension SharedReader: CustomStringConvertible {
  /// A textual representation of the current value and its type.
  public var description: String { "SharedReader(\(String(reflecting: reference.current)))" }
}

extension Shared: CustomDumpRepresentable, DumpedUnderWrappedName {
  /// The current value, or the expected value on the left side of a comparison by a test.
  public var customDumpValue: Any { reference.current }
}

extension SharedReader: CustomDumpRepresentable, DumpedUnderWrappedName {
  /// The current value, or the expected value on the left side of a comparison by a test.
  public var customDumpValue: Any { reference.current }
}

extension Shared: CustomReflectable {
  /// A mirror of the current value.
  public var customMirror: Mirror { Mirror(reflecting: reference.current) }
}

extension SharedReader: CustomReflectable {
  /// A mirror of the current value.
  public var customMirror: Mirror { Mirror(reflecting: reference.current) }
}
