import Foundation
import Observation
import Synchronization

/// State whose properties are observed; the stand-in has no observers.
public protocol ObservableState: Observable {
  /// Which value it is.
  var _$id: ObservableStateID { get }
  /// It is about to change.
  mutating func _$willModify()
}

/// Which value a state is.
public struct ObservableStateID: Hashable, Sendable {
  private var location = UUID()
  private var tag: Int?

  /// A new one.
  public init() {}
  /// That of a case without payload.
  public static let _$inert = ObservableStateID()
  /// That of a payload.
  public static func _$id<Value>(for value: Value) -> Self {
    (value as? any ObservableState)?._$id ?? Self()
  }
  /// That of a case.
  public func _$tag(_ tag: Int) -> Self {
    var id = self
    id.tag = tag
    return id
  }
}

/// What a state knows of its observers: none.
public struct ObservationStateRegistrar: Sendable, Equatable, Hashable {
  /// Which value it is.
  public var id: ObservableStateID { ObservableStateID._$inert }

  /// A registrar.
  public init() {}
  /// All are equal.
  public static func == (_: Self, _: Self) -> Bool { true }
  /// All are equal.
  public func hash(into hasher: inout Hasher) {}
  /// The state changes.
  public func _$willModify() {}
  /// A property is read.
  public func access<Root, Member>(_ root: Root, keyPath: KeyPath<Root, Member>) {}
  /// A property is set.
  public func mutate<Root, Member, Value>(
    _ root: Root,
    keyPath: KeyPath<Root, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _: (Value, Value) -> Bool,
    _: (Value, Value) -> Bool = { _, _ in true }
  ) {
    value = newValue
  }
  /// A property is going to be changed.
  public func willModify<Root, Member, Value>(
    _ root: Root,
    keyPath: KeyPath<Root, Member>,
    _ value: inout Value
  ) -> Value { value }
  /// A property has been changed.
  public func didModify<Root, Member, Value>(
    _ root: Root,
    keyPath: KeyPath<Root, Member>,
    _ value: inout Value,
    _ old: Value,
    _: (Value, Value) -> Bool
  ) {}
}

/// Whether two values are the same.
public func _$isIdentityEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool { false }
/// Whether observers are to know.
public func _$shouldNotifyObservers<Value>(_ lhs: Value, _ rhs: Value) -> Bool { true }
/// The payload changes.
public func _$willModify<Value>(_ value: inout Value) {}
