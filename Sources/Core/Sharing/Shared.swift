internal import ActionLog

/// A value that several features share: they read and change one and the same.
///
/// ```swift
/// @Shared(.inMemory("count")) var count = 0
///
/// print(count)
/// $count.withLock { $0 += 1 }
/// ```
///
/// Copies of a shared value, such as those in copies of a state, are one value. With a key it is also kept somewhere, and
/// all that have the same key share it.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value> {
  private let place: SharedReferencePlace<any WritableReference<Value>>

  var reference: any WritableReference<Value> { place.reference }

  init(_ reference: any WritableReference<Value>) {
    place = SharedReferencePlace(reference)
  }

  /// Shares a value that no key keeps.
  public init(value: sending Value) {
    self.init(SharedRoot(value))
  }

  /// Takes over what is shared already.
  public init(projectedValue: Shared) {
    self = projectedValue
  }

  /// The value as it is now.
  ///
  /// Change it with `withLock` of the projected value, because another thread might write between a read and a write.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// The shared value itself, to be handed on or changed.
  ///
  /// ```swift
  /// @Shared(.inMemory("settings")) var settings = Settings()
  /// let profile = Profile.State(settings: $settings)  // which changes the same settings
  /// ```
  ///
  /// When something else takes its place, copies share that too.
  public var projectedValue: Shared {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }

  /// Changes the value with exclusive access.
  ///
  /// Reading the value inside the closure gives what it was before; changing another shared value there may wait for a
  /// thread that waits for this one, so keep it short.
  ///
  /// - Parameter operation: Changes the value.
  /// - Returns: What the operation returns.
  @discardableResult
  public func withLock<R>(_ operation: (inout Value) throws -> R) rethrows -> R {
    try reference.withLock(operation)
  }
}

extension Shared: Sendable where Value: Sendable {}

/// A shared value that can only be read.
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

  /// A value that never changes.
  public init(value: sending Value) {
    self.init(SharedRoot(value))
  }

  /// A value that never changes.
  public static func constant(_ value: sending Value) -> SharedReader {
    SharedReader(value: value)
  }

  /// Reads what others may change.
  public init(_ shared: Shared<Value>) {
    self.init(shared.reference)
  }

  /// Takes over what is shared already.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }

  /// The value as it is now.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// The shared value itself, to be handed on.
  ///
  /// ```swift
  /// @SharedReader(.appStorage("isCompact")) var isCompact = false
  /// let row = Row.State(isCompact: $isCompact)
  /// ```
  ///
  /// When something else takes its place, copies read that too.
  public var projectedValue: SharedReader {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }
}

extension SharedReader: Sendable where Value: Sendable {}

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
