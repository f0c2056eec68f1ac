import Synchronization

/// The default values of dependencies that are not set, one for each key, context and test.
///
/// Tests of Swift Testing are identified by their id and their arguments. XCTest tests run serially, and each starts
/// without values. Every `DependencyValues()` has its own defaults.
final class DependencyDefaults: Sendable {
  /// The defaults of the process.
  static let ofProcess = DependencyDefaults()

  private struct ID: Hashable {
    let key: ObjectIdentifier
    let context: DependencyContext
    let test: TestID?
  }

  /// A test case: a test and its arguments.
  private struct TestID: Hashable {
    let test: TestContext.Testing.Test.ID
    let arguments: SwiftTestingLibrary.Arguments?
  }

  private struct CachedDefault {
    let value: any Sendable
    /// The number of the `prepareDependencies` call that set the value; `nil` for a value made on first use.
    let preparation: Int?
    /// Whether the next use reports an issue, because the key has no live value.
    ///
    /// True while the value was only made so that a part of it could be set.
    var isUnreported = false
  }

  private let entries = Mutex<[ID: CachedDefault]>([:])
  /// Held while a value is made.
  ///
  /// The locks are per key, because making a value may read other dependencies.
  private let making = KeyedLock<ID>()

  /// Whether dependencies are currently being set, which can read them too: `$0.date.now = date`.
  @TaskLocal static var isSetting = false

  /// Returns the default of a key, and makes it on first use.
  ///
  /// - Parameters:
  ///   - key: The key of the dependency.
  ///   - context: The context of the dependencies.
  ///   - access: The code that reads the dependency, for messages.
  ///   - preparation: The number of the `prepareDependencies` call that reads it, if one does.
  ///   - values: The current dependencies, which are also current while the value is made.
  /// - Returns: The value, which stays the same until the test ends.
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
      // Casts in two steps. A direct cast of a missing entry to an optional type would succeed with `nil`.
      if let value = entry(id).flatMap({ $0.value as? Key.Value }) { return value }
      let value = DependencyValues.$_current.withValue(values()) {
        DependencyResolution(for: access()).resolve(key, in: context)
      }
      add(value, of: key, in: context, as: id, preparation: preparation)
      return value
    }
    return known() ?? value
  }

  /// Stores a new value, unless another one was prepared meanwhile.
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

  /// Replaces the default of a key that is neither used nor prepared yet.
  ///
  /// Uses don't count in previews, because views may read dependencies before the preview's code prepares them. If a
  /// preview prepares a key twice, the first value stays.
  ///
  /// - Returns: Whether preparing the key was allowed.
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

  /// Removes all values that don't belong to a test of Swift Testing.
  func reset() {
    entries.withLock { $0 = $0.filter { $0.key.test != nil } }
  }

  private func entry(_ id: ID) -> CachedDefault? {
    entries.withLock { entries in
      if let entry = entries[id] { return entry }
      guard id.context == .replay else { return nil }
      // Values prepared for the app are also valid in its replays.
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

  /// Returns a number for a call of `prepareDependencies`.
  static func nextPreparation() -> Int {
    lastPreparation.add(1, ordering: .relaxed).newValue
  }

  /// The context of dependencies that don't set one.
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
  let location: IssueLocation
  /// The property of `DependencyValues`; `nil` if the code names the key itself.
  let property: StaticString?

  /// Returns the dependency's name as the code writes it: `\.uuid`, `APIClient.self`.
  func name<Key>(of key: Key.Type) -> String {
    property.map { "\\.\($0)" } ?? "\(key).self"
  }
}

/// The creation of a key's default value, with the code that needs it.
struct DependencyResolution: Sendable {
  @TaskLocal private static var current: DependencyResolution?

  private let access: DependencyAccess

  init(for access: DependencyAccess) {
    self.access = access
  }

  /// Returns a new default value for a key in a context.
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
  /// Reading a dependency in order to set a part of it does not count as use.
  static func reportMissingTestValue<Key: DependencyKey>(of key: Key.Type) {
    guard !DependencyDefaults.isSetting else { return }
    let access = current?.access ?? DependencyAccess(location: IssueLocation(), property: nil)
    reportIssue(Messages.noTestValue(of: key, for: access), at: access.location)
  }
}
