import Synchronization

/// The identity of an observable state: copies share it, values made anew have another.
///
/// Values of an enum carry the number of their case too, so that a change of case is a change of identity even where the
/// payload stays the same.
public struct ObservableStateID: Hashable, Sendable {
  /// One object for each state of a value that copies may have kept.
  private var generation: Generation
  private var tags: [Int] = []

  /// The identity of a new value.
  public init() {
    generation = Generation(location: Generation.next())
  }

  private init(_ generation: Generation) {
    self.generation = generation
  }

  /// Compares identities; what has become of a value since does not matter.
  public static func == (lhs: ObservableStateID, rhs: ObservableStateID) -> Bool {
    lhs.generation.location == rhs.generation.location && lhs.tags == rhs.tags
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generation.location)
    hasher.combine(tags)
  }

  private final class Generation: Sendable {
    let location: UInt64

    init(location: UInt64) {
      self.location = location
    }

    private static let counter = Atomic<UInt64>(0)

    static func next() -> UInt64 {
      counter.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The location of all values that nothing can tell apart: cases without payload.
    static let inert = Generation(location: 0)
  }
}

extension ObservableStateID {
  /// The identity of a case without payload, of which there is but one value.
  public static let _$inert = ObservableStateID(.inert)

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

  /// Leaves the present generation to the copies, if there are any.
  public mutating func _$willModify() {
    if !isKnownUniquelyReferenced(&generation) {
      generation = Generation(location: generation.location)
    }
  }

  /// Whether neither value has been changed in place since one was copied from the other.
  func isSameGeneration(as other: ObservableStateID) -> Bool {
    generation === other.generation
  }
}
