import Synchronization

/// The values of keys that are not set: made once for each key, context and test.
///
/// Tests of Swift Testing are identified by their id and their arguments. Those of XCTest run one after the other, and
/// each begins with no values at all. `DependencyValues()` has defaults of its own.
final class DependencyDefaults: Sendable {
  /// The defaults of the process.
  static let ofProcess = DependencyDefaults()

  /// The key of a default value.
  private struct ID: Hashable {
    let key: ObjectIdentifier
    let context: DependencyContext
    let test: TestID?
  }

  /// A test, and the arguments that it runs with.
  private struct TestID: Hashable {
    let test: TestContext.Testing.Test.ID
    let arguments: SwiftTestingLibrary.Arguments?
  }

  private struct CachedDefault {
    let value: any Sendable
    /// The call of `prepareDependencies` that the value comes from.
    let preparation: Int?
    /// Whether the first use is still an issue: the key has no live value, and the value was made to set a part of it.
    var isUnreported = false
  }

  private let entries = Mutex<[ID: CachedDefault]>([:])
  /// Held while a value is made, which may ask for other values.
  private let making = KeyedLock<ID>()

  /// Whether dependencies are just being set, which reads them too: `$0.date.now = date`.
  @TaskLocal static var isSetting = false

  /// The default of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - context: The context of the dependencies.
  ///   - access: Who asks.
  ///   - preparation: The call of `prepareDependencies` that asks.
  ///   - values: What is set where it is asked for; making the value sees that.
  /// - Returns: The value, the same one each time until the test ends.
  func value<Key: TestDependencyKey>(
    of key: Key.Type,
    in context: DependencyContext,
    for access: @autoclosure () -> DependencyAccess,
    preparation: Int?,
    within values: @autoclosure () -> DependencyValues
  ) -> Key.Value {
    let id = Self.id(of: key, in: context)
    func known() -> Key.Value? {
      guard let entry = entry(id), let value = entry.value as? Key.Value else { return nil }
      if entry.isUnreported, !Self.isSetting { reportMissingLiveValue(of: key, id, for: access()) }
      return value
    }
    if let value = known() { return value }
    let value = making.withLock(for: id) {
      // A cast of a missing entry to an optional type would give a value, which is nil.
      if let value = entry(id).flatMap({ $0.value as? Key.Value }) { return value }
      let value = DependencyValues.$_current.withValue(values()) {
        DependencyResolution(for: access()).resolve(key, in: context)
      }
      add(value, of: key, in: context, as: id, preparation: preparation)
      return value
    }
    return known() ?? value
  }

  /// Stores a value that was made, unless one was prepared meanwhile.
  private func add<Key: TestDependencyKey>(
    _ value: Key.Value,
    of key: Key.Type,
    in context: DependencyContext,
    as id: ID,
    preparation: Int?
  ) {
    let lacksLiveValue =
      (context == .live || context == .replay) && !(key is any DependencyKey.Type)
    entries.withLock { entries in
      guard entries[id] == nil else { return }
      entries[id] = CachedDefault(
        value: value,
        preparation: preparation,
        isUnreported: lacksLiveValue
      )
    }
  }

  private func reportMissingLiveValue<Key: TestDependencyKey>(
    of key: Key.Type,
    _ id: ID,
    for access: DependencyAccess
  ) {
    let isFirst = entries.withLock { entries in
      defer { entries[id]?.isUnreported = false }
      return entries[id]?.isUnreported ?? false
    }
    if isFirst { reportIssue(Messages.noLiveValue(of: key, for: access), at: access.location) }
  }

  /// Replaces the default of a key that has not been used or prepared yet.
  ///
  /// Uses don't count in previews, whose views may read dependencies before the code of the preview prepares them. There the first
  /// preparation stays.
  ///
  /// - Returns: Whether the default may be prepared.
  func prepare<Value: Sendable>(
    _ value: Value,
    of key: Any.Type,
    in context: DependencyContext,
    preparation: Int
  ) -> Bool {
    let id = Self.id(of: key, in: context)
    return entries.withLock { entries in
      if let earlier = entries[id], earlier.preparation != preparation {
        guard context == .preview else { return false }
        guard earlier.preparation == nil else { return true }
      }
      entries[id] = CachedDefault(value: value, preparation: preparation)
      return true
    }
  }

  /// Forgets the values that belong to no test of Swift Testing.
  func reset() {
    entries.withLock { $0 = $0.filter { $0.key.test != nil } }
  }

  private func entry(_ id: ID) -> CachedDefault? {
    entries.withLock { entries in
      if let entry = entries[id] { return entry }
      guard id.context == .replay else { return nil }
      // Values prepared for the app hold for its replays too.
      let live = entries[ID(key: id.key, context: .live, test: id.test)]
      return live?.preparation == nil ? nil : live
    }
  }

  private static func id(of key: Any.Type, in context: DependencyContext) -> ID {
    ID(key: ObjectIdentifier(key), context: context, test: currentTest)
  }

  private static var currentTest: TestID? {
    switch TestContext.current {
    case .swiftTesting(let testing):
      return testing.map {
        TestID(test: $0.test.id, arguments: SwiftTestingLibrary.currentArguments)
      }
    case .xcTest:
      XCTestObserver.register()
      return nil
    case nil: return nil
    }
  }
}

extension DependencyDefaults {
  private static let lastPreparation = Atomic(0)
  private static let hasPreparedContext = Atomic(false)

  /// A number for a call of `prepareDependencies`.
  static func nextPreparation() -> Int {
    lastPreparation.add(1, ordering: .relaxed).newValue
  }

  /// The context of dependencies where none is set.
  static var context: DependencyContext {
    guard hasPreparedContext.load(ordering: .acquiring) else { return .ofProcess }
    let entry = ofProcess.entry(id(of: DependencyContext.self, in: .ofProcess))
    return entry?.value as? DependencyContext ?? .ofProcess
  }

  /// Sets the default context of dependencies.
  static func prepare(_ context: DependencyContext, preparation: Int) {
    _ = ofProcess.prepare(
      context,
      of: DependencyContext.self,
      in: .ofProcess,
      preparation: preparation
    )
    hasPreparedContext.store(true, ordering: .releasing)
  }
}

/// The code that reads a dependency, for messages.
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

  init(for access: DependencyAccess) {
    self.access = access
  }

  /// Makes the default of a key.
  func resolve<Key: TestDependencyKey>(
    _ key: Key.Type,
    in context: DependencyContext
  ) -> Key.Value {
    func live<K: DependencyKey>(_ key: K.Type) -> Key.Value? { key.liveValue as? Key.Value }
    func test() -> Key.Value { Self.$current.withValue(self) { key.testValue } }
    switch context {
    case .test: return test()
    case .preview: return key.previewValue
    case .live, .replay: return (key as? any DependencyKey.Type).flatMap { live($0) } ?? test()
    }
  }

  /// Reports that a test uses a dependency that has no value for tests.
  ///
  /// Reading it in order to set a part of it is no use.
  static func reportMissingTestValue<Key: DependencyKey>(of key: Key.Type) {
    guard !DependencyDefaults.isSetting else { return }
    let access = current?.access ?? DependencyAccess(location: IssueLocation(), property: nil)
    reportIssue(Messages.noTestValue(of: key, for: access), at: access.location)
  }
}
