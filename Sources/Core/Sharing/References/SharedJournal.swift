import Foundation
import Synchronization

/// A mutable object of the library that belongs to a state and is restored with it.
protocol JournaledObject: AnyObject, Sendable {
  /// The current contents, type-erased.
  var journaled: Any { get }
  /// Restores earlier contents without notifying observers.
  func putBack(_ contents: Any)
}

/// The shared values that have changed since a replay began to take snapshots, with their original contents.
///
/// A snapshot of a state holds references to shared values. This journal holds the values. It records only written
/// values and the last values of parts, so features without shared values have no overhead.
package final class SharedJournal: Sendable {
  private struct JournaledValue {
    weak var place: (any JournaledObject)?
    /// The contents before the first change.
    let base: Any
  }

  /// The contents of the recorded objects at one time.
  package struct Snapshot {
    fileprivate var contents: [ObjectIdentifier: (place: any JournaledObject, value: Any)] = [:]
  }

  private struct JournalState {
    /// All objects that were ever recorded.
    var entries: [ObjectIdentifier: JournaledValue] = [:]
    /// The objects that changed before the current state.
    ///
    /// All others have their original contents.
    var changed: Set<ObjectIdentifier> = []
    /// The number of entries above which entries of released objects are dropped.
    var limit = 64
  }

  private let contents = LockIsolated(JournalState())

  init() {}

  /// The number of journals in use.
  ///
  /// While it is zero, a write costs a single atomic load.
  private static let used = Atomic(0)
  private let isInUse = Atomic(false)

  deinit {
    if isInUse.load(ordering: .relaxed) { Self.used.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Starts to record changes.
  private func startRecording() {
    guard !isInUse.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Self.used.wrappingAdd(1, ordering: .releasing)
  }

  /// Records an object that is about to be written.
  static func recordWrite(_ place: any JournaledObject) {
    guard used.load(ordering: .acquiring) > 0 else { return }
    SharedReferences.current.journal?.recordWrite(place)
  }

  private func recordWrite(_ place: any JournaledObject) {
    guard isInUse.load(ordering: .acquiring) else { return }
    let id = ObjectIdentifier(place)
    let isKnown = contents.withValue { contents in
      contents.changed.insert(id)
      return contents.entries[id]?.place != nil
    }
    guard !isKnown else { return }
    let base = place.journaled
    contents.withValue { contents in
      if contents.entries[id]?.place == nil {
        contents.entries[id] = JournaledValue(place: place, base: base)
      }
      guard contents.entries.count > contents.limit else { return }
      contents.entries = contents.entries.filter { $0.value.place != nil }
      contents.changed.formIntersection(contents.entries.keys)
      contents.limit = max(64, contents.entries.count * 2)
    }
  }

  /// The contents of all objects that may differ from their original contents.
  var snapshot: Snapshot {
    startRecording()
    let changed = changedPlaces
    var snapshot = Snapshot()
    for (id, place, _) in changed { snapshot.contents[id] = (place, place.journaled) }
    return snapshot
  }

  private var changedPlaces: [(id: ObjectIdentifier, place: any JournaledObject, base: Any)] {
    contents.withValue { contents in
      contents.changed.compactMap { id in
        guard let entry = contents.entries[id], let place = entry.place else { return nil }
        return (id, place, entry.base)
      }
    }
  }

  /// Restores the contents of a snapshot.
  ///
  /// Objects that changed only later get their original contents.
  func restore(_ snapshot: Snapshot) {
    for (id, place, base) in changedPlaces where snapshot.contents[id]?.place !== place {
      place.putBack(base)
    }
    for (place, value) in snapshot.contents.values { place.putBack(value) }
    contents.withValue { $0.changed = Set(snapshot.contents.keys) }
  }

  /// Returns the contents of an object at the time of a snapshot.
  func contents(of place: any JournaledObject, in snapshot: Snapshot) -> Any {
    let id = ObjectIdentifier(place)
    if let (known, value) = snapshot.contents[id], known === place { return value }
    let entry = contents.withValue { $0.entries[id] }
    guard let entry, entry.place === place else { return place.journaled }
    return entry.base
  }
}
