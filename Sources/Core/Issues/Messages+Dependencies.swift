import Foundation

extension Messages {
  static func noTestValue<Key: TestDependencyKey>(
    of key: Key.Type,
    for access: DependencyReadSite
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
    for access: DependencyReadSite
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
    for access: DependencyReadSite
  ) -> String {
    """
    @Dependency(\(access.name(of: key))) has been accessed or prepared before:

    \(block(of: key, for: access))

    It keeps its value. Prepare a dependency once, at the start of the app, before anything uses \
    it. Use "withDependencies" to change it for a while.
    """
  }

  static func unimplemented(
    _ error: Unimplemented,
    at location: IssueLocation,
    arguments: [String]
  ) -> String {
    let place = "\(error)\n\n  Defined at:\n    \(location.fileID):\(location.line)"
    guard !arguments.isEmpty else { return place }
    let values = arguments.joined(separator: ",\n").replacing("\n", with: "\n    ")
    return place + "\n  Called with:\n    \(values)"
  }

  static func dependencyOfAnotherType(_ found: Any.Type, expected: Any.Type) -> String {
    """
    A dependency was read as \(DumpTypeName.short(expected)), but is \(DumpTypeName.short(found)). Set it to one, or read \
    it as what it is.
    """
  }

  static func failed(_ check: String, _ message: String) -> String {
    message.isEmpty ? "\"\(check)\" failed." : "\"\(check)\" failed: \(message)"
  }

  static func requestInTest(_ url: URL?) -> String {
    """
    A test asked the network for "\(url?.absoluteString ?? "")". The request failed. Set "urlSession" in the test, or \
    the client that makes the request.
    """
  }

  static func unknownContext(_ name: String) -> String {
    """
    The environment variable SWIFT_DEPENDENCIES_CONTEXT is "\(name)", which is no context. It is left out of account. \
    Expected: "live", "preview", "test" or "replay".
    """
  }

  static func modelWithoutDependencies<Model>(_ model: Model) -> String {
    """
    Dependencies were to be taken from a "\(Model.self)" that has none. The current ones are used. Make it inside of \
    "withDependencies", or give it a property with "@Dependency".
    """
  }

  private static func block<Key: TestDependencyKey>(
    of key: Key.Type,
    for access: DependencyReadSite
  ) -> String {
    let place = "  Location:\n    \(access.location.fileID):\(access.location.line)\n"
    guard key != Key.Value.self else { return place + "  Dependency:\n    \(Key.Value.self)" }
    return place + "  Key:\n    \(key)\n  Value:\n    \(Key.Value.self)"
  }
}

extension Messages {
  static func continuationDropped(of operation: String, key: String) -> String {
    """
    "\(operation)" of \(sharedKey(key)) let go of its continuation without resuming it. Resume \
    it once on every way through.
    """
  }

  static func continuationResumedTwice(of operation: String, key: String) -> String {
    """
    "\(operation)" of \(sharedKey(key)) resumed its continuation more than once. Only the first \
    time counts; later changes go to the subscriber.
    """
  }

  private static func sharedKey(_ name: String) -> String {
    name.isEmpty ? "a shared key" : "the shared key \(name)"
  }

  static func secondDefaults(of suite: String, key: String) -> String {
    let suite =
      suite == AppStorageSuiteConflicts.standard
      ? "the standard defaults" : "the suite \"\(suite)\""
    return """
      The app storage key "\(key)" was given a second UserDefaults object for \(suite). Two objects share two \
      values, which learn of each other's changes late or not at all. Keep one object in a "static let", and \
      give it to all keys of the suite.
      """
  }

  static func unobservableAppStorageKey(_ key: String, _ character: Character) -> String {
    """
    The app storage key "\(key)" contains "\(character)", which key-value observation takes for a part of a key path. Its changes \
    can only be found among those of all keys. Rename the key, or set "appStorageKeyFormatWarningEnabled" to false in \
    "prepareDependencies".
    """
  }

  static func changedInsideOwnLock(_ name: String) -> String {
    """
    The shared value \(name) was changed inside a "withLock" of itself. The inner change is lost \
    when the outer one ends. Change the value that the outer closure is given.
    """
  }
}
