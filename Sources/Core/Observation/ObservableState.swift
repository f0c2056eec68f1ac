@_exported public import Observation
import Synchronization

/// A state whose properties are observed individually.
///
/// The macro `@ObservableState` generates the conformance. The code that it generates calls the requirements.
///
/// ```swift
/// @ObservableState
/// struct State: Equatable {
///   var count = 0
/// }
/// ```
public protocol ObservableState: Observable, SendableMetatype {
  /// The identity of the state, which its copies share.
  var _$id: ObservableStateID { get }

  /// Assigns a new change number to the state before it is changed in place.
  mutating func _$willModify()
}

/// The identity of an observable state, which the copies of a state share.
///
/// Each new state has a new identity. The identity of an enum value includes the number of its case, so a change of the
/// case changes the identity even if the payload stays the same.
///
/// ```swift
/// let state = Feature.State()
/// let copy = state
/// copy._$id == state._$id             // true
/// Feature.State()._$id == state._$id  // false
/// ```
public struct ObservableStateID: Hashable, Sendable {
  @usableFromInline let location: UInt64
  /// The number of the last change to the value, which copies share until one of them changes.
  @usableFromInline private(set) var change: UInt64
  @usableFromInline private(set) var tags: [Int] = []

  /// Creates the identity of a new state.
  public init() {
    location = Self.next()
    change = location
  }

  private init(location: UInt64) {
    self.location = location
    change = location
  }

  /// Returns whether two identities belong to copies of the same state, even if one copy has changed.
  @inlinable
  public static func == (lhs: ObservableStateID, rhs: ObservableStateID) -> Bool {
    lhs.location == rhs.location && lhs.tags == rhs.tags
  }

  /// Hashes the identity without the change number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(location)
    hasher.combine(tags)
  }
}

extension ObservableStateID {
  /// The identity of an enum case without a payload, to which `_$tag` adds the number of the case.
  public static let _$inert = ObservableStateID(location: 0)

  /// Returns the identity of a payload, or a new identity if the payload isn't an observable state.
  public static func _$id<Value>(for value: Value) -> ObservableStateID {
    (value as? any ObservableState)?._$id ?? ObservableStateID()
  }

  /// Returns the identity of a payload that is an observable state.
  public static func _$id(for value: some ObservableState) -> ObservableStateID {
    value._$id
  }

  /// Returns this identity with the number of an enum case added.
  public func _$tag(_ tag: Int) -> ObservableStateID {
    var id = self
    id.tags.append(tag)
    return id
  }

  /// Assigns a new change number to the identity.
  public mutating func _$willModify() {
    change = Self.next()
  }
}

extension ObservableStateID {
  private static let counter = Atomic<UInt64>(0)

  /// Returns a number for a new state or a change, which is never returned again.
  private static func next() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The number of the last change to any state in the process.
  static var lastChange: UInt64 { counter.load(ordering: .relaxed) }

  /// The number of the last change before the current wave of actions; zero while no store handles actions.
  ///
  /// No observer is added to a store's state during a wave. Features change copies of their states, which immediately
  /// notify the observers and replace the states later.
  @usableFromInline
  static var beginningOfWork: UInt64 {
    DependencyValues._current.storeContext?.beginningOfWork ?? 0
  }

  /// Returns whether a state is a changed copy of another one, and the current observers may have missed the change.
  ///
  /// A change notifies the observers that exist at that time. Observers that are added later miss the change.
  ///
  /// - Parameters:
  ///   - other: The identity of the state that the changed copy replaces.
  ///   - beginning: The number of the last change before a change in place began; later changes have notified all
  ///     observers. The number is zero if it isn't known.
  /// - Returns: Whether the observers must be notified of the change.
  @inlinable
  func isChangedCopy(of other: ObservableStateID, since beginning: UInt64) -> Bool {
    change != other.change && (beginning == 0 || change <= beginning)
  }
}
