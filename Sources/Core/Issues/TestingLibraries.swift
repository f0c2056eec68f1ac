/// What this library assumes of the testing libraries, which it does not link.
enum TestingLibraries {
  /// Whether they are of a version that this library was written for.
  ///
  /// How values and functions lie in memory belongs to the version of the compiler, which they come with.
  static var areOfKnownVersion: Bool {
    #if compiler(>=6.0) && compiler(<7.0)
    true
    #else
    false
    #endif
  }
}
