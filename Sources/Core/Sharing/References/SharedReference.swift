import Synchronization

/// A readable reference to a shared value: to the complete value, or to a part of another reference.
protocol ReadableReference<Value>: AnyObject, Sendable {
  associatedtype Value
  /// The reference that stores the complete value.
  var root: any SharedRootReference { get }
  /// The current value.
  ///
  /// During a test's assertion, the snapshot of the value.
  var current: Value { get }
  /// The components from the root's value to this part, or `nil` if a component has no name.
  var parts: [SharedPart]? { get }
  /// The number of the root's last write, or `nil` if the value can change without a write.
  var stamp: UInt64? { get }
}

/// A reference to a shared value that can change it.
protocol WritableReference<Value>: ReadableReference {
  /// Changes the value with exclusive access.
  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R
}

/// The reference that stores a shared value, type-erased.
protocol SharedRootReference: AnyObject, Sendable {
  /// The name in logs and tests.
  var name: String { get }
  var isLoading: Bool { get }
  var loadError: (any Error)? { get }
  var saveError: (any Error)? { get }
  /// Registers a read of the value for observation.
  func access()
  /// Notifies observers of the value that another reference replaces this one.
  func notifyOfReplacement()
  func load() async throws
  func save() async throws
  /// The actual value, not its snapshot.
  var erasedValue: Any { get }
  /// Whether the static type of the value allows objects or closures.
  var mayHoldObjects: Bool { get }
}

/// A read-only part of a reference.
final class ReadablePart<Base, Value>: ReadableReference {
  private let base: any ReadableReference<Base>
  private let sendableKeyPath: SendableKeyPath<KeyPath<Base, Value>>
  private var keyPath: KeyPath<Base, Value> { sendableKeyPath.path }

  init(_ base: any ReadableReference<Base>, _ keyPath: KeyPath<Base, Value>) {
    self.base = base
    sendableKeyPath = SendableKeyPath(keyPath)
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Value { base.current[keyPath: keyPath] }
  var parts: [SharedPart]? { base.parts(at: keyPath) }
}

/// The result of a closure applied to the value of a reference.
final class ReadableResult<Base, Value>: ReadableReference {
  private let base: any ReadableReference<Base>
  private let read: @Sendable (Base) -> Value

  init(_ base: any ReadableReference<Base>, _ read: @escaping @Sendable (Base) -> Value) {
    self.base = base
    self.read = read
  }

  var root: any SharedRootReference { base.root }
  var current: Value { read(base.current) }
  var parts: [SharedPart]? { nil }
  // The closure may read any other value.
  var stamp: UInt64? { nil }
}

/// A writable part of a reference.
final class WritablePart<Base, Value>: WritableReference {
  private let base: any WritableReference<Base>
  private let sendableKeyPath: SendableKeyPath<WritableKeyPath<Base, Value>>
  private var keyPath: WritableKeyPath<Base, Value> { sendableKeyPath.path }

  init(_ base: any WritableReference<Base>, _ keyPath: WritableKeyPath<Base, Value>) {
    self.base = base
    sendableKeyPath = SendableKeyPath(keyPath)
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Value { base.current[keyPath: keyPath] }
  var parts: [SharedPart]? { base.parts(at: keyPath) }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[keyPath: keyPath]) }
  }
}

/// The element of an identified array with a given id.
final class WritableRow<ID: Hashable, Element>: WritableReference {
  private let base: any WritableReference<IdentifiedArray<ID, Element>>
  // Immutable. Used only for comparison and hashing.
  nonisolated(unsafe) private let id: ID

  init(_ base: any WritableReference<IdentifiedArray<ID, Element>>, _ id: ID) {
    self.base = base
    self.id = id
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Element? { base.current[id: id] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.id(JSON(logging: id))] } }

  func withLock<R>(_ change: (inout Element?) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[id: id]) }
  }
}

/// The read-only element of an identified array with a given id.
final class ReadableRow<ID: Hashable, Element>: ReadableReference {
  private let base: any ReadableReference<IdentifiedArray<ID, Element>>
  // Immutable. Used only for comparison and hashing.
  nonisolated(unsafe) private let id: ID

  init(_ base: any ReadableReference<IdentifiedArray<ID, Element>>, _ id: ID) {
    self.base = base
    self.id = id
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Element? { base.current[id: id] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.id(JSON(logging: id))] } }
}

