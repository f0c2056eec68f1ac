import Synchronization

/// The default values of keys, made once for each key and context.
enum DependencyDefaults {
  private struct ID: Hashable {
    let key: ObjectIdentifier
    let context: DependencyContext
  }

  private static let made = Mutex<[ID: any Sendable]>([:])
  private static let prepared = Mutex(DependencyValues())

  /// Whether dependencies are just being set, which reads them too: `$0.date.now = date`.
  @TaskLocal static var isSetting = false

  static func prepare(_ update: (inout DependencyValues) throws -> Void) rethrows {
    // Not under the lock: setting one dependency may read another.
    var values = prepared.withLock { $0 }
    try $isSetting.withValue(true) { try update(&values) }
    prepared.withLock { [values] in $0 = values }
  }

  static func value<Key: TestDependencyKey>(
    of key: Key.Type,
    in context: DependencyContext
  ) -> Key.Value {
    if let value = prepared.withLock({ $0[key: key] }) { return value }
    let id = ID(key: ObjectIdentifier(key), context: context)
    if let value = made.withLock({ $0[id] }) as? Key.Value { return value }
    let (value, isFinal) = resolve(key, in: context)
    // Not under the lock: making a value may read other dependencies. The first one made stays.
    guard isFinal else { return value }
    return made.withLock { made in
      if let earlier = made[id] as? Key.Value { return earlier }
      made[id] = value
      return value
    }
  }

  /// Makes the default of a key, and says whether it holds from now on.
  ///
  /// Values for tests are made anew each time, so that a key without one says so in every test.
  private static func resolve<Key: TestDependencyKey>(
    _ key: Key.Type,
    in context: DependencyContext
  ) -> (value: Key.Value, isFinal: Bool) {
    func live<K: DependencyKey>(_ key: K.Type) -> Key.Value? { key.liveValue as? Key.Value }
    switch context {
    case .test: return (key.testValue, false)
    case .preview: return (key.previewValue, true)
    case .live, .replay:
      if let key = key as? any DependencyKey.Type, let value = live(key) { return (value, true) }
      reportIssue(Messages.noLiveValue(of: key))
      return (key.testValue, false)
    }
  }
}
