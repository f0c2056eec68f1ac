import ActionLog
import Foundation

/// The objects that represent suites of the user's defaults in keys.
///
/// A shared value belongs to a name and an object. Two objects of one suite would have two values, and each would learn of changes
/// of the other late or not at all.
enum AppStorageSuites {
  private struct Object {
    weak var defaults: UserDefaults?
  }

  private static let known = LockIsolated<[String: Object]>([:])

  /// The name of the standard defaults, which is no name of a suite.
  static let standard = ""

  /// Takes note of an object that a key is given.
  ///
  /// - Returns: The name of its suite if another object, which is still in use, was given before; else nil.
  static func suiteWithAnother(than defaults: UserDefaults) -> String? {
    guard let suite = name(of: defaults) else { return nil }
    return known.withValue { known in
      let earlier = known[suite]?.defaults
      if earlier !== defaults { known[suite] = Object(defaults: defaults) }
      return earlier == nil || earlier === defaults ? nil : suite
    }
  }

  /// The name of the suite that an object represents; nil when the object does not tell.
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
