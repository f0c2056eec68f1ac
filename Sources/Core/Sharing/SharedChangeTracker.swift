import Foundation

/// A tracker of changes to shared values that a test hasn't asserted.
///
/// For each changed value, the tracker stores a snapshot, which is the value at the last assertion.
package final class SharedChangeTracker: Sendable {
  /// The tracker whose assertion is running; `nil` outside of assertions.
  @TaskLocal static var asserting: SharedChangeTracker?
  /// The tracker that compares an expected state with the actual one; `nil` outside of comparisons.
  @TaskLocal static var comparing: SharedChangeTracker?

  private struct TrackedRoot {
    let root: any SharedRootReference
    var snapshot: Any
    /// Whether the running comparison has read the value.
    var isSeen = false
  }

  private let entries = LockIsolated<[ObjectIdentifier: TrackedRoot]>([:])
  private let version = LockIsolated(0)
  private let isOpen = LockIsolated(true)
  /// The enclosing tracker, which records the same changes; `nil` if there is none.
  private let outer: SharedChangeTracker?
  /// Whether comparisons treat all shared values as equal.
  let ignoresValues: Bool

  /// Creates a tracker without changes.
  ///
  /// - Parameter outer: The enclosing tracker, which records the same changes; `nil` if there is none.
  package init(within outer: SharedChangeTracker? = nil) {
    self.outer = outer
    ignoresValues = false
  }

  private init(ignoringValues: Void) {
    outer = nil
    ignoresValues = true
  }

  /// Runs a comparison that treats all shared values as equal.
  package static func ignoringValues(_ isEqual: () -> Bool) -> Bool {
    ignoring.comparing(isEqual)
  }

  /// The tracker of comparisons that treat all shared values as equal, which records no changes.
  private static let ignoring = SharedChangeTracker(ignoringValues: ())

  /// Stops recording changes.
  ///
  /// - Returns: A tracker whose snapshots are the values before the recorded changes, and one whose snapshots are the
  ///   current values.
  func close() -> (before: SharedChangeTracker, after: SharedChangeTracker) {
    let noted = entries.withValue { entries in
      isOpen.setValue(false)
      defer { entries = [:] }
      return entries
    }
    let (before, after) = (SharedChangeTracker(), SharedChangeTracker())
    before.entries.withValue { $0 = noted }
    let now = noted.mapValues { TrackedRoot(root: $0.root, snapshot: $0.root.erasedValue) }
    after.entries.withValue { $0 = now }
    return (before, after)
  }

  /// The number of changes that assertions have made to snapshots.
  package var snapshotVersion: Int { version.value }

  /// Runs the assertion of a test, in which shared values are read and changed as snapshots.
  package func assert<R>(_ body: () throws -> R) rethrows -> R {
    try Self.$asserting.withValue(self, operation: body)
  }

  /// Runs a closure inside an assertion in which shared values are the actual values.
  package static func live<R>(_ body: () throws -> R) rethrows -> R {
    try $asserting.withValue(nil, operation: body)
  }

  /// Runs a comparison of an expected state with the actual one, such as `diff(expected, actual)`.
  ///
  /// The left side reads shared values from their snapshots.
  package func comparing<R>(_ body: () throws -> R) rethrows -> R {
    try Self.$comparing.withValue(self, operation: body)
  }

  /// Runs a closure that reads the left side of a comparison, where shared values are snapshots.
  static func onLeftSide<R>(_ body: () throws -> R) rethrows -> R {
    guard let comparing else { return try body() }
    return try comparing.assert(body)
  }

  /// Runs a comparison such as `expected == actual`.
  ///
  /// The left side reads shared values from their snapshots. If the states are equal, the compared values count as
  /// asserted.
  package func compare(_ isEqual: () -> Bool) -> Bool {
    let result = comparing(isEqual)
    // Reads the values without holding this lock, because changes are recorded under the locks of the values.
    let asserted = entries.withValue { $0 }.filter { result && $1.isSeen && Self.isAsserted($1) }
    entries.withValue { entries in
      for id in entries.keys { entries[id]?.isSeen = false }
      for id in asserted.keys { entries[id] = nil }
    }
    return result
  }

  /// Discards all recorded changes, so that snapshots equal the actual values.
  package func reset() {
    entries.withValue { $0 = [:] }
  }

  /// The changes that no assertion covers, sorted by the name of the shared value.
  package var unasserted: [UnassertedSharedChange] {
    entries.withValue { Array($0.values) }
      .compactMap { entry in
        let value = entry.root.erasedValue
        guard isEqual(entry.snapshot, value) != true else { return nil }
        return UnassertedSharedChange(
          root: ObjectIdentifier(entry.root),
          name: entry.root.name,
          before: entry.snapshot,
          after: value
        )
      }
      .sorted { $0.name < $1.name }
  }

  /// Returns whether the complete value equals its snapshot, because a comparison may have covered only a part.
  private static func isAsserted(_ entry: TrackedRoot) -> Bool {
    isEqual(entry.snapshot, entry.root.erasedValue) ?? true
  }
}

