/// What is asked about the system that this code was compiled for.
package enum Platform {
  /// Whether it is one of Apple's.
  ///
  /// Code that compiles everywhere asks this, so that all of it is compiled wherever it is tested. `#if` is for what only one system has.
  package static var isApple: Bool {
    #if canImport(Darwin)
    return true
    #else
    return false
    #endif
  }
}
