import Foundation

/// The references of keys, at most one for each id.
///
/// Outside of replays, a reference exists only while a shared value uses it.
package final class SharedReferences: Sendable {
  struct ID: Hashable {
    let key: AnyHashable
    let value: ObjectIdentifier
  }

  fileprivate struct Slot {
    weak var root: (any SharedRootReference)?
    /// A strong reference to the root in a replay, which can't load the value again; `nil` outside of replays.
    var keeper: (any SharedRootReference)?
  }

  private let slots = LockIsolated<[ID: Slot]>([:])
  /// The locks that are held while references and their default values are created.
  ///
  /// Each key has its own lock, because a default value may request other references.
  private let making = KeyedLock<ID>()
  /// Whether values come from a log, so that keys must not be called.
  private let isReplay: Bool
  /// The journal from which a replay restores earlier values; `nil` outside of replays.
  let journal: SharedJournal?

  /// Creates an empty set of references.
  ///
  /// - Parameter isReplay: Whether values come from a log, so that keys don't load or save them.
  package init(isReplay: Bool = false) {
    self.isReplay = isReplay
    journal = isReplay ? SharedJournal() : nil
  }

  /// The references in the dependencies of the current task.
  static var current: SharedReferences { DependencyValues._current.sharedReferences }

  /// Returns the reference of a key, and creates it if necessary.
  ///
  /// - Parameters:
  ///   - key: The key of the shared value.
  ///   - loads: Whether a new reference loads its value. Pass `false` if the caller calls `load()` next.
  ///   - makeDefault: A closure that returns the value that a new reference has until the key has loaded one.
  /// - Returns: The reference that stores the value of the key.
  func root<Value>(
    of key: some SharedReaderKey<Value>,
    loads: Bool = true,
    default makeDefault: () -> Value
  ) -> SharedRoot<Value> {
    let id = ID(key: AnyHashable(key.id), value: ObjectIdentifier(Value.self))
    let root =
      self.root(id)
      ?? making.withLock(for: id) { self.root(id) ?? add(id, key: key, value: makeDefault()) }
    root.start(loads: loads)
    guard ReducerReadScope.current != nil else { return root }
    // In a reducer, the access counts as a read that is recorded, even if the reference is already in use.
    let answer = ReducerReadScope.read("shared.\(root.name)", standIn: root.real) { root.real }
    if isReplay { root.replace(with: answer) }
    return root
  }

  private func root<Value>(_ id: ID) -> SharedRoot<Value>? {
    slots.withValue { $0[id]?.root as? SharedRoot<Value> }
  }

  private func add<Value>(
    _ id: ID,
    key: some SharedReaderKey<Value>,
    value: Value
  ) -> SharedRoot<Value> {
    nonisolated(unsafe) let id = id
    let root = SharedRoot(value, key: key, isConnected: !isReplay) { [weak self] in
      self?.slots.withValue { slots in
        if let slot = slots[id], slot.root == nil { slots[id] = nil }
      }
    }
    slots.withValue { $0[id] = Slot(root: root, keeper: isReplay ? root : nil) }
    return root
  }
}

extension SharedReferences {
  /// The references of a replay, and the values that they had when the snapshot was taken.
  package struct Snapshot {
    fileprivate let slots: [ID: Slot]
    fileprivate let values: SharedJournal.Snapshot
  }

  /// A snapshot of the references and their current values.
  package var snapshot: Snapshot {
    Snapshot(slots: slots.withValue { $0 }, values: journal?.snapshot ?? SharedJournal.Snapshot())
  }

  /// Restores the references and values of a snapshot without notifying observers.
  package func restore(_ snapshot: Snapshot) {
    let old = slots.withValue { slots in
      defer { slots = snapshot.slots }
      return slots
    }
    journal?.restore(snapshot.values)
    // Releases the old references without holding the lock, because their `deinit` acquires it.
    withExtendedLifetime(old) {}
  }

  /// The ids of the keys, by the identities of their roots.
  var keys: [ObjectIdentifier: ID] {
    var keys: [ObjectIdentifier: ID] = [:]
    for (id, slot) in slots.withValue({ $0 }) {
      if let root = slot.root { keys[ObjectIdentifier(root)] = id }
    }
    return keys
  }

  /// Returns whether the keys have references with the same values as in a snapshot.
  ///
  /// The result is `false` if any value can't be compared.
  package func isEquivalent(to snapshot: Snapshot) -> Bool {
    let slots = slots.withValue { $0 }
    guard slots.count == snapshot.slots.count else { return false }
    return slots.allSatisfy { id, slot in
      guard let other = snapshot.slots[id] else { return false }
      guard let root = slot.root, let earlier = other.root as? any JournaledObject else {
        return slot.root == nil && other.root == nil
      }
      let contents = journal?.contents(of: earlier, in: snapshot.values) ?? earlier.journaled
      return isEqual(root.erasedValue, contents) ?? false
    }
  }
}

private enum SharedReferencesKey: DependencyKey {
  static let liveValue = SharedReferences()
  static var testValue: SharedReferences { SharedReferences() }
}

extension DependencyValues {
  /// The references of keys that shared values use.
  package var sharedReferences: SharedReferences {
    get { self[SharedReferencesKey.self] }
    set { self[SharedReferencesKey.self] = newValue }
  }
}
