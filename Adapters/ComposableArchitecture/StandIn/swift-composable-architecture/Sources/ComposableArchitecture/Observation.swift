import Foundation
import Observation
import Synchronization

/// A state whose properties are observed.
///
/// The stand-in has no observers.
public protocol ObservableState: Observable {
  /// The identity of the value.
  var _$id: ObservableStateID { get }
  /// Prepares for a change of the value.
  mutating func _$willModify()
}

/// The identity of a state.
public struct ObservableStateID: Hashable, Sendable {
  private var location = UUID()
  private var tag: Int?

  /// Creates a new identity.
  public init() {}
  /// The identity of a case without a payload.
  public static let _$inert = ObservableStateID()
  /// Returns the identity of a payload.
  public static func _$id<Value>(for value: Value) -> Self {
    (value as? any ObservableState)?._$id ?? Self()
  }
  /// Returns the identity of a case.
  public func _$tag(_ tag: Int) -> Self {
    var id = self
    id.tag = tag
    return id
  }
}

/// The observers of a state.
///
/// The stand-in has none.
public struct ObservationStateRegistrar: Sendable, Equatable, Hashable {
  /// The identity of the value.
  public var id: ObservableStateID { ObservableStateID._$inert }

  /// Creates a registrar.
  public init() {}
  /// Always returns `true`.
  public static func == (_: Self, _: Self) -> Bool { true }
  /// Does nothing, because all registrars are equal.
  public func hash(into hasher: inout Hasher) {}
  /// Called before the state changes.
  public func _$willModify() {}
  /// Called when a property is read.
  public func access<Root, Member>(_ root: Root, keyPath: KeyPath<Root, Member>) {}
  /// Sets a property.
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
  /// Called before a property changes.
  public func willModify<Root, Member, Value>(
    _ root: Root,
    keyPath: KeyPath<Root, Member>,
    _ value: inout Value
  ) -> Value { value }
  /// Called after a property has changed.
  public func didModify<Root, Member, Value>(
    _ root: Root,
    keyPath: KeyPath<Root, Member>,
    _ value: inout Value,
    _ old: Value,
    _: (Value, Value) -> Bool
  ) {}
}

/// Returns whether two values have the same identity.
///
/// Always `false`.
public func _$isIdentityEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool { false }
/// Returns whether observers are notified.
///
/// Always `true`.
public func _$shouldNotifyObservers<Value>(_ lhs: Value, _ rhs: Value) -> Bool { true }
/// Called before a payload changes.
public func _$willModify<Value>(_ value: inout Value) {}