extension SharedChangeTracker {
  /// Stores the value before a change as a snapshot, unless the value already has one.
  func recordChange<Value>(_ root: SharedRoot<Value>, before value: Value) {
    entries.withValue { entries in
      let id = ObjectIdentifier(root)
      guard entries[id] == nil, isOpen.value else { return }
      entries[id] = TrackedRoot(root: root, snapshot: value)
    }
    outer?.recordChange(root, before: value)
  }

  func snapshot<Value>(of root: SharedRoot<Value>) -> Value? {
    entries.withValue { $0[ObjectIdentifier(root)].flatMap { $0.snapshot as? Value } }
  }

  func changeSnapshot<Value, R>(
    of root: SharedRoot<Value>,
    _ change: (inout Value) throws -> R
  ) rethrows -> R {
    // Runs the closure without holding the lock, because it may read other values.
    var value = snapshot(of: root) ?? root.real
    defer {
      version.withValue { $0 += 1 }
      entries.withValue { entries in
        entries[ObjectIdentifier(root), default: TrackedRoot(root: root, snapshot: value)]
          .snapshot =
          value
      }
    }
    return try change(&value)
  }

  /// Marks a shared value as read by the running comparison.
  func see(_ root: any SharedRootReference) {
    entries.withValue { $0[ObjectIdentifier(root)]?.isSeen = true }
  }
}

/// A change to a shared value that no assertion covers.
package struct UnassertedSharedChange {
  /// The identity of the reference that stores the changed value.
  let root: ObjectIdentifier
  /// The name of the shared value.
  package let name: String
  /// The value at the last assertion.
  package let before: Any
  /// The current value.
  package let after: Any
}

/// Returns whether two values are equal, or `nil` if their type isn't `Equatable`.
func isEqual(_ lhs: Any, _ rhs: Any) -> Bool? {
  func open<Value: Equatable>(_ lhs: Value) -> Bool { (rhs as? Value) == lhs }
  return (lhs as? any Equatable).map { open($0) }
}

enum SharedChangeTrackerKey: DependencyKey {
  static let liveValue: SharedChangeTracker? = nil
  static let testValue: SharedChangeTracker? = nil
}

extension DependencyValues {
  /// The tracker of changes that a store's reducers and effects make to shared values; `nil` if changes aren't tracked.
  package var sharedChangeTracker: SharedChangeTracker? {
    get { self[SharedChangeTrackerKey.self] }
    set { self[SharedChangeTrackerKey.self] = newValue }
  }
}

/// A search for the shared values in a state of any type.
struct SharedValueSearch {
  /// The identities of the references that store the values found so far.
  private(set) var roots: Set<ObjectIdentifier> = []
  /// The values that must still be visited.
  ///
  /// The list replaces recursion, because deeply nested states would overflow the stack.
  private var waiting: [Any] = []

  /// Searches a value and all of its contents.
  mutating func visitAll(_ value: Any) {
    waiting.append(value)
    while let next = waiting.popLast() { visit(next) }
  }

  private mutating func visit(_ value: Any) {
    if let shared = value as? any SharedWrapper {
      // Visits the complete shared value, because other features may refer to other parts of it.
      let root = shared.sharedRoot
      if roots.insert(ObjectIdentifier(root)).inserted { waiting.append(root.erasedValue) }
      return
    }
    let mirror = Mirror(reflecting: value)
    // Skips the members of objects, which aren't part of the state.
    if mirror.displayStyle != .class { waiting += mirror.children.map(\.value) }
  }
}

/// A value that refers to a shared value or to a part of one.
protocol SharedWrapper {
  var sharedRoot: any SharedRootReference { get }
}

extension Shared: SharedWrapper {
  var sharedRoot: any SharedRootReference { reference.root }
}

extension SharedReader: SharedWrapper {
  var sharedRoot: any SharedRootReference { reference.root }
}
