import ActionLog
import Foundation

/// The detection of keys that use different `UserDefaults` objects for the same suite.
///
/// A shared value is identified by a name and an object. Two objects for one suite would have two shared values, and
/// neither value would reliably receive the changes of the other.
enum AppStorageSuiteConflicts {
  private struct Object {
    weak var defaults: UserDefaults?
  }

  private static let known = LockIsolated<[String: Object]>([:])

  /// The name that represents the standard defaults, which is empty because no suite has an empty name.
  static let standard = ""

  /// Stores the `UserDefaults` object of a key.
  ///
  /// - Returns: The name of the suite if a different object for the same suite is in use, otherwise `nil`.
  static func suiteWithAnother(than defaults: UserDefaults) -> String? {
    guard let suite = name(of: defaults) else { return nil }
    return known.withValue { known in
      let earlier = known[suite]?.defaults
      if earlier !== defaults { known[suite] = Object(defaults: defaults) }
      return earlier == nil || earlier === defaults ? nil : suite
    }
  }

  /// Returns the name of the suite that an object represents, or `nil` if the name isn't known.
  private static func name(of defaults: UserDefaults) -> String? {
    #if canImport(ObjectiveC)
    return identifier(of: defaults)
    #else
    var mirror: Mirror? = Mirror(reflecting: defaults)
    while let current = mirror {
      if let suite = current.descendant("suite") { return suite as? String ?? standard }
      mirror = current.superclassMirror
    }
    return nil
    #endif
  }
}
