import Foundation

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
