import Foundation
import Synchronization

/// A value that several features share.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value>: Sendable {
  /// The storage of the value, or a reference to a part of another value.
  @_spi(References) public let reference: any MutableReference<Value>

  /// Creates a value without a key.
  public init(value: Value) { reference = SharedBox(value) }

  /// Creates a value for a key.
  public init(wrappedValue: @autoclosure () -> Value, _ key: InMemoryKey<Value>) {
    reference = DependencyValues._current.defaultInMemoryStorage.box(key, wrappedValue())
  }

  /// The value.
  public var wrappedValue: Value { reference.wrappedValue }

  /// The identity of the value.
  public var _objectIdentifier: ObjectIdentifier { reference.id }

  private init(_ reference: any MutableReference<Value>) { self.reference = reference }

  /// A part of the value.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Shared<Member>
  {
    func part(_ base: some MutableReference<Value>) -> any MutableReference<Member> {
      SharedMember(base, keyPath)
    }
    return Shared<Member>(part(reference))
  }

  /// Creates a reference to the wrapped value of an optional; `nil` if it is absent.
  public init?(_ base: Shared<Value?>) {
    guard let value = base.wrappedValue else { return nil }
    func unwrapped(_ base: some MutableReference<Value?>) -> any MutableReference<Value> {
      SharedUnwrapped(base, value)
    }
    self.init(unwrapped(base.reference))
  }

  /// The wrapper itself.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Calls a closure that can change the value.
  public func withLock<R>(_ body: (inout Value) -> R) -> R { reference.withLock(body) }
}

extension Shared: CustomReflectable {
  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Shared: Equatable where Value: Equatable {
  /// Compares the values.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.reference === rhs.reference || lhs.wrappedValue == rhs.wrappedValue
  }
}

/// A shared value that a feature does not change.
@propertyWrapper
public struct SharedReader<Value>: Sendable {
  private let reference: any MutableReference<Value>

  /// Creates a value without a key.
  public init(value: Value) { reference = SharedBox(value) }

  /// Creates a read-only reference to a shared value.
  public init(_ base: Shared<Value>) { reference = base.reference }

  /// The value.
  public var wrappedValue: Value { reference.wrappedValue }

  /// The wrapper itself.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// The identity of the value.
  public var _objectIdentifier: ObjectIdentifier { reference.id }
}

extension SharedReader: CustomReflectable {
  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Compares the values.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

/// The key of a value in memory.
public struct InMemoryKey<Value>: Sendable { let name: String }

extension InMemoryKey {
  /// Returns the key with a name.
  public static func inMemory(_ name: String) -> Self { Self(name: name) }
}

/// A reference to a value or to a part of one.
@_spi(References)
public protocol MutableReference<Value>: AnyObject, Sendable {
  /// The type of the value.
  associatedtype Value
  /// The identity of the value.
  ///
  /// A part has the identity of the entire value.
  var id: ObjectIdentifier { get }
  /// The value.
  var wrappedValue: Value { get }
  /// Calls a closure that can change the value.
  func withLock<R>(_ body: (inout Value) -> R) -> R
}

final class SharedMember<Base: MutableReference, Value>: MutableReference {
  private let base: Base
  nonisolated(unsafe) private let keyPath: WritableKeyPath<Base.Value, Value>
  init(_ base: Base, _ keyPath: WritableKeyPath<Base.Value, Value>) {
    self.base = base
    self.keyPath = keyPath
  }
  var id: ObjectIdentifier { base.id }
  var wrappedValue: Value { base.wrappedValue[keyPath: keyPath] }
  func withLock<R>(_ body: (inout Value) -> R) -> R {
    base.withLock { body(&$0[keyPath: keyPath]) }
  }
}

/// A reference to the value of an optional, or to its last value.
final class SharedUnwrapped<Base: MutableReference<Value?>, Value>: MutableReference {
  private let base: Base
  private let cachedValue: SharedBox<Value>
  init(_ base: Base, _ value: Value) {
    self.base = base
    cachedValue = SharedBox(value)
  }
  var id: ObjectIdentifier { base.id }
  var wrappedValue: Value {
    guard let value = base.wrappedValue else { return cachedValue.wrappedValue }
    cachedValue.withLock { $0 = value }
    return value
  }
  func withLock<R>(_ body: (inout Value) -> R) -> R {
    base.withLock { value in
      guard var unwrapped = value else { return cachedValue.withLock(body) }
      defer { value = unwrapped }
      return body(&unwrapped)
    }
  }
}

final class SharedBox<Value>: MutableReference {
  private let lock = NSRecursiveLock()
  nonisolated(unsafe) private var value: Value
  init(_ value: Value) { self.value = value }
  var id: ObjectIdentifier { ObjectIdentifier(self) }
  var wrappedValue: Value {
    lock.withLock { SharedChanges.asserted?.expectation(of: self) ?? value }
  }
  func withLock<R>(_ body: (inout Value) -> R) -> R {
    lock.withLock {
      if let changes = SharedChanges.asserted {
        var expected = changes.expectation(of: self) ?? value
        defer { changes.expect(expected, of: self) }
        return body(&expected)
      }
      SharedChanges.followed?.noteValue(value, of: self)
      return body(&value)
    }
  }
}

extension RangeReplaceableCollection {
  /// Creates a shared reference for each element of a collection by its id.
  public init<Value: _MutableIdentifiedCollection>(_ shared: Shared<Value>)
  where Element == Shared<Value.Element> {
    self.init(shared.wrappedValue.ids.compactMap { Shared(shared[id: $0]) })
  }
}

/// The storage of values in memory.
public final class InMemoryStorage: DependencyKey, Sendable {
  private let boxes = Mutex<[String: any Sendable]>([:])

  /// Creates an empty storage.
  public init() {}

  /// An empty storage.
  public static var liveValue: InMemoryStorage { InMemoryStorage() }
  /// The storage of all tests.
  public static var testValue: InMemoryStorage { DependencyValues.live(InMemoryStorage.self) }

  func box<Value>(_ key: InMemoryKey<Value>, _ initial: Value) -> SharedBox<Value> {
    boxes.withLock { boxes in
      if let box = boxes[key.name] as? SharedBox<Value> { return box }
      let box = SharedBox(initial)
      boxes[key.name] = box
      return box
    }
  }
}

extension DependencyValues {
  /// The storage of values in memory.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[InMemoryStorage.self] }
    set { self[InMemoryStorage.self] = newValue }
  }
}

#if canImport(AppKit) || canImport(UIKit) || canImport(WatchKit)
/// The storage of values in files.
///
/// The stand-in has none.
public struct FileStorage: Sendable {
  /// A storage without files.
  public static var inMemory: Self { Self() }
}

extension UserDefaults {
  /// Separate user defaults.
  public static var inMemory: UserDefaults { UserDefaults(suiteName: "stand-in") ?? .standard }
}

extension DependencyValues {
  /// The storage of values in files.
  public var defaultFileStorage: FileStorage {
    get { .inMemory }
    set {}
  }
  /// The storage of values in user defaults.
  public var defaultAppStorage: UserDefaults {
    get { .inMemory }
    set {}
  }
}
#endif
