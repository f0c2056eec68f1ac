/// Properties of the system for which this code was compiled.
package enum Platform {
  /// Whether the system is one of Apple's.
  ///
  /// Portable code tests this property, so that all branches are compiled on every system. `#if` is reserved for APIs
  /// that only one system has.
  package static var isApple: Bool {
    #if canImport(Darwin)
    return true
    #else
    return false
    #endif
  }
}
