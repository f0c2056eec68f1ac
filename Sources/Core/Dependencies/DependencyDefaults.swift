import Synchronization

/// The default values of dependencies that are not set, with one value for each key, context, and test.
///
/// Tests of Swift Testing are identified by their ids and arguments. XCTest tests run serially, and each one starts
/// without values. Each `DependencyValues()` has its own defaults.
final class DependencyDefaults: Sendable {
  /// The defaults that all dependencies of the process share, except those created with `DependencyValues()`.
  static let ofProcess = DependencyDefaults()

  private struct ID: Hashable {
    let key: ObjectIdentifier
    let context: DependencyContext
    let test: TestID?
  }

  /// The identity of a test case, which consists of a test and its arguments.
  private struct TestID: Hashable {
    let test: TestContext.Testing.Test.ID
    let arguments: SwiftTestingLibrary.Arguments?
  }

  private struct CachedDefault {
    let value: any Sendable
    /// The number of the `prepareDependencies` call that set the value; `nil` for a value created on first use.
    let preparation: Int?
    /// Whether the next use must report an issue, because the key has no live value.
    ///
    /// Reading the dependency in order to set one of its properties doesn't count as a use.
    var isUnreported = false
  }

  private let entries = Mutex<[ID: CachedDefault]>([:])
  /// The locks that are held while values are created.
  ///
  /// Each key has its own lock, because creating a value may read other dependencies.
  private let making = KeyedLock<ID>()

  /// Whether the current code sets dependencies.
  ///
  /// Such code can also read dependencies, as in `$0.date.now = date`.
  @TaskLocal static var isSetting = false

  /// Returns the default value of a key, which is created on first use.
  ///
  /// - Parameters:
  ///   - key: The key of the dependency.
  ///   - context: The context that selects the default.
  ///   - access: The code that reads the dependency, as named in messages.
  ///   - preparation: The number of the `prepareDependencies` call that reads the dependency; `nil` for other code.
  ///   - values: The dependencies that are current while the value is created.
  /// - Returns: The default value, which stays the same until the test or, outside of tests, the process ends.
  func value<Key: TestDependencyKey>(
    of key: Key.Type,
    in context: DependencyContext,
    for access: @autoclosure () -> DependencyReadSite,
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
      // Casts in two steps, because a direct cast of a missing entry to an optional type would succeed with `nil`.
      if let value = entry(id).flatMap({ $0.value as? Key.Value }) { return value }
      let value = DependencyValues.$_current.withValue(values()) {
        DependencyResolution(for: access()).resolve(key, in: context)
      }
      add(value, of: key, in: context, as: id, preparation: preparation)
      return value
    }
    return known() ?? value
  }

  /// Stores a new default value, unless the key already has one.
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
    for access: DependencyReadSite
  ) {
    let isFirst = entries.withLock { entries in
      defer { entries[id]?.isUnreported = false }
      return entries[id]?.isUnreported ?? false
    }
    if isFirst { reportIssue(Messages.noLiveValue(of: key, for: access), at: access.location) }
  }

  /// Sets the default value of a key that has been neither used nor prepared.
  ///
  /// Uses don't count in previews, because views may read dependencies before the preview's code prepares them. If a
  /// preview prepares a key twice, the first value is kept.
  ///
  /// - Returns: Whether the key could be prepared.
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

  /// Removes all default values that don't belong to a test of Swift Testing.
  func reset() {
    entries.withLock { $0 = $0.filter { $0.key.test != nil } }
  }

  private func entry(_ id: ID) -> CachedDefault? {
    entries.withLock { entries in
      if let entry = entries[id] { return entry }
      guard id.context == .replay else { return nil }
      // A replay also uses values that were prepared for the live context of the app.
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

  /// Returns a new number for a `prepareDependencies` call.
  static func nextPreparation() -> Int {
    lastPreparation.add(1, ordering: .relaxed).newValue
  }

  /// The context of dependencies without a context of their own.
  static var context: DependencyContext {
    guard hasPreparedContext.load(ordering: .acquiring) else { return .ofProcess }
    let entry = ofProcess.entry(id(of: DependencyContext.self, in: .ofProcess))
    return entry?.value as? DependencyContext ?? .ofProcess
  }

  /// Sets the context of dependencies without a context of their own.
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

/// The code that reads a dependency, as named in messages.
struct DependencyReadSite: Sendable {
  let location: IssueLocation
  /// The property of `DependencyValues` that the code reads; `nil` if the code names the key itself.
  let property: StaticString?

  /// Returns the dependency's name as it appears in the code that reads it: `\.uuid`, `APIClient.self`.
  func name<Key>(of key: Key.Type) -> String {
    property.map { "\\.\($0)" } ?? "\(key).self"
  }
}

/// The creation of a key's default value, with the code that reads the dependency.
struct DependencyResolution: Sendable {
  @TaskLocal private static var current: DependencyResolution?

  private let access: DependencyReadSite

  init(for access: DependencyReadSite) {
    self.access = access
  }

  /// Returns a new default value of a key in a context.
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

  /// Reports that a test uses a dependency without a test value.
  ///
  /// Reading a dependency in order to set one of its properties doesn't count as use.
  static func reportMissingTestValue<Key: DependencyKey>(of key: Key.Type) {
    guard !DependencyDefaults.isSetting else { return }
    let access = current?.access ?? DependencyReadSite(location: IssueLocation(), property: nil)
    reportIssue(Messages.noTestValue(of: key, for: access), at: access.location)
  }
}
