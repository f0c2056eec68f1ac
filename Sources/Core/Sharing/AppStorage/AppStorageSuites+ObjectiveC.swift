#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

extension AppStorageSuites {
  /// The name under which the system keeps defaults; the one of the app for the standard ones.
  static func identifier(of defaults: UserDefaults) -> String? {
    let selector = Selector(("_identifier"))
    guard defaults.responds(to: selector) else { return nil }
    return defaults.perform(selector)?.takeUnretainedValue() as? String
  }
}
#endif
