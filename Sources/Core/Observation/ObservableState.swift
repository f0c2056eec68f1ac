@_exported public import Observation
import Synchronization

/// State whose properties are observed one by one; `@ObservableState` writes the conformance.
///
/// The requirements are for generated code.
///
/// ```swift
/// @ObservableState
/// struct State: Equatable {
///   var count = 0
/// }
/// ```
public protocol ObservableState: Observable, SendableMetatype {
  /// Which value this is: the same for copies, another one for a value made anew.
  var _$id: ObservableStateID { get }

  /// Notes that the value is about to be changed in place.
  mutating func _$willModify()
}

/// The identity of an observable state: copies share it, values made anew have another.
///
/// Values of an enum carry the number of their case too, so that a change of case is a change of identity even where the
/// payload stays the same.
///
/// ```swift
/// let state = Feature.State()
/// let copy = state
/// copy._$id == state._$id             // true
/// Feature.State()._$id == state._$id  // false
/// ```
public struct ObservableStateID: Hashable, Sendable {
  @usableFromInline let location: UInt64
  /// The last change of the value, the same one in copies until one of them changes.
  @usableFromInline private(set) var change: UInt64
  @usableFromInline private(set) var tags: [Int] = []

  /// The identity of a new value.
  public init() {
    location = Self.next()
    change = location
  }

  private init(location: UInt64) {
    self.location = location
    change = location
  }

  /// Compares identities; what has become of a value since does not matter.
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
  /// The identity of a case without payload, of which there is but one value.
  public static let _$inert = ObservableStateID(location: 0)

  /// The identity of a payload; one that cannot be observed is a new value each time.
  public static func _$id<Value>(for value: Value) -> ObservableStateID {
    (value as? any ObservableState)?._$id ?? ObservableStateID()
  }

  /// The identity of a payload.
  public static func _$id(for value: some ObservableState) -> ObservableStateID {
    value._$id
  }

  /// This identity within a case of an enum.
  public func _$tag(_ tag: Int) -> ObservableStateID {
    var id = self
    id.tags.append(tag)
    return id
  }

  /// Notes that the value changes.
  public mutating func _$willModify() {
    change = Self.next()
  }
}

extension ObservableStateID {
  private static let counter = Atomic<UInt64>(0)

  /// A number for each new value and each change, none of which is given twice.
  private static func next() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The last change of all values so far.
  static var lastChange: UInt64 { counter.load(ordering: .relaxed) }

  /// The last change before the actions that the store at work handles, during which nothing begins to observe its state.
  ///
  /// Features change copies of their states that later replace these, and notify observers of each change as they make it.
  /// Zero where no store is at work.
  static var beginningOfWork: UInt64 {
    DependencyValues._current.storeContext?.beginningOfWork ?? 0
  }

  /// Whether the value is a changed copy of another one, and its observers may be newer than the change.
  ///
  /// A change notifies those that observe the value at that time, and no later ones.
  ///
  /// - Parameters:
  ///   - other: The value that it takes the place of, with the same identity.
  ///   - beginning: When a change in place began: observers were there before. Zero where nothing is known of that.
  /// - Returns: Whether it is such a copy.
  @inlinable
  func isChangedCopy(of other: ObservableStateID, since beginning: UInt64) -> Bool {
    change != other.change && (beginning == 0 || change <= beginning)
  }
}
