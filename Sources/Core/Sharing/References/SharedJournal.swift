import Foundation
import Synchronization

/// A mutable object that belongs to a state and whose contents are restored together with the state.
protocol JournaledObject: AnyObject, Sendable {
  /// The current contents, as `Any`.
  var journaled: Any { get }
  /// Restores earlier contents of the object without notifying observers.
  func restore(_ contents: Any)
}

/// A journal of the shared values that have changed since a replay began to take snapshots, with their original
/// contents.
///
/// A snapshot of a state contains references to shared values, and the journal contains the values. The
/// journal records an object only when the object is written, so features without shared values have no overhead.
package final class SharedJournal: Sendable {
  private struct JournaledValue {
    weak var place: (any JournaledObject)?
    /// The contents of the object before its first recorded change.
    let base: Any
  }

  /// The contents that the recorded objects had when the snapshot was taken.
  package struct Snapshot {
    fileprivate var contents: [ObjectIdentifier: (place: any JournaledObject, value: Any)] = [:]
  }

  private struct JournalState {
    /// The original contents of all objects that have been recorded, by identity.
    var entries: [ObjectIdentifier: JournaledValue] = [:]
    /// The identities of the objects that may differ from their original contents in the current state.
    var changed: Set<ObjectIdentifier> = []
    /// The number of entries above which entries of released objects are removed.
    var limit = 64
  }

  private let contents = LockIsolated(JournalState())

  init() {}

  /// The number of journals that record changes.
  ///
  /// If it is zero, a write costs only one atomic load.
  private static let used = Atomic(0)
  private let isInUse = Atomic(false)

  deinit {
    if isInUse.load(ordering: .relaxed) { Self.used.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Starts to record changes when the first snapshot is taken.
  private func startRecording() {
    guard !isInUse.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Self.used.wrappingAdd(1, ordering: .releasing)
  }

  /// Records the original contents of an object that is about to be written.
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

  /// The current contents of all objects that may differ from their original contents.
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

  /// Restores the contents of all objects to those in a snapshot.
  ///
  /// Objects that changed only after the snapshot get their original contents.
  func restore(_ snapshot: Snapshot) {
    for (id, place, base) in changedPlaces where snapshot.contents[id]?.place !== place {
      place.restore(base)
    }
    for (place, value) in snapshot.contents.values { place.restore(value) }
    contents.withValue { $0.changed = Set(snapshot.contents.keys) }
  }

  /// Returns the contents that an object had at the time of a snapshot.
  func contents(of place: any JournaledObject, in snapshot: Snapshot) -> Any {
    let id = ObjectIdentifier(place)
    if let (known, value) = snapshot.contents[id], known === place { return value }
    let entry = contents.withValue { $0.entries[id] }
    guard let entry, entry.place === place else { return place.journaled }
    return entry.base
  }
}
