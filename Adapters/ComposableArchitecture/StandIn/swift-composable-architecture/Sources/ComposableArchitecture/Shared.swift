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

  /// Creates a value for a key, with a default that is evaluated if no reference of the key is in use.
  public init(wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>) {
    reference = DependencyValues._current[PersistentReferences.self]
      .reference(of: key, default: wrappedValue())
  }

  /// The value.
  public var wrappedValue: Value { reference.wrappedValue }

  /// The identity of the value.
  public var _objectIdentifier: ObjectIdentifier { reference.id }

  private init(_ reference: any MutableReference<Value>) { self.reference = reference }

  /// Creates the wrapper of another one.
  public init(projectedValue: Self) { self = projectedValue }

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
  public func withLock<R>(_ body: (inout Value) -> R) -> R {
    reference.noteChange()
    return reference.withLock(body)
  }
}

extension Shared: CustomStringConvertible {
  /// The type and the reference.
  public var description: String { "Shared<\(Value.self)>(\(reference.description))" }
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
  private let box: Box

  private final class Box: Sendable {
    let reference: any MutableReference<Value>
    init(_ reference: any MutableReference<Value>) { self.reference = reference }
  }

  /// Creates a value without a key.
  public init(value: Value) { box = Box(SharedBox(value)) }

  /// Creates a value for a key, with a default that is evaluated if no reference of the key is in use.
  public init(wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>) {
    box = Box(
      DependencyValues._current[PersistentReferences.self]
        .reference(of: key, default: wrappedValue())
    )
  }

  /// Creates a read-only reference to a shared value.
  public init(_ base: Shared<Value>) { box = Box(base.reference) }

  /// The value.
  public var wrappedValue: Value { box.reference.wrappedValue }

  /// The wrapper itself.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }
}

extension SharedReader: CustomStringConvertible {
  /// The type and the reference.
  public var description: String { "SharedReader<\(Value.self)>(\(box.reference.description))" }
}

extension SharedReader: CustomReflectable {
  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: Equatable where Value: Equatable {
  /// Compares the values.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

/// A reference to a value or to a part of one.
@_spi(References)
public protocol MutableReference<Value>: AnyObject, CustomStringConvertible, Sendable {
  /// The type of the value.
  associatedtype Value
  /// The identity of the value.
  ///
  /// A part has the identity of the entire value.
  var id: ObjectIdentifier { get }
  /// The value.
  var wrappedValue: Value { get }
  /// The value that the current `SharedChangeTracker` has; `nil` without one.
  var snapshot: Value? { get }
  /// Tells trackers that the value is about to change.
  func noteChange()
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
  var snapshot: Value? { base.snapshot?[keyPath: keyPath] }
  func noteChange() { base.noteChange() }
  var description: String { "\(base.description)[dynamicMember: \(keyPath)]" }
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
  var snapshot: Value? { base.snapshot ?? nil }
  func noteChange() { base.noteChange() }
  var description: String { "\(base.description)!" }
  func withLock<R>(_ body: (inout Value) -> R) -> R {
    base.withLock { value in
      guard var unwrapped = value else { return cachedValue.withLock(body) }
      defer { value = unwrapped }
      return body(&unwrapped)
    }
  }
}

class SharedBox<Value>: MutableReference, @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var value: Value
  init(_ value: Value) { self.value = value }
  var id: ObjectIdentifier { ObjectIdentifier(self) }
  var description: String { "value: \(String(reflecting: wrappedValue))" }
  var snapshot: Value? { SharedChanges.asserted?.expectation(of: self) }
  var wrappedValue: Value {
    lock.withLock { SharedChanges.asserted?.expectation(of: self) ?? value }
  }
  func noteChange() {
    guard SharedChanges.asserted == nil else { return }
    lock.withLock {
      for changes in SharedChanges.followed { changes.noteValue(value, of: self) }
    }
  }
  func withLock<R>(_ body: (inout Value) -> R) -> R {
    lock.withLock {
      if let changes = SharedChanges.asserted {
        var expected = changes.expectation(of: self) ?? value
        defer { changes.expect(expected, of: self) }
        return body(&expected)
      }
      defer { didChange(to: value) }
      return body(&value)
    }
  }
  /// Called after each change of the value.
  func didChange(to value: Value) {}
}

extension RangeReplaceableCollection {
  /// Creates a shared reference for each element of a collection by its id.
  public init<Value: _MutableIdentifiedCollection>(_ shared: Shared<Value>)
  where Element == Shared<Value.Element> {
    self.init(shared.wrappedValue.ids.compactMap { Shared(shared[id: $0]) })
  }
}
