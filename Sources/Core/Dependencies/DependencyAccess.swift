/// Who asks for a dependency, for the messages about it.
struct DependencyAccess: Sendable {
  /// The code that asks.
  let location: IssueLocation
  /// The property of `DependencyValues`, nil when the key itself is named.
  let property: StaticString?

  /// How the code names the dependency: `\.uuid`, `APIClient.self`.
  func name<Key>(of key: Key.Type) -> String {
    property.map { "\\.\($0)" } ?? "\(key).self"
  }
}

/// How the default value of a key comes about.
struct DependencyResolution: Sendable {
  @TaskLocal private static var current: DependencyResolution?

  private let access: DependencyAccess
  /// Whether an issue was left out because the value was read in order to set it.
  private let isExcused = LockIsolated(false)

  init(for access: DependencyAccess) {
    self.access = access
  }

  /// Makes the default of a key, and says whether it holds from now on.
  func resolve<Key: TestDependencyKey>(
    _ key: Key.Type,
    in context: DependencyContext
  ) -> (value: Key.Value, isFinal: Bool) {
    func live<K: DependencyKey>(_ key: K.Type) -> Key.Value? { key.liveValue as? Key.Value }
    func test() -> Key.Value { Self.$current.withValue(self) { key.testValue } }
    switch context {
    case .test:
      let value = test()
      // Setting a part of a value that a test has to set is no use of it; the next use is an issue.
      return (value, !isExcused.value)
    case .preview: return (key.previewValue, true)
    case .live, .replay:
      if let key = key as? any DependencyKey.Type, let value = live(key) { return (value, true) }
      // Setting a part of it is no use of it.
      if DependencyDefaults.isSetting { return (test(), false) }
      reportIssue(Messages.noLiveValue(of: key, for: access), at: access.location)
      return (test(), true)
    }
  }

  /// Reports that a test uses a dependency that has no value for tests.
  static func reportMissingTestValue<Key: DependencyKey>(of key: Key.Type) {
    if DependencyDefaults.isSetting {
      current?.isExcused.setValue(true)
      return
    }
    let access = current?.access ?? DependencyAccess(location: IssueLocation(), property: nil)
    reportIssue(Messages.noTestValue(of: key, for: access), at: access.location)
  }
}
