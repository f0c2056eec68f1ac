import Foundation

/// The changes of shared values that a test has not asserted yet.
///
/// For each value that has changed it holds a snapshot: the value as it was last asserted.
package final class SharedChangeTracker: Sendable {
  /// The tracker whose assertion is running.
  @TaskLocal static var asserting: SharedChangeTracker?
  /// The tracker that compares an expected state with the real one.
  @TaskLocal static var comparing: SharedChangeTracker?

  private struct TrackedRoot {
    let root: any SharedRootReference
    var snapshot: Any
    /// Whether the comparison that is running has looked at the value.
    var isSeen = false
  }

  private let entries = LockIsolated<[ObjectIdentifier: TrackedRoot]>([:])
  private let version = LockIsolated(0)
  private let isOpen = LockIsolated(true)
  /// Another tracker that notes the same changes.
  private let outer: SharedChangeTracker?
  /// Whether all shared values count as equal.
  let ignoresValues: Bool

  /// A tracker that has seen no change.
  ///
  /// - Parameter outer: Another one that notes the same changes.
  package init(within outer: SharedChangeTracker? = nil) {
    self.outer = outer
    ignoresValues = false
  }

  private init(ignoringValues: Void) {
    outer = nil
    ignoresValues = true
  }

  /// Compares values whose shared parts count as equal, whatever they hold.
  package static func ignoringValues(_ isEqual: () -> Bool) -> Bool {
    ignoring.comparing(isEqual)
  }

  /// One for all comparisons: it notes nothing.
  private static let ignoring = SharedChangeTracker(ignoringValues: ())

  /// Notes no further change.
  ///
  /// - Returns: The values before the changes that were noted, and as they are now.
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

  /// How often snapshots have been changed.
  package var snapshotVersion: Int { version.value }

  /// Runs an assertion, in which shared values are read from their snapshots and changed there.
  package func assert<R>(_ body: () throws -> R) rethrows -> R {
    try Self.$asserting.withValue(self, operation: body)
  }

  /// Runs something within an assertion that has to do with the real values.
  package static func live<R>(_ body: () throws -> R) rethrows -> R {
    try $asserting.withValue(nil, operation: body)
  }

  /// Runs what compares an expected state with the real one, such as `diff(expected, actual)`: the left one of two shared
  /// values is read from its snapshot.
  package func comparing<R>(_ body: () throws -> R) rethrows -> R {
    try Self.$comparing.withValue(self, operation: body)
  }

  /// Looks at what is on the left side of a comparison.
  static func onLeftSide<R>(_ body: () throws -> R) rethrows -> R {
    guard let comparing else { return try body() }
    return try comparing.assert(body)
  }

  /// Runs a comparison `expected == actual`, in which the left one of two shared values is read from its snapshot.
  ///
  /// When all is equal, what was compared counts as asserted.
  package func compare(_ isEqual: () -> Bool) -> Bool {
    let result = comparing(isEqual)
    // The values are read without this lock, because changes are noted under theirs.
    let asserted = entries.withValue { $0 }.filter { result && $1.isSeen && Self.isAsserted($1) }
    entries.withValue { entries in
      for id in entries.keys { entries[id]?.isSeen = false }
      for id in asserted.keys { entries[id] = nil }
    }
    return result
  }

  /// Forgets all changes, so that snapshots are the real values again.
  package func reset() {
    entries.withValue { $0 = [:] }
  }

  /// The changes that no test has asserted, in the order of their names.
  package var unasserted: [SharedChange] {
    entries.withValue { Array($0.values) }
      .compactMap { entry in
        let value = entry.root.erasedValue
        guard isEqual(entry.snapshot, value) != true else { return nil }
        return SharedChange(
          root: ObjectIdentifier(entry.root),
          name: entry.root.name,
          before: entry.snapshot,
          after: value
        )
      }
      .sorted { $0.name < $1.name }
  }

  /// A part of the value may have been compared and found equal while the rest differs.
  private static func isAsserted(_ entry: TrackedRoot) -> Bool {
    isEqual(entry.snapshot, entry.root.erasedValue) ?? true
  }
}

extension SharedChangeTracker {
  /// Notes a change of a value, of which the first one since the last assertion counts.
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
    // Not under the lock, because the closure may read other values.
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

  /// Notes that the comparison that is running looks at a value.
  func see(_ root: any SharedRootReference) {
    entries.withValue { $0[ObjectIdentifier(root)]?.isSeen = true }
  }
}

/// A change of a shared value.
package struct SharedChange {
  /// The root whose value changed.
  let root: ObjectIdentifier
  /// The name of its reference.
  package let name: String
  /// The value as it was last asserted.
  package let before: Any
  /// The value as it is.
  package let after: Any
}

/// Whether two values are equal, nil when their type does not say.
func isEqual(_ lhs: Any, _ rhs: Any) -> Bool? {
  func open<Value: Equatable>(_ lhs: Value) -> Bool { (rhs as? Value) == lhs }
  return (lhs as? any Equatable).map { open($0) }
}

enum SharedChangeTrackerKey: DependencyKey {
  static let liveValue: SharedChangeTracker? = nil
  static let testValue: SharedChangeTracker? = nil
}

extension DependencyValues {
  /// The tracker of the changes that a store's reducers and effects make.
  package var sharedChangeTracker: SharedChangeTracker? {
    get { self[SharedChangeTrackerKey.self] }
    set { self[SharedChangeTrackerKey.self] = newValue }
  }
}

/// Finds the shared values in a state, of whatever types that is made.
struct SharedSearch {
  /// The roots of the values that were found.
  private(set) var roots: Set<ObjectIdentifier> = []
  /// The values not visited yet: no recursion, because states may be nested deeply.
  private var waiting: [Any] = []

  /// Looks at a value and all that it holds.
  mutating func search(_ value: Any) {
    waiting.append(value)
    while let next = waiting.popLast() { visit(next) }
  }

  private mutating func visit(_ value: Any) {
    if let shared = value as? any SharedHolder {
      // The whole value is visited, because other features may hold another part of it.
      let root = shared.sharedRoot
      if roots.insert(ObjectIdentifier(root)).inserted { waiting.append(root.erasedValue) }
      return
    }
    let mirror = Mirror(reflecting: value)
    // Objects that the state refers to are not part of it.
    if mirror.displayStyle != .class { waiting += mirror.children.map(\.value) }
  }
}

/// A value that is kept elsewhere, or a part of one.
protocol SharedHolder {
  var sharedRoot: any SharedRootReference { get }
}

extension Shared: SharedHolder {
  var sharedRoot: any SharedRootReference { reference.root }
}

extension SharedReader: SharedHolder {
  var sharedRoot: any SharedRootReference { reference.root }
}
