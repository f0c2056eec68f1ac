extension Messages {
  static func noTestValue<Key: TestDependencyKey>(
    of key: Key.Type,
    for access: DependencyAccess
  ) -> String {
    """
    @Dependency(\(access.name(of: key))) has no test implementation, but was accessed from a test context:

    \(block(of: key, for: access))

    A test may not fall back on what the app uses. Set the dependency in the test, with \
    "withDependencies" or where its store is made, or give the key a "testValue" that suits every test.
    """
  }

  static func noLiveValue<Key: TestDependencyKey>(
    of key: Key.Type,
    for access: DependencyAccess
  ) -> String {
    """
    @Dependency(\(access.name(of: key))) has no live implementation, but was accessed from a live context:

    \(block(of: key, for: access))

    Its value for tests is used. Make the key a "DependencyKey" with a "liveValue"; when another \
    module does that, make sure that the app links it.
    """
  }

  static func preparedTooLate<Key: TestDependencyKey>(
    _ key: Key.Type,
    for access: DependencyAccess
  ) -> String {
    """
    @Dependency(\(access.name(of: key))) has been accessed or prepared before:

    \(block(of: key, for: access))

    It keeps its value. Prepare a dependency once, at the start of the app, before anything uses \
    it. Use "withDependencies" to change it for a while.
    """
  }

  private static func block<Key: TestDependencyKey>(
    of key: Key.Type,
    for access: DependencyAccess
  ) -> String {
    let place = "  Location:\n    \(access.location.fileID):\(access.location.line)\n"
    guard key != Key.Value.self else { return place + "  Dependency:\n    \(Key.Value.self)" }
    return place + "  Key:\n    \(key)\n  Value:\n    \(Key.Value.self)"
  }
}
