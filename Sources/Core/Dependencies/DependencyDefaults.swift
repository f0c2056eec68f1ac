import Synchronization

/// The values of keys that nobody has set: made once for each key, context and test.
///
/// Tests of Swift Testing are told apart by their identity, and by the arguments that they run with. Those of XCTest run one after the other,
/// and each begins with no values at all. `DependencyValues()` has defaults of its own.
final class DependencyDefaults: Sendable {
  /// The defaults of the process.
  static let ofProcess = DependencyDefaults()

  /// Whose default a value is.
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

  private struct Entry {
    let value: any Sendable
    /// The call of `prepareDependencies` that the value comes from.
    let preparation: Int?
  }

  private let entries = Mutex<[ID: Entry]>([:])

  /// Whether dependencies are just being set, which reads them too: `$0.date.now = date`.
  @TaskLocal static var isSetting = false

  /// The default of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - context: What the dependencies run for.
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
    if let value = entry(id).flatMap({ $0.value as? Key.Value }) { return value }
    // Not under the lock: making a value may read other dependencies. The first one made stays.
    let (value, isFinal) = DependencyValues.$_current.withValue(values()) {
      DependencyResolution(for: access()).resolve(key, in: context)
    }
    guard isFinal else { return value }
    return entries.withLock { entries in
      if let earlier = entries[id].flatMap({ $0.value as? Key.Value }) { return earlier }
      entries[id] = Entry(value: value, preparation: preparation)
      return value
    }
  }

  /// Replaces the default of a key that nobody has used or prepared yet.
  ///
  /// - Returns: Whether it was replaced.
  func prepare<Value: Sendable>(
    _ value: Value,
    of key: Any.Type,
    in context: DependencyContext,
    preparation: Int
  ) -> Bool {
    let id = Self.id(of: key, in: context)
    return entries.withLock { entries in
      if let entry = entries[id], entry.preparation != preparation { return false }
      entries[id] = Entry(value: value, preparation: preparation)
      return true
    }
  }

  /// Forgets the values that belong to no test of Swift Testing.
  func reset() {
    entries.withLock { $0 = $0.filter { $0.key.test != nil } }
  }

  private func entry(_ id: ID) -> Entry? {
    entries.withLock { entries in
      if let entry = entries[id] { return entry }
      guard id.context == .replay else { return nil }
      // What was prepared for the app holds for replays of it too.
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

  /// What the dependencies run for where nobody has said so.
  static var context: DependencyContext {
    guard hasPreparedContext.load(ordering: .acquiring) else { return .ofProcess }
    let entry = ofProcess.entry(id(of: DependencyContext.self, in: .ofProcess))
    return entry?.value as? DependencyContext ?? .ofProcess
  }

  /// Says what the dependencies run for.
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
