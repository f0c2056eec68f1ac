import Synchronization

/// A readable reference to a complete shared value, or to a part of another reference's value.
protocol ReadableReference<Value>: AnyObject, Sendable {
  associatedtype Value
  /// The reference that stores the complete shared value.
  var root: any SharedRootReference { get }
  /// The current value, or the snapshot of the value during the assertion of a test.
  var current: Value { get }
  /// The path from the complete value to this part; `nil` if a component of the path has no name.
  var parts: [SharedPathComponent]? { get }
  /// The number of the last write to the complete value; `nil` if the value can change without a write.
  var stamp: UInt64? { get }
}

/// A reference through which a shared value can be changed.
protocol WritableReference<Value>: ReadableReference {
  /// Calls a closure with exclusive access to the value, which the closure may change.
  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R
}

/// The reference that stores a complete shared value, with the type of the value erased.
protocol SharedRootReference: AnyObject, Sendable {
  /// The name of the shared value in logs and in messages of tests.
  var name: String { get }
  var isLoading: Bool { get }
  var loadError: (any Error)? { get }
  var saveError: (any Error)? { get }
  /// Registers the current observer for changes to the value.
  func access()
  /// Notifies the observers of the value, when another value or reference replaces it.
  func notifyOfReplacement()
  func load() async throws
  func save() async throws
  /// The actual value and not its snapshot, as `Any`.
  var erasedValue: Any { get }
  /// Whether the static type of the value allows it to contain objects or closures.
  var mayHoldObjects: Bool { get }
}

/// A read-only reference to a member of another reference's value.
final class ReadableMemberReference<Base, Value>: ReadableReference {
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
  var parts: [SharedPathComponent]? { base.parts(at: keyPath) }
}

/// A read-only reference to the result of a closure that is applied to another reference's value.
final class ComputedReference<Base, Value>: ReadableReference {
  private let base: any ReadableReference<Base>
  private let read: @Sendable (Base) -> Value

  init(_ base: any ReadableReference<Base>, _ read: @escaping @Sendable (Base) -> Value) {
    self.base = base
    self.read = read
  }

  var root: any SharedRootReference { base.root }
  var current: Value { read(base.current) }
  var parts: [SharedPathComponent]? { nil }
  // The closure may read other values, which can change without a write to this one.
  var stamp: UInt64? { nil }
}

/// A writable reference to a member of another reference's value.
final class WritableMemberReference<Base, Value>: WritableReference {
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
  var parts: [SharedPathComponent]? { base.parts(at: keyPath) }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[keyPath: keyPath]) }
  }
}

/// A writable reference to the element with an id in another reference's array.
final class WritableElementByIDReference<ID: Hashable, Element>: WritableReference {
  private let base: any WritableReference<IdentifiedArray<ID, Element>>
  // Unsafe, but the id is immutable and used only for comparison and hashing.
  nonisolated(unsafe) private let id: ID

  init(_ base: any WritableReference<IdentifiedArray<ID, Element>>, _ id: ID) {
    self.base = base
    self.id = id
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Element? { base.current[id: id] }
  var parts: [SharedPathComponent]? { base.parts.map { $0 + [.id(JSON(logging: id))] } }

  func withLock<R>(_ change: (inout Element?) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[id: id]) }
  }
}

/// A read-only reference to the element with an id in another reference's array.
final class ReadableElementByIDReference<ID: Hashable, Element>: ReadableReference {
  private let base: any ReadableReference<IdentifiedArray<ID, Element>>
  // Unsafe, but the id is immutable and used only for comparison and hashing.
  nonisolated(unsafe) private let id: ID

  init(_ base: any ReadableReference<IdentifiedArray<ID, Element>>, _ id: ID) {
    self.base = base
    self.id = id
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Element? { base.current[id: id] }
  var parts: [SharedPathComponent]? { base.parts.map { $0 + [.id(JSON(logging: id))] } }
}

/// A writable reference to the element at an index of another reference's collection.
final class WritableElementAtIndexReference<Elements: MutableCollection & RandomAccessCollection>:
  WritableReference
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
  var parts: [SharedPathComponent]? { base.parts.map { $0 + [.index(index)] } }

