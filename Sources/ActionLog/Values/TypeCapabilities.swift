import Synchronization

/// Capabilities of a type's values, looked up once in each process.
///
/// They are cached, because looking up a type takes longer than encoding most values.
package final class TypeCapabilities: Sendable {
  /// The type as a `LogValue`, or `nil` for other types.
  let logValue: (any LogValue.Type)?
  /// The traits that a survey of the type has found.
  let traits: TypeTraits
  /// The layout that determines which bytes of a value are compared.
  let layout: ComparedBytesLayout
  private let isOtherThanMembers = Atomic(false)
  private let foundStorageClass = Atomic<UInt>(0)

  private static let known = Mutex<[ObjectIdentifier: TypeCapabilities]>([:])

  package static func of(_ type: Any.Type) -> TypeCapabilities {
    let id = ObjectIdentifier(type)
    if let found = known.withLock({ $0[id] }) { return found }
    // This call is outside the lock, because a survey runs code of the app. If two threads look up the same type, one
    // result is kept.
    let new = TypeCapabilities(type)
    return known.withLock { known in
      if let found = known[id] { return found }
      known[id] = new
      return new
    }
  }

  private init(_ type: Any.Type) {
    layout = ComparedBytesLayout(of: type)
    logValue = type as? any LogValue.Type
    traits = LogTypeSurvey(surveying: type).traits
  }

  /// Whether values contain no mutable objects, so that copies with the same bits are equal.
  package var isPlain: Bool { traits.contains(.plain) }

  /// Returns the class of the storage of a set or dictionary type.
  ///
  /// - Parameter find: A closure that determines the class. It is called only if the class is not known yet.
  /// - Returns: The address of the class.
  func storageClass(_ find: () -> UInt) -> UInt {
    let known = foundStorageClass.load(ordering: .relaxed)
    guard known == 0 else { return known }
    let found = find()
    foundStorageClass.store(found, ordering: .relaxed)
    return found
  }

  /// Whether all values of this `Encodable` type were encoded as one object of members, so far.
  var writesMembers: Bool { !isOtherThanMembers.load(ordering: .relaxed) }

  /// Records that a value was not encoded as one object of members.
  func markOtherThanMembers() { isOtherThanMembers.store(true, ordering: .relaxed) }
}

/// A cache for the capabilities of recently used types.
///
/// The cache needs no lock, and is faster than the global table.
struct RecentTypes: Sendable {
  private struct CachedType: Sendable {
    let id: ObjectIdentifier
    let capabilities: TypeCapabilities
  }

  private var entries: [CachedType] = []
  /// The index of the entry that the next new type replaces.
  private var next = 0

  /// The maximum number of cached types.
  ///
  /// Below this size, a linear search is faster than the global table.
  private static let capacity = 32

  mutating func capabilities(of type: Any.Type) -> TypeCapabilities {
    let id = ObjectIdentifier(type)
    if let index = index(of: id) { return entries[index].capabilities }
    return add(id, TypeCapabilities.of(type))
  }

  /// Whether values of a type contain no mutable objects, so that copies with the same bits are equal.
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
