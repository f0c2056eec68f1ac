import Foundation
import Synchronization

/// An object of the library whose contents are part of a state: they go back with it.
protocol JournaledPlace: AnyObject, Sendable {
  /// The contents, of whatever type.
  var journaled: Any { get }
  /// Puts earlier contents back, without telling observers.
  func putBack(_ contents: Any)
}

/// The shared values that have changed since a replay began to take snapshots, and what they were before.
///
/// A snapshot of a state holds references to shared values; the values themselves are here. Only values that were written, and the last values of parts, are
/// noted, so features without shared values pay for nothing.
package final class SharedJournal: Sendable {
  private struct JournaledValue {
    weak var place: (any JournaledPlace)?
    /// The contents before the first change.
    let base: Any
  }

  /// The contents of the places that were noted on the way to one moment.
  package struct Snapshot {
    fileprivate var contents: [ObjectIdentifier: (place: any JournaledPlace, value: Any)] = [:]
  }

  private struct JournalState {
    /// The places that were noted at some time.
    var entries: [ObjectIdentifier: JournaledValue] = [:]
    /// Those that were noted on the way to the state of now: all others hold what they held before their first change.
    var changed: Set<ObjectIdentifier> = []
    /// How many entries there may be before those of places that are gone are dropped.
    var limit = 64
  }

  private let contents = LockIsolated(JournalState())

  init() {}

  /// How many journals are in use: while there is none, a write costs one look at this.
  private static let used = Atomic(0)
  private let isInUse = Atomic(false)

  deinit {
    if isInUse.load(ordering: .relaxed) { Self.used.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Notes from now on what changes.
  private func startRecording() {
    guard !isInUse.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Self.used.wrappingAdd(1, ordering: .releasing)
  }

  /// Notes that a place is about to be written.
  static func recordWrite(_ place: any JournaledPlace) {
    guard used.load(ordering: .acquiring) > 0 else { return }
    SharedReferences.current.journal?.recordWrite(place)
  }

  private func recordWrite(_ place: any JournaledPlace) {
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

  /// The contents of the places that may hold something else than before their first change.
  var snapshot: Snapshot {
    startRecording()
    let changed = changedPlaces
    var snapshot = Snapshot()
    for (id, place, _) in changed { snapshot.contents[id] = (place, place.journaled) }
    return snapshot
  }

  private var changedPlaces: [(id: ObjectIdentifier, place: any JournaledPlace, base: Any)] {
    contents.withValue { contents in
      contents.changed.compactMap { id in
        guard let entry = contents.entries[id], let place = entry.place else { return nil }
        return (id, place, entry.base)
      }
    }
  }

  /// Puts the contents back; a place that was written only later gets what it had before that.
  func restore(_ snapshot: Snapshot) {
    for (id, place, base) in changedPlaces where snapshot.contents[id]?.place !== place {
      place.putBack(base)
    }
    for (place, value) in snapshot.contents.values { place.putBack(value) }
    contents.withValue { $0.changed = Set(snapshot.contents.keys) }
  }

  /// What a place held when a snapshot was taken.
  func contents(of place: any JournaledPlace, in snapshot: Snapshot) -> Any {
    let id = ObjectIdentifier(place)
    if let (known, value) = snapshot.contents[id], known === place { return value }
    let entry = contents.withValue { $0.entries[id] }
    guard let entry, entry.place === place else { return place.journaled }
    return entry.base
  }
}
