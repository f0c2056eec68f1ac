import Foundation

/// The seed of the process's hashes, on which the order of its sets and dictionaries depends.
///
/// Swift draws it anew for each process. A tool that wants to see the same order again names one in the environment, and
/// the host puts it where the runtime keeps its own, before it has made its first set.
package enum HashSeed {
  /// The variable of the environment that holds the seed.
  package static let variable = "TCA_REPLAY_HASH_SEED"

  /// The seed that was asked for and taken; `nil` when nobody asked, or when the runtime cannot be reached.
  ///
  /// The first use takes the seed.
  package static let taken: UInt64? = take()

  /// Takes the seed that the environment asks for.
  package static func takeFromEnvironment() { _ = taken }

  /// The runtime's own structure.
  struct Parameters {
    var seeds: (UInt64, UInt64)
    /// Whether the seed is all that counts, and not the address of each set as well; a byte, so that any can be read.
    var isDeterministic: UInt8
  }

  /// Whether the runtime is of a version that keeps its seed in this way.
  private static var isKnownVersion: Bool {
    #if compiler(>=5.0) && compiler(<7.0)
    true
    #else
    false
    #endif
  }

  private static func take() -> UInt64? {
    // Not through Foundation, which would make a dictionary of it.
    guard let text = getenv(variable), let seed = UInt64(String(cString: text)),
      let address = dlsym(dlopen(nil, RTLD_LAZY), "_swift_stdlib_Hashing_parameters")
    else { return nil }
    let parameters = address.assumingMemoryBound(to: Parameters.self)
    return put(seed, in: parameters, isKnownVersion: isKnownVersion, hash: hash) ? seed : nil
  }

  /// Puts a seed where the runtime is expected to keep it.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - parameters: Where that is.
  ///   - isKnownVersion: Whether the runtime is of a version that is known to keep it there.
  ///   - hash: The hash of some value, always the same one.
  /// - Returns: Whether hashes now depend on the seed. If not, nothing is changed, and the audit says that seeds are drawn.
  static func put(
    _ seed: UInt64,
    in parameters: UnsafeMutablePointer<Parameters>,
    isKnownVersion: Bool,
    hash: () -> Int
  ) -> Bool {
    let own = parameters.pointee
    guard isKnownVersion, own.isDeterministic <= 1 else { return false }
    func hashed(with seed: UInt64) -> Int {
      parameters.pointee = Parameters(seeds: (seed, ~seed), isDeterministic: 1)
      return hash()
    }
    let hashes = [seed, seed &+ 1, seed].map(hashed(with:))
    guard hashes[0] == hashes[2], hashes[0] != hashes[1] else {
      parameters.pointee = own
      return false
    }
    return true
  }

  private static func hash() -> Int {
    var hasher = Hasher()
    hasher.combine(0x5EED)
    return hasher.finalize()
  }
}

/// The locale that Foundation gives to who asks it, and not the dependencies.
package enum ProcessLocale {
  /// Takes the locale that the environment asks for, where Foundation does not do so by itself.
  ///
  /// Elsewhere it has one locale whatever the environment says, so there is nothing to take.
  package static func takeFromEnvironment() {
    #if canImport(Darwin)
    guard getenv(ReplayHandshake.variable) != nil, let text = getenv("LC_ALL") else { return }
    let name = String(cString: text).prefix { $0 != "." }
    guard name.contains("_") else { return }
    UserDefaults.standard.setVolatileDomain(
      ["AppleLocale": String(name), "AppleLanguages": [String(name)]],
      forName: UserDefaults.argumentDomain
    )
    #endif
  }
}
