import Testing

@testable import ReplayHosts

/// The seed of hashes, which is written to the memory of the runtime.
@Suite struct HashSeedTests {
  private func put(
    _ seed: UInt64,
    flag: UInt8 = 0,
    isKnownVersion: Bool = true,
    hash: @escaping (HashSeed.Parameters) -> Int
  ) -> (isTaken: Bool, parameters: HashSeed.Parameters) {
    var parameters = HashSeed.Parameters(seeds: (1, 2), isDeterministic: flag)
    let isTaken = withUnsafeMutablePointer(to: &parameters) { pointer in
      HashSeed.overwrite(seed, in: pointer, isKnownVersion: isKnownVersion) {
        hash(pointer.pointee)
      }
    }
    return (isTaken, parameters)
  }

  private func isUnchanged(_ parameters: HashSeed.Parameters, flag: UInt8 = 0) -> Bool {
    parameters.seeds == (1, 2) && parameters.isDeterministic == flag
  }

  @Test(arguments: [0, 7, .max] as [UInt64])
  func `HashSeed sets the seed of the runtime if hashes depend on it`(seed: UInt64) {
    let (isTaken, parameters) = put(seed) { Int(truncatingIfNeeded: $0.seeds.0 &* 31) }
    #expect(isTaken)
    #expect(parameters.seeds == (seed, ~seed) && parameters.isDeterministic == 1)
  }

  @Test func `HashSeed changes nothing in an unknown version of the runtime`() {
    let (isTaken, parameters) = put(7, isKnownVersion: false) {
      Int(truncatingIfNeeded: $0.seeds.0)
    }
    #expect(!isTaken && isUnchanged(parameters))
  }

  @Test func `HashSeed changes nothing if the runtime's structure differs from the known one`() {
    let (isTaken, parameters) = put(7, flag: 200) { Int(truncatingIfNeeded: $0.seeds.0) }
    #expect(!isTaken && isUnchanged(parameters, flag: 200))
  }

  @Test(
    arguments: [
      ([:], ["TCA_REPLAY_HASH_SEED": "0"]), (["TCA_REPLAY_HASH_SEED": "7"], [:]),
      (["TCA_REPLAY_HASH_SEED": ""], [:]), (["SWIFT_DETERMINISTIC_HASHING": "1"], [:]),
    ] as [([String: String], [String: String])]
  )
  func `a host gets a hash seed unless the environment specifies one`(
    environment: [String: String],
    additions: [String: String]
  ) {
    #expect(HashSeed.additions(to: environment) == additions)
  }

  @Test func `HashSeed restores the runtime's structure if hashes do not depend on it`() {
    let (isTaken, parameters) = put(7) { _ in 5 }
    #expect(!isTaken && isUnchanged(parameters))
    var count = 0
    let random = put(7) { _ in
      count += 1
      return count
    }
    #expect(!random.isTaken && isUnchanged(random.parameters))
  }
}
