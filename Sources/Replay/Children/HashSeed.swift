import Foundation

/// The seed of the process's hashes, on which the order of its sets and dictionaries depends.
///
/// Swift draws it anew for each process. A tool that wants to see the same order again names one in the environment, and
/// the host puts it where the runtime keeps its own, before it has made its first set.
package enum HashSeed {
  /// The variable of the environment that holds the seed.
  static let variable = "TCA_REPLAY_HASH_SEED"

  /// The seed that was asked for and taken; `nil` when nobody asked, or when the runtime cannot be reached.
  ///
  /// The first use takes the seed.
  static let taken: UInt64? = take()

  /// Takes the seed that the environment asks for.
  package static func takeFromEnvironment() { _ = taken }

  /// The runtime's own structure.
  private struct Parameters {
    var seeds: (UInt64, UInt64)
    /// Whether the seed is all that counts, and not the address of each set as well.
    var isDeterministic: Bool
  }

  private static func take() -> UInt64? {
    // Not through Foundation, which would make a dictionary of it.
    guard let text = getenv(variable), let seed = UInt64(String(cString: text)),
      let address = dlsym(dlopen(nil, RTLD_LAZY), "_swift_stdlib_Hashing_parameters")
    else { return nil }
    let parameters = Parameters(seeds: (seed, ~seed), isDeterministic: true)
    address.assumingMemoryBound(to: Parameters.self).pointee = parameters
    return seed
  }
}
