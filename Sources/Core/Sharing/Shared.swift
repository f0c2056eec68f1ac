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
  /// It is changed with `withLock` of the projected value, for between reading and writing another thread might write.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// What is shared, to be handed on or changed.
  ///
  /// When something else takes its place, copies share that too.
  public var projectedValue: Shared {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }

  /// Changes the value while nobody else does.
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
