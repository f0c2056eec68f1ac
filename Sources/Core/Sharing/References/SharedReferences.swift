import Foundation

/// The references of keys: one for each id, as long as it is in use.
package final class SharedReferences: Sendable {
  private struct ID: Hashable {
    let key: AnyHashable
    let value: ObjectIdentifier
  }

  private struct Slot {
    weak var root: (any SharedRootReference)?
    /// Keeps the root of a replay, which has nothing to load it from again.
    var keeper: (any SharedRootReference)?
  }

  private let slots = LockIsolated<[ID: Slot]>([:])
  /// Whether values come from a log: keys are never asked.
  private let isReplay: Bool

  /// No references.
  ///
  /// - Parameter isReplay: Whether values come from a log, and no key may load or save anything.
  package init(isReplay: Bool = false) {
    self.isReplay = isReplay
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
    let root = self.root(id) ?? add(id, key: key, value: makeDefault())
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
    return slots.withValue { slots in
      // Another thread may have been faster.
      if let faster = slots[id]?.root as? SharedRoot<Value> { return faster }
      slots[id] = Slot(root: root, keeper: isReplay ? root : nil)
      return root
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