  func withLock<R>(_ change: (inout Elements.Element?) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[sharedAt: index]) }
  }
}

/// A read-only reference to the element at an index of another reference's collection.
final class ReadableElementAtIndexReference<Elements: RandomAccessCollection>: ReadableReference
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
  var parts: [SharedPathComponent]? { base.parts.map { $0 + [.index(index)] } }
}

extension RandomAccessCollection where Index == Int {
  /// The element at an index; `nil` if the index is out of bounds.
  subscript(readAt index: Int) -> Element? {
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}

extension MutableCollection where Self: RandomAccessCollection, Index == Int {
  /// The element at an index; `nil` if the index is out of bounds.
  ///
  /// Setting an element at an index out of bounds has no effect.
  subscript(sharedAt index: Int) -> Element? {
    get { self[readAt: index] }
    set {
      guard let newValue, self[readAt: index] != nil else { return }
      self[index] = newValue
    }
  }
}

/// A writable reference to the value that another reference's optional wraps.
///
/// After the optional becomes `nil`, the reference provides the last wrapped value, because a disappearing view or an
/// effect may still use the reference. Writes then change only this last value.
final class WritableUnwrappedReference<Value>: WritableReference {
  private let base: any WritableReference<Value?>
  private let last: LastWrappedValue<Value>

  init?(_ base: any WritableReference<Value?>) {
    guard let last = LastWrappedValue(of: base) else { return nil }
    self.base = base
    self.last = last
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.current == nil ? nil : base.stamp }
  var current: Value { last.updated(from: base) }
  var parts: [SharedPathComponent]? { base.parts.map { $0 + [.wrapped] } }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { value in
      guard var unwrapped = value else { return try last.change(change) }
      // Leaves `unwrapped` as the only copy of the value, so that the change happens in place.
      value = nil
      defer {
        value = unwrapped
        last.set(unwrapped)
      }
      return try change(&unwrapped)
    }
  }
}

/// A read-only reference to the value that another reference's optional wraps.
///
/// After the optional becomes `nil`, the reference provides the last wrapped value.
final class ReadableUnwrappedReference<Value>: ReadableReference {
  private let base: any ReadableReference<Value?>
  private let last: LastWrappedValue<Value>

  init?(_ base: any ReadableReference<Value?>) {
    guard let last = LastWrappedValue(of: base) else { return nil }
    self.base = base
    self.last = last
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.current == nil ? nil : base.stamp }
  var current: Value { last.updated(from: base) }
  var parts: [SharedPathComponent]? { base.parts.map { $0 + [.wrapped] } }
}

/// The last value that an optional has wrapped.
private final class LastWrappedValue<Value>: JournaledObject {
  private let value: LockIsolated<Value>

  init?(of base: any ReadableReference<Value?>) {
    guard let current = base.current else { return nil }
    // Unsafe, but the lock serializes all access to the value.
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

  func restore(_ contents: Any) {
    guard let contents = contents as? Value else { return }
    value.withValue { $0 = contents }
  }
}

/// The storage of the reference that all copies of a shared value have in common.
final class SharedReferenceBox<Reference: Sendable>: Sendable {
  private let contents: Mutex<Reference>

  init(_ reference: Reference) {
    contents = Mutex(reference)
  }

  var reference: Reference { contents.withLock { $0 } }

  /// Replaces the reference, and notifies the observers of the previous value if the new reference has another root.
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
    // Logs that have compared the earlier value must compare the new one.
    _ = WriteStamp.next(of: ObjectIdentifier(root(earlier)))
    root(earlier).notifyOfReplacement()
  }
}

extension SharedReferenceBox: JournaledObject {
  var journaled: Any { reference }

  func restore(_ contents: Any) {
    guard let reference = contents as? Reference else { return }
    self.contents.withLock { $0 = reference }
  }
}
