import Foundation
import Synchronization

/// A value that several features share.
@propertyWrapper
public struct Shared<Value>: Sendable {
  let reference: SharedBox<Value>

  /// A value without a place.
  public init(value: Value) { reference = SharedBox(value) }

  /// A value at a place.
  public init(wrappedValue: @autoclosure () -> Value, _ key: InMemoryKey<Value>) {
    reference = DependencyValues._current.defaultInMemoryStorage.box(key, wrappedValue())
  }

  /// The value.
  public var wrappedValue: Value { reference.value }

  /// Which value it is.
  public var _objectIdentifier: ObjectIdentifier { ObjectIdentifier(reference) }

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
  private let reference: SharedBox<Value>

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
  public var _objectIdentifier: ObjectIdentifier { ObjectIdentifier(reference) }
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

final class SharedBox<Value>: Sendable {
  private let lock = NSRecursiveLock()
  nonisolated(unsafe) private var contents: Value
  init(_ value: Value) { contents = value }
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
