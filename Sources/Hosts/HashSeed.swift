import ActionLog
import Foundation

/// The seed of the process's hashes, on which the order of its sets and dictionaries depends.
///
/// Swift draws a new one for each process. A tool sets one in the environment of its hosts, so that replays repeat, and the host
/// replaces the runtime's own before it makes its first set. A recording keeps the seed that the app would have.
package enum HashSeed {
  /// The variable of the environment that holds the seed.
  package static let variable = "TCA_REPLAY_HASH_SEED"

  /// The seed of a host that replays for a tool, unless an environment says otherwise.
  package static let standard: UInt64 = 0

  /// The variable of Swift's runtime that has each process hash in the same way.
  private static let runtimeVariable = "SWIFT_DETERMINISTIC_HASHING"

  /// The variables that an environment lacks for replays to repeat: none where it has a say in the seed, even an empty one.
  static func additions(to environment: [String: String]) -> [String: String] {
    environment[variable] == nil && environment[runtimeVariable] == nil
      ? [variable: String(standard)] : [:]
  }

  /// The seed of the environment that is in effect; `nil` without one, or when the runtime's own cannot be replaced.
  ///
  /// The first use sets the seed.
  static let taken: UInt64? = consumeSeed()

  /// Sets the seed of the environment.
  package static func takeFromEnvironment() { _ = taken }

  /// The runtime's own structure.
  struct Parameters {
    var seeds: (UInt64, UInt64)
    /// Whether hashes depend on the seed alone, and not on the address of each set as well; a byte, so that any value can be
    /// read.
    var isDeterministic: UInt8
  }

  /// Whether the runtime is of a version that keeps its seed in this structure.
  private static var isKnownVersion: Bool {
    #if compiler(>=5.0) && compiler(<7.0)
    true
    #else
    false
    #endif
  }

  private static func consumeSeed() -> UInt64? {
    // Not through Foundation, which would make a dictionary of the environment.
    guard let text = getenv(variable), let seed = UInt64(String(cString: text)),
      let address = dlsym(dlopen(nil, RTLD_LAZY), "_swift_stdlib_Hashing_parameters")
    else { return nil }
    let parameters = address.assumingMemoryBound(to: Parameters.self)
    return overwrite(seed, in: parameters, isKnownVersion: isKnownVersion, hash: hash) ? seed : nil
  }

  /// Replaces the seed of the runtime.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - parameters: The place where the runtime is expected to keep it.
  ///   - isKnownVersion: Whether the runtime is of a version that is known to keep it there.
  ///   - hash: Hashes the same value each time.
  /// - Returns: Whether hashes now depend on the seed. If not, nothing is changed, and the audit reports random seeds.
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

/// The locale of Foundation, for code that does not use the dependency.
package enum ProcessLocale {
  /// Sets the locale of the environment, on Apple's platforms.
  ///
  /// Elsewhere Foundation has one locale whatever the environment says.
  package static func takeFromEnvironment() {
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
