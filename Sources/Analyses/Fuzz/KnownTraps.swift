import ActionLog

/// The steps at which a feature is known to trap: each costs a host, so none is made twice.
struct KnownTraps: Equatable, Sendable {
  /// The kinds of the actions, by what stands for an action of this kind in a state of some shape.
  private(set) var signatures: [UInt64: UInt64] = [:]

  /// Actions of a kind that trap in so many shapes are likely to do so in others.
  private static let suspicion = 2

  var isEmpty: Bool { signatures.isEmpty }

  mutating func formUnion(_ other: KnownTraps) {
    signatures.merge(other.signatures) { first, _ in first }
  }

  /// Whether actions of this kind have trapped often.
  func isSuspicious(_ kind: UInt64) -> Bool {
    signatures.values.lazy.filter { $0 == kind }.count >= Self.suspicion
  }
}

extension KnownTraps {
  var json: JSON {
    .array(
      signatures.sorted { $0.key < $1.key }
        .map { [.string(String($0.key)), .string(String($0.value))] }
    )
  }

  init(_ json: JSON?) {
    for pair in json?.array ?? [] {
      guard let parts = pair.array?.compactMap({ $0.string.flatMap { UInt64($0) } }),
        parts.count == 2
      else { continue }
      signatures[parts[0]] = parts[1]
    }
  }
}
