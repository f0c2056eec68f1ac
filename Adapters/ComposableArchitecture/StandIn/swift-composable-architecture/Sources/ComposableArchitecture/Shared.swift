import Foundation
import Synchronization

/// A value that several features share.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value>: Sendable {
  /// What holds the value, or leads to it.
  @_spi(References) public let reference: any MutableReference<Value>

  /// A value without a place.
  public init(value: Value) { reference = SharedBox(value) }

  /// A value at a place.
  public init(wrappedValue: @autoclosure () -> Value, _ key: InMemoryKey<Value>) {
    reference = DependencyValues._current.defaultInMemoryStorage.box(key, wrappedValue())
  }

  /// The value.
  public var wrappedValue: Value { reference.wrappedValue }

  /// Which value it is.
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

  /// What is in an optional value; `nil` when that is nil.
  public init?(_ base: Shared<Value?>) {
    guard let value = base.wrappedValue else { return nil }
    func unwrapped(_ base: some MutableReference<Value?>) -> any MutableReference<Value> {
      SharedUnwrapped(base, value)
    }
    self.init(unwrapped(base.reference))
  }

  /// The wrapper.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Changes the value.
  public func withLock<R>(_ body: (inout Value) -> R) -> R { reference.withLock(body) }
}

extension Shared: CustomReflectable {
  /// That of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Shared: Equatable where Value: Equatable {
  /// Compares the values.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.reference === rhs.reference || lhs.wrappedValue == rhs.wrappedValue
  }
}

/// A value that a feature shares but does not change.
@propertyWrapper
public struct SharedReader<Value>: Sendable {
  private let reference: any MutableReference<Value>

  /// A value without a place.
  public init(value: Value) { reference = SharedBox(value) }

  /// A value that others change.
  public init(_ base: Shared<Value>) { reference = base.reference }

  /// The value.
  public var wrappedValue: Value { reference.wrappedValue }

  /// The wrapper.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Which value it is.
  public var _objectIdentifier: ObjectIdentifier { reference.id }
}

extension SharedReader: CustomReflectable {
  /// That of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Compares the values.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

/// The place of a value in memory.
public struct InMemoryKey<Value>: Sendable { let name: String }

extension InMemoryKey {
  /// The place of a name.
  public static func inMemory(_ name: String) -> Self { Self(name: name) }
}

/// What holds a value, or leads to a part of one.
@_spi(References)
public protocol MutableReference<Value>: AnyObject, Sendable {
  /// The type of the value.
  associatedtype Value
  /// Which value it is; a part has the identifier of the whole.
  var id: ObjectIdentifier { get }
  /// The value.
  var wrappedValue: Value { get }
  /// Changes the value.
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

/// The value of an optional, or the last one that it had.
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
  var wrappedValue: Value { lock.withLock { value } }
  func withLock<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&value) } }
}

extension RangeReplaceableCollection {
  /// Shares each element of a collection by its id.
  public init<Value: _MutableIdentifiedCollection>(_ shared: Shared<Value>)
  where Element == Shared<Value.Element> {
    self.init(shared.wrappedValue.ids.compactMap { Shared(shared[id: $0]) })
  }
}

/// Values in memory.
public final class InMemoryStorage: DependencyKey, Sendable {
  private let boxes = Mutex<[String: any Sendable]>([:])

  /// No values.
  public init() {}

  /// No values.
  public static var liveValue: InMemoryStorage { InMemoryStorage() }

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
  /// Where values in memory lie.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[InMemoryStorage.self] }
    set { self[InMemoryStorage.self] = newValue }
  }
}

#if canImport(AppKit) || canImport(UIKit) || canImport(WatchKit)
/// Where values in files would lie; the stand-in has none.
public struct FileStorage: Sendable {
  /// Nowhere.
  public static var inMemory: Self { Self() }
}

extension UserDefaults {
  /// Settings of nobody.
  public static var inMemory: UserDefaults { UserDefaults(suiteName: "stand-in") ?? .standard }
}

extension DependencyValues {
  /// Where values in files lie.
  public var defaultFileStorage: FileStorage {
    get { .inMemory }
    set {}
  }
  /// Where values in settings lie.
  public var defaultAppStorage: UserDefaults {
    get { .inMemory }
    set {}
  }
}
#endif
