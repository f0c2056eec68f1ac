import ActionLog

/// The kinds of actions that are known to trap, with the state shapes in which they trapped.
///
/// Such actions are not repeated, because each trap ends a host process.
struct KnownTraps: Equatable, Sendable {
  /// The kinds of actions that trapped, keyed by the signature of the kind and the state shape.
  private(set) var signatures: [UInt64: UInt64] = [:]

  /// The number of state shapes in which a kind must have trapped before it is avoided in all shapes.
  ///
  /// A kind is not avoided if it was reduced in at least `harmless` times as many shapes.
  private static let suspicion = 2
  private static let harmless = 8

  var isEmpty: Bool { signatures.isEmpty }

  /// Adds the kind of an action that trapped, with its signature.
  mutating func add(_ signature: UInt64, _ kind: UInt64) { signatures[signature] = kind }

  mutating func formUnion(_ other: KnownTraps) {
    signatures.merge(other.signatures) { first, _ in first }
  }

  /// Returns whether actions of a kind probably trap in most states.
  ///
  /// - Parameters:
  ///   - kind: The hash that identifies the kind.
  ///   - reduced: The number of state shapes in which actions of the kind were reduced without a trap.
  /// - Returns: Whether the kind should be avoided.
  func isSuspicious(_ kind: UInt64, reduced: Int) -> Bool {
    let traps = signatures.values.lazy.filter { $0 == kind }.count
    return traps >= Self.suspicion && reduced < traps * Self.harmless
  }

  /// Returns whether any action of this kind has trapped.
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