/// The element of a collection at an index.
final class WritablePlace<Elements: MutableCollection & RandomAccessCollection>: WritableReference
where Elements.Index == Int {
  private let base: any WritableReference<Elements>
  private let index: Int

  init(_ base: any WritableReference<Elements>, _ index: Int) {
    self.base = base
    self.index = index
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Elements.Element? { base.current[readAt: index] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.index(index)] } }

  func withLock<R>(_ change: (inout Elements.Element?) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[sharedAt: index]) }
  }
}

/// The read-only element of a collection at an index.
final class ReadablePlace<Elements: RandomAccessCollection>: ReadableReference
where Elements.Index == Int {
  private let base: any ReadableReference<Elements>
  private let index: Int

  init(_ base: any ReadableReference<Elements>, _ index: Int) {
    self.base = base
    self.index = index
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Elements.Element? { base.current[readAt: index] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.index(index)] } }
}

extension RandomAccessCollection where Index == Int {
  /// The element at an index, or `nil` if the index is out of bounds.
  subscript(readAt index: Int) -> Element? {
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}

extension MutableCollection where Self: RandomAccessCollection, Index == Int {
  /// The element at an index, or `nil` if the index is out of bounds.
  ///
  /// Setting it then has no effect.
  subscript(sharedAt index: Int) -> Element? {
    get { self[readAt: index] }
    set {
      guard let newValue, self[readAt: index] != nil else { return }
      self[index] = newValue
    }
  }
}

/// The wrapped value of an optional reference, or its last value after the reference becomes `nil`.
///
/// A disappearing view or an effect may use the reference longer than the value exists. Such code reads the last value,
/// and its writes don't change any other value.
final class WritableUnwrapped<Value>: WritableReference {
  private let base: any WritableReference<Value?>
  private let last: LastValue<Value>

  init?(_ base: any WritableReference<Value?>) {
    guard let last = LastValue(of: base) else { return nil }
    self.base = base
    self.last = last
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.current == nil ? nil : base.stamp }
  var current: Value { last.updated(from: base) }
  var parts: [SharedPart]? { base.parts.map { $0 + [.wrapped] } }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { value in
      guard var unwrapped = value else { return try last.change(change) }
      // Leaves `unwrapped` as the only copy, so that the change happens in place.
      value = nil
      defer {
        value = unwrapped
        last.set(unwrapped)
      }
      return try change(&unwrapped)
    }
  }
}

/// The wrapped value of a read-only optional reference, or its last value after the reference becomes `nil`.
final class ReadableUnwrapped<Value>: ReadableReference {
  private let base: any ReadableReference<Value?>
  private let last: LastValue<Value>

  init?(_ base: any ReadableReference<Value?>) {
    guard let last = LastValue(of: base) else { return nil }
    self.base = base
    self.last = last
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.current == nil ? nil : base.stamp }
  var current: Value { last.updated(from: base) }
  var parts: [SharedPart]? { base.parts.map { $0 + [.wrapped] } }
}

/// The last wrapped value of an optional reference.
private final class LastValue<Value>: JournaledObject {
  private let value: LockIsolated<Value>

  init?(of base: any ReadableReference<Value?>) {
    guard let current = base.current else { return nil }
    // The lock serializes all access.
    nonisolated(unsafe) let value = current
    self.value = LockIsolated(value)
  }

  func updated(from base: any ReadableReference<Value?>) -> Value {
    guard let current = base.current else { return value.withValue { $0 } }
    set(current)
    return current
  }

  func set(_ newValue: Value) {
    SharedJournal.recordWrite(self)
    value.withValue { $0 = newValue }
  }

  func change<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    SharedJournal.recordWrite(self)
    return try value.withValue(change)
  }

  var journaled: Any { value.withValue { $0 } }

  func putBack(_ contents: Any) {
    guard let contents = contents as? Value else { return }
    value.withValue { $0 = contents }
  }
}

/// The storage that all copies of a shared value have in common.
final class SharedReferencePlace<Reference: Sendable>: Sendable {
  private let contents: Mutex<Reference>

  init(_ reference: Reference) {
    contents = Mutex(reference)
  }

  var reference: Reference { contents.withLock { $0 } }

  /// Replaces the reference and notifies observers of the value.
  func replace(
    with reference: Reference,
    root: (Reference) -> any SharedRootReference
  ) {
    SharedJournal.recordWrite(self)
    let earlier = contents.withLock { contents in
      defer { contents = reference }
      return contents
    }
    guard root(earlier) !== root(reference) else { return }
    root(earlier).notifyOfReplacement()
  }
}

extension SharedReferencePlace: JournaledObject {
  var journaled: Any { reference }

  func putBack(_ contents: Any) {
    guard let reference = contents as? Reference else { return }
    self.contents.withLock { $0 = reference }
  }
}
