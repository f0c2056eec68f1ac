import Foundation

/// The references of keys: one per id while it is in use.
package final class SharedReferences: Sendable {
  struct ID: Hashable {
    let key: AnyHashable
    let value: ObjectIdentifier
  }

  fileprivate struct Slot {
    weak var root: (any SharedRootReference)?
    /// Keeps the root alive in a replay, which can't load its value again.
    var keeper: (any SharedRootReference)?
  }

  private let slots = LockIsolated<[ID: Slot]>([:])
  /// Held while a reference and its default value are created.
  ///
  /// The default value may request other references.
  private let making = KeyedLock<ID>()
  /// Whether values come from a log.
  ///
  /// Keys are then never called.
  private let isReplay: Bool
  /// The journal with which a replay restores earlier values.
  ///
  /// `nil` outside of replays.
  let journal: SharedJournal?

  /// Creates an empty set of references.
  ///
  /// - Parameter isReplay: Whether values come from a log. If so, no key loads or saves.
  package init(isReplay: Bool = false) {
    self.isReplay = isReplay
    journal = isReplay ? SharedJournal() : nil
  }

  /// The references in the current dependencies.
  static var current: SharedReferences { DependencyValues._current.sharedReferences }

  /// Returns the reference of a key, and creates it if necessary.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - loads: Whether a new reference loads its value. Pass `false` if the caller calls `load()` next.
  ///   - makeDefault: Returns the value of a new reference until it is loaded.
  /// - Returns: The reference.
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
    guard ReadScope.current != nil else { return root }
    // For a reducer this is a read from outside, even if the reference is already in use.
    let answer = ReadScope.read("shared.\(root.name)", standIn: root.real) { root.real }
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
  /// The references of a replay and their values at one time.
  package struct Snapshot {
    fileprivate let slots: [ID: Slot]
    fileprivate let values: SharedJournal.Snapshot
  }

  /// A snapshot of the references and their values.
  package var snapshot: Snapshot {
    Snapshot(slots: slots.withValue { $0 }, values: journal?.snapshot ?? SharedJournal.Snapshot())
  }

  /// Restores references and values without notifying observers.
  package func restore(_ snapshot: Snapshot) {
    let old = slots.withValue { slots in
      defer { slots = snapshot.slots }
      return slots
    }
    journal?.restore(snapshot.values)
    // Released without the lock, because `deinit` acquires it.
    withExtendedLifetime(old) {}
  }

  /// The ids of the keys, by their roots.
  var keys: [ObjectIdentifier: ID] {
    var keys: [ObjectIdentifier: ID] = [:]
    for (id, slot) in slots.withValue({ $0 }) {
      if let root = slot.root { keys[ObjectIdentifier(root)] = id }
    }
    return keys
  }

  /// Whether the keys have references with the same values as in a snapshot.
  ///
  /// Returns `false` for incomparable values.
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
  /// The references of keys.
  package var sharedReferences: SharedReferences {
    get { self[SharedReferencesKey.self] }
    set { self[SharedReferencesKey.self] = newValue }
  }
}
