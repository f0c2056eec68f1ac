import ActionLog

/// The steps that are known to trap.
///
/// Each trap costs a host, so they are not repeated.
struct KnownTraps: Equatable, Sendable {
  /// The kinds of the trapping actions, by the signature of the kind and the state's shape.
  private(set) var signatures: [UInt64: UInt64] = [:]

  /// The number of shapes after which a trapping kind is avoided in all shapes, unless it mostly doesn't trap.
  private static let suspicion = 2
  private static let harmless = 8

  var isEmpty: Bool { signatures.isEmpty }

  /// Adds the signature and kind of a trapping action.
  mutating func add(_ signature: UInt64, _ kind: UInt64) { signatures[signature] = kind }

  mutating func formUnion(_ other: KnownTraps) {
    signatures.merge(other.signatures) { first, _ in first }
  }

  /// Returns whether most actions of a kind probably trap.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - reduced: The number of shapes in which actions of the kind were reduced.
  /// - Returns: Whether they probably trap.
  func isSuspicious(_ kind: UInt64, reduced: Int) -> Bool {
    let traps = signatures.values.lazy.filter { $0 == kind }.count
    return traps >= Self.suspicion && reduced < traps * Self.harmless
  }

  /// Returns whether an action of this kind has trapped.
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
