import Foundation
import Synchronization

/// A value that several features share.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value>: Sendable {
  let reference: any SharedReference<Value>

  /// A value without a place.
  public init(value: Value) { reference = SharedBox(value) }

  /// A value at a place.
  public init(wrappedValue: @autoclosure () -> Value, _ key: InMemoryKey<Value>) {
    reference = DependencyValues._current.defaultInMemoryStorage.box(key, wrappedValue())
  }

  /// The value.
  public var wrappedValue: Value { reference.value }

  /// Which value it is.
  public var _objectIdentifier: ObjectIdentifier { reference.identifier }

  private init(_ reference: any SharedReference<Value>) { self.reference = reference }

  /// A part of the value.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Shared<Member>
  {
    func part(_ base: some SharedReference<Value>) -> any SharedReference<Member> {
      SharedMember(base, keyPath)
    }
    return Shared<Member>(part(reference))
  }

  /// The wrapper.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Changes the value.
  public func withLock<R>(_ body: (inout Value) -> R) -> R { reference.change(body) }
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
  private let reference: any SharedReference<Value>

  /// A value without a place.
  public init(value: Value) { reference = SharedBox(value) }

  /// A value that others change.
  public init(_ base: Shared<Value>) { reference = base.reference }

  /// The value.
  public var wrappedValue: Value { reference.value }

  /// The wrapper.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Which value it is.
  public var _objectIdentifier: ObjectIdentifier { reference.identifier }
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
protocol SharedReference<Value>: AnyObject, Sendable {
  associatedtype Value
  var identifier: ObjectIdentifier { get }
  var value: Value { get }
  func change<R>(_ body: (inout Value) -> R) -> R
}

final class SharedMember<Base: SharedReference, Value>: SharedReference {
  private let base: Base
  nonisolated(unsafe) private let keyPath: WritableKeyPath<Base.Value, Value>
  init(_ base: Base, _ keyPath: WritableKeyPath<Base.Value, Value>) {
    self.base = base
    self.keyPath = keyPath
  }
  /// A part has the identifier of the whole.
  var identifier: ObjectIdentifier { base.identifier }
  var value: Value { base.value[keyPath: keyPath] }
  func change<R>(_ body: (inout Value) -> R) -> R { base.change { body(&$0[keyPath: keyPath]) } }
}

final class SharedBox<Value>: SharedReference {
  private let lock = NSRecursiveLock()
  nonisolated(unsafe) private var contents: Value
  init(_ value: Value) { contents = value }
  var identifier: ObjectIdentifier { ObjectIdentifier(self) }
  var value: Value { lock.withLock { contents } }
  func change<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&contents) } }
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
