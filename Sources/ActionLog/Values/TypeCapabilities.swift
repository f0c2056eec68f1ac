import Synchronization

/// What is known of a type's values, found out once for the whole process.
///
/// This is the only place that keeps such things: asking a type takes longer than to write most values.
package final class TypeCapabilities: Sendable {
  /// The type as one that describes itself; nil for all others.
  let logValue: (any LogValue.Type)?
  /// What a survey of the type has found.
  let traits: TypeTraits
  /// Which bytes of the values count.
  let layout: RowLayout
  private let isOtherThanMembers = Atomic(false)
  private let foundStorageClass = Atomic<UInt>(0)

  private static let known = Mutex<[ObjectIdentifier: TypeCapabilities]>([:])

  /// What is known of a type.
  package static func of(_ type: Any.Type) -> TypeCapabilities {
    let id = ObjectIdentifier(type)
    if let found = known.withLock({ $0[id] }) { return found }
    // Not under the lock, for a survey runs code of the app's. Of two threads that find out the same, one is kept.
    let new = TypeCapabilities(type)
    return known.withLock { known in
      if let found = known[id] { return found }
      known[id] = new
      return new
    }
  }

  private init(_ type: Any.Type) {
    layout = RowLayout(of: type)
    logValue = type as? any LogValue.Type
    traits = LogTypeSurvey(surveying: type).traits
  }

  /// Whether the values hold nothing that changes in place, so that copies with the same bits are the same.
  package var isPlain: Bool { traits.contains(.plain) }

  /// The class of the storage of a set or a dictionary, which `find` finds out.
  func storageClass(_ find: () -> UInt) -> UInt {
    let known = foundStorageClass.load(ordering: .relaxed)
    guard known == 0 else { return known }
    let found = find()
    foundStorageClass.store(found, ordering: .relaxed)
    return found
  }

  /// Whether the type, an `Encodable` one, writes one object of members, as far as its values have shown.
  var writesMembers: Bool { !isOtherThanMembers.load(ordering: .relaxed) }

  /// Notes that a value has written something else than one object of members.
  func noteOtherThanMembers() { isOtherThanMembers.store(true, ordering: .relaxed) }
}

/// The capabilities of the types that have come up last: found here without a lock, and faster than among all.
struct RecentTypes: Sendable {
  private struct CachedType: Sendable {
    let id: ObjectIdentifier
    let capabilities: TypeCapabilities
  }

  private var entries: [CachedType] = []
  /// The entry that makes room for the next type.
  private var next = 0

  /// So many types are looked through sooner than one is found among all.
  private static let capacity = 32

  /// What is known of a type.
  mutating func capabilities(of type: Any.Type) -> TypeCapabilities {
    let id = ObjectIdentifier(type)
    if let index = index(of: id) { return entries[index].capabilities }
    return add(id, TypeCapabilities.of(type))
  }

  /// Whether the values of a type hold nothing that changes in place, so that copies with the same bits are the same.
  mutating func isPlain(_ type: Any.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if let index = index(of: id) { return entries[index].capabilities.isPlain }
    return add(id, TypeCapabilities.of(type)).isPlain
  }

  @inline(__always)
  private func index(of id: ObjectIdentifier) -> Int? {
    for index in entries.indices where entries[index].id == id { return index }
    return nil
  }

  @inline(never)
  private mutating func add(
    _ id: ObjectIdentifier,
    _ capabilities: TypeCapabilities
  ) -> TypeCapabilities {
    let entry = CachedType(id: id, capabilities: capabilities)
    if entries.count < Self.capacity {
      entries.append(entry)
    } else {
      entries[next] = entry
      next = (next + 1) % Self.capacity
    }
    return capabilities
  }
}
