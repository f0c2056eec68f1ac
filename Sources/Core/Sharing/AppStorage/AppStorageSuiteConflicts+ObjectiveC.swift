#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

extension AppStorageSuiteConflicts {
  /// Returns the name under which the system stores the defaults, which is the app's identifier for the standard
  /// defaults.
  static func identifier(of defaults: UserDefaults) -> String? {
    let selector = Selector(("_identifier"))
    guard defaults.responds(to: selector) else { return nil }
    return defaults.perform(selector)?.takeUnretainedValue() as? String
  }
}
#endif
