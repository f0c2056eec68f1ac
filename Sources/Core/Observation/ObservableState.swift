@_exported public import Observation
import Synchronization

/// State whose properties are observed individually; `@ObservableState` generates the conformance.
///
/// The generated code uses the requirements.
///
/// ```swift
/// @ObservableState
/// struct State: Equatable {
///   var count = 0
/// }
/// ```
public protocol ObservableState: Observable, SendableMetatype {
  /// The identity of the value.
  ///
  /// Copies share it, and each new value gets its own.
  var _$id: ObservableStateID { get }

  /// Assigns a new change number to the value before it is changed in place.
  mutating func _$willModify()
}

/// The identity of an observable state: copies share it, and each new value gets its own.
///
/// The identity of an enum value includes the number of its case. A change of the case is a change of identity, even if
/// the payload stays the same.
///
/// ```swift
/// let state = Feature.State()
/// let copy = state
/// copy._$id == state._$id             // true
/// Feature.State()._$id == state._$id  // false
/// ```
public struct ObservableStateID: Hashable, Sendable {
  @usableFromInline let location: UInt64
  /// The number of the value's last change.
  ///
  /// Copies share it until one of them changes.
  @usableFromInline private(set) var change: UInt64
  @usableFromInline private(set) var tags: [Int] = []

  /// Creates the identity of a new value.
  public init() {
    location = Self.next()
    change = location
  }

  private init(location: UInt64) {
    self.location = location
    change = location
  }

  /// Returns whether two identities are the same, even if one of the values has changed since it was copied.
  @inlinable
  public static func == (lhs: ObservableStateID, rhs: ObservableStateID) -> Bool {
    lhs.location == rhs.location && lhs.tags == rhs.tags
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(location)
    hasher.combine(tags)
  }
}

extension ObservableStateID {
  /// The identity of a case without a payload, which all its values share.
  public static let _$inert = ObservableStateID(location: 0)

  /// Returns the identity of a payload, which is a new one if the payload is not observable.
  public static func _$id<Value>(for value: Value) -> ObservableStateID {
    (value as? any ObservableState)?._$id ?? ObservableStateID()
  }

  /// Returns the identity of an observable payload.
  public static func _$id(for value: some ObservableState) -> ObservableStateID {
    value._$id
  }

  /// Returns this identity, extended by the number of an enum case.
  public func _$tag(_ tag: Int) -> ObservableStateID {
    var id = self
    id.tags.append(tag)
    return id
  }

  /// Assigns a new change number.
  public mutating func _$willModify() {
    change = Self.next()
  }
}

extension ObservableStateID {
  private static let counter = Atomic<UInt64>(0)

  /// Returns the next number for a new value or a change.
  ///
  /// No number is returned twice.
  private static func next() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The number of the last change of any value.
  static var lastChange: UInt64 { counter.load(ordering: .relaxed) }

  /// The number of the last change before the current wave of actions; zero while no store handles actions.
  ///
  /// No observer is added to a store's state during a wave. Features change copies of their states, which notify the
  /// observers immediately and replace the states later.
  static var beginningOfWork: UInt64 {
    DependencyValues._current.storeContext?.beginningOfWork ?? 0
  }

  /// Returns whether the value is a changed copy of another one whose current observers may have missed the change.
  ///
  /// A change notifies the observers that exist at that time. Observers that are added later miss it.
  ///
  /// - Parameters:
  ///   - other: The value that this one replaces, with the same identity.
  ///   - beginning: The change number when a change in place began; later changes have notified all observers. Zero if
  ///     unknown.
  /// - Returns: Whether observers need a notification of the change.
  @inlinable
  func isChangedCopy(of other: ObservableStateID, since beginning: UInt64) -> Bool {
    change != other.change && (beginning == 0 || change <= beginning)
  }
}
