import ActionLog

/// The steps at which a feature is known to trap: each costs a host, so none is made twice.
struct KnownTraps: Equatable, Sendable {
  /// The kinds of the actions, by what stands for an action of this kind in a state of some shape.
  private(set) var signatures: [UInt64: UInt64] = [:]

  /// Actions of a kind that trap in so many shapes are likely to do so in others, unless they mostly do not.
  private static let suspicion = 2
  private static let harmless = 8

  var isEmpty: Bool { signatures.isEmpty }

  /// Adds an action of a kind, with what stands for it in a state of some shape.
  mutating func add(_ signature: UInt64, _ kind: UInt64) { signatures[signature] = kind }

  mutating func formUnion(_ other: KnownTraps) {
    signatures.merge(other.signatures) { first, _ in first }
  }

  /// Whether actions of this kind have trapped often.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - reduced: The number of shapes in which actions of the kind were reduced.
  /// - Returns: Whether most of them are likely to trap.
  func isSuspicious(_ kind: UInt64, reduced: Int) -> Bool {
    let traps = signatures.values.lazy.filter { $0 == kind }.count
    return traps >= Self.suspicion && reduced < traps * Self.harmless
  }

  /// Whether an action of this kind has trapped.
  func hasTrapped(_ kind: UInt64) -> Bool { signatures.values.contains(kind) }
}

extension KnownTraps {
  var json: JSON {
    .array(
      signatures.sorted { $0.key < $1.key }
        .map { [.string(String($0.key)), .string(String($0.value))] }
    )
  }

  init(_ json: JSON?) {
    for trap in json?.array ?? [] {
      guard let parts = trap.array?.compactMap({ $0.string.flatMap { UInt64($0) } }),
        parts.count == 2
      else { continue }
      signatures[parts[0]] = parts[1]
    }
  }
}
