import ActionLog
import Foundation

/// The seed of the process's hash function, which determines the order of sets and dictionaries.
///
/// Swift draws a random seed for each process. A tool passes a seed to its hosts in the environment, so that replays
/// are reproducible. The host replaces the runtime's seed before it creates its first set. A recording keeps the random
/// seed of the app.
package enum HashSeed {
  /// The name of the environment variable that contains the seed for a host.
  package static let variable = "TCA_REPLAY_HASH_SEED"

  /// The default seed of a host that replays for a tool.
  package static let standard: UInt64 = 0

  /// The name of the environment variable with which Swift's runtime makes hashing deterministic.
  private static let runtimeVariable = "SWIFT_DETERMINISTIC_HASHING"

  /// Returns the variables to add to a host's environment to make replays reproducible.
  ///
  /// Returns no variables if the environment already contains one of the seed variables, even with an empty value.
  static func additions(to environment: [String: String]) -> [String: String] {
    environment[variable] == nil && environment[runtimeVariable] == nil
      ? [variable: String(standard)] : [:]
  }

  /// The seed from the environment that is in effect.
  ///
  /// `nil` if the environment contains no seed or the runtime's seed can't be replaced. The first access replaces the
  /// runtime's seed.
  static let taken: UInt64? = consumeSeed()

  /// Replaces the runtime's seed with the one from the environment, if there is one.
  package static func applyFromEnvironment() { _ = taken }

  /// The layout of the runtime's hashing parameters.
  struct Parameters {
    var seeds: (UInt64, UInt64)
    /// Whether hashes depend on the seed alone, and not also on the address of each set.
    ///
    /// The property is stored as a byte, so that any bit pattern can be read.
    var isDeterministic: UInt8
  }

  /// Whether the version of the runtime is known to use this layout.
  private static var isKnownVersion: Bool {
    #if compiler(>=5.0) && compiler(<7.0)
    true
    #else
    false
    #endif
  }

  private static func consumeSeed() -> UInt64? {
    // `getenv` is used instead of Foundation, which would create a dictionary with the random seed.
    guard let text = getenv(variable), let seed = UInt64(String(cString: text)),
      let address = dlsym(dlopen(nil, RTLD_LAZY), "_swift_stdlib_Hashing_parameters")
    else { return nil }
    let parameters = address.assumingMemoryBound(to: Parameters.self)
    return overwrite(seed, in: parameters, isKnownVersion: isKnownVersion, hash: hash) ? seed : nil
  }

  /// Replaces the seed of the runtime.
  ///
  /// - Parameters:
  ///   - seed: The new seed.
  ///   - parameters: The expected address of the runtime's hashing parameters.
  ///   - isKnownVersion: Whether the version of the runtime is known to use this layout.
  ///   - hash: A function that hashes the same value on each call.
  /// - Returns: Whether hashes now depend on the seed. If not, the parameters are unchanged, and the audit reports
  ///   random seeds.
  static func overwrite(
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

/// The locale that Foundation uses in this process, for app code that does not read it as a dependency.
package enum ProcessLocale {
  /// Sets the locale from the environment on Apple platforms.
  ///
  /// On other platforms, Foundation ignores the locale in the environment.
  package static func applyFromEnvironment() {
    guard Platform.isApple, getenv(ReplayHandshake.variable) != nil, let text = getenv("LC_ALL")
    else { return }
    let name = String(cString: text).prefix { $0 != "." }
    guard name.contains("_") else { return }
    UserDefaults.standard.setVolatileDomain(
      ["AppleLocale": String(name), "AppleLanguages": [String(name)]],
      forName: UserDefaults.argumentDomain
    )
  }
}
