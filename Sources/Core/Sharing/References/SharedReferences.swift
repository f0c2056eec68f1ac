import Foundation

/// The references of keys: one for each id, as long as it is in use.
package final class SharedReferences: Sendable {
  struct ID: Hashable {
    let key: AnyHashable
    let value: ObjectIdentifier
  }

  fileprivate struct Slot {
    weak var root: (any SharedRootReference)?
    /// Keeps the root of a replay, which has nothing to load it from again.
    var keeper: (any SharedRootReference)?
  }

  private let slots = LockIsolated<[ID: Slot]>([:])
  /// Held while a reference and its default are made, which may ask for other references.
  private let making = KeyedLock<ID>()
  /// Whether values come from a log: keys are never asked.
  private let isReplay: Bool
  /// What a replay goes back by; `nil` outside of replays.
  let journal: SharedJournal?

  /// No references.
  ///
  /// - Parameter isReplay: Whether values come from a log, and no key may load or save anything.
  package init(isReplay: Bool = false) {
    self.isReplay = isReplay
    journal = isReplay ? SharedJournal() : nil
  }

  /// The references of now.
  static var current: SharedReferences { DependencyValues._current.sharedReferences }

  /// The reference of a key, made when there is none.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - loads: Whether a new reference loads its value; not when `load()` is called next.
  ///   - makeDefault: Makes the value that a new reference has until then.
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
    // To a reducer it is a read of the world, even if the reference is in use elsewhere.
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
  /// The references of a replay and their values, at one moment.
  package struct Snapshot {
    fileprivate let slots: [ID: Slot]
    fileprivate let values: SharedJournal.Snapshot
  }

  /// The references and their values.
  package var snapshot: Snapshot {
    Snapshot(slots: slots.withValue { $0 }, values: journal?.snapshot ?? SharedJournal.Snapshot())
  }

  /// Puts references and values back, without telling observers.
  package func restore(_ snapshot: Snapshot) {
    let old = slots.withValue { slots in
      defer { slots = snapshot.slots }
      return slots
    }
    journal?.restore(snapshot.values)
    // Not under the lock: what goes here asks for it.
    withExtendedLifetime(old) {}
  }

  /// The keys by their roots.
  var keys: [ObjectIdentifier: ID] {
    var keys: [ObjectIdentifier: ID] = [:]
    for (id, slot) in slots.withValue({ $0 }) {
      if let root = slot.root { keys[ObjectIdentifier(root)] = id }
    }
    return keys
  }

  /// Whether the keys have references of the same values as in a snapshot; `false` where values cannot be compared.
  package func isEquivalent(to snapshot: Snapshot) -> Bool {
    let slots = slots.withValue { $0 }
    guard slots.count == snapshot.slots.count else { return false }
    return slots.allSatisfy { id, slot in
      guard let other = snapshot.slots[id] else { return false }
      guard let root = slot.root, let earlier = other.root as? any JournaledPlace else {
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
