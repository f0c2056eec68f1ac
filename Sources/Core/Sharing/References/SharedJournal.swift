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
/// A snapshot of a state holds references to shared values; the values themselves are here. Only values that were written are
/// noted, so features without shared values pay for nothing.
package final class SharedJournal: Sendable {
  private struct Entry {
    weak var place: (any JournaledPlace)?
    /// The contents before the first change.
    let base: Any
  }

  /// The contents of all noted places at one moment.
  package struct Snapshot {
    fileprivate var contents: [ObjectIdentifier: (place: any JournaledPlace, value: Any)] = [:]
  }

  private let entries = LockIsolated<[ObjectIdentifier: Entry]>([:])
  /// How many entries there may be before those of places that are gone are dropped.
  private let limit = Atomic(64)

  init() {}

  /// How many journals are in use: while there is none, a write costs one look at this.
  private static let used = Atomic(0)
  private let isInUse = Atomic(false)

  deinit {
    if isInUse.load(ordering: .relaxed) { Self.used.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Notes from now on what changes.
  private func begin() {
    guard !isInUse.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Self.used.wrappingAdd(1, ordering: .releasing)
  }

  /// Notes that a place is about to be written.
  static func note(_ place: any JournaledPlace) {
    guard used.load(ordering: .acquiring) > 0 else { return }
    SharedReferences.current.journal?.note(place)
  }

  private func note(_ place: any JournaledPlace) {
    guard isInUse.load(ordering: .acquiring) else { return }
    let id = ObjectIdentifier(place)
    guard entries.withValue({ $0[id]?.place == nil }) else { return }
    let base = place.journaled
    entries.withValue { entries in
      if entries[id]?.place == nil { entries[id] = Entry(place: place, base: base) }
      guard entries.count > limit.load(ordering: .relaxed) else { return }
      entries = entries.filter { $0.value.place != nil }
      limit.store(max(64, entries.count * 2), ordering: .relaxed)
    }
  }

  /// The contents of all places that were written.
  var snapshot: Snapshot {
    begin()
    let noted = entries.withValue { $0 }
    var snapshot = Snapshot()
    for (id, entry) in noted {
      if let place = entry.place { snapshot.contents[id] = (place, place.journaled) }
    }
    return snapshot
  }

  /// Puts the contents back; a place that was written only later gets what it had before that.
  func restore(_ snapshot: Snapshot) {
    let noted = entries.withValue { $0 }
    for (id, entry) in noted {
      guard let place = entry.place else { continue }
      if let (known, value) = snapshot.contents[id], known === place {
        place.putBack(value)
      } else {
        place.putBack(entry.base)
      }
    }
  }
}
