import Foundation
import Synchronization

/// The changes of shared values that a test has not asserted yet.
final class SharedChanges: Sendable {
  /// The changes to which an operation adds its own.
  @TaskLocal static var followed: [SharedChanges] = []
  /// The changes whose values a test is stating.
  @TaskLocal static var asserted: SharedChanges?

  private struct Expectation: @unchecked Sendable {
    /// Keeps the box alive, which identifies the expectation.
    let box: AnyObject
    /// The last asserted value, or the one that a test states.
    var value: Any
    /// Returns the current value.
    let current: () -> Any
  }

  /// Whether a later change replaces the value before an earlier one.
  private let hasLastOnly: Bool

  init(hasLastOnly: Bool = false) { self.hasLastOnly = hasLastOnly }

  private let expectations = Mutex<[ObjectIdentifier: Expectation]>([:])

  /// Stores the value before a change, unless an earlier change has not been asserted either.
  func noteValue<Value>(_ value: Value, of box: SharedBox<Value>) {
    nonisolated(unsafe) let value = value
    expectations.withLock { expectations in
      guard hasLastOnly || expectations[box.id] == nil else { return }
      expectations[box.id] = Expectation(box: box, value: value) { box.wrappedValue }
    }
  }

  /// Returns the value that a test expects so far; `nil` if nothing has changed it.
  func expectation<Value>(of box: SharedBox<Value>) -> Value? {
    nonisolated(unsafe) let value = expectations.withLock { $0[box.id]?.value as? Value }
    return value
  }

  /// Sets the value that a test expects.
  func expect<Value>(_ value: Value, of box: SharedBox<Value>) {
    nonisolated(unsafe) let value = value
    expectations.withLock { expectations in
      let known = expectations[box.id] ?? Expectation(box: box, value: value) { box.wrappedValue }
      var changed = known
      changed.value = value
      expectations[box.id] = changed
    }
  }

  /// Returns descriptions of the values that differ from their expectations, and starts again.
  func takeDifferences() -> [String] {
    let all = expectations.withLock { expectations in
      defer { expectations = [:] }
      return expectations.values.map { $0 }
    }
    return all.compactMap { expectation in
      let current = expectation.current()
      guard !isEqual(expectation.value, current) else { return nil }
      return "Expected the shared value \(expectation.value), found \(current)."
    }
  }
}

/// Follows the changes of shared values.
@_spi(SharedChangeTracking)
public struct SharedChangeTracker: Sendable {
  private let changes = SharedChanges(hasLastOnly: true)

  /// Creates a tracker without changes.
  public init(reportUnassertedChanges: Bool = true) {}

  /// Runs an operation whose changes are followed.
  public func track<R>(_ body: () throws -> R) rethrows -> R {
    try SharedChanges.$followed.withValue(SharedChanges.followed + [changes], operation: body)
  }

  /// Runs an operation for which shared values have the values before the followed changes.
  ///
  /// Its own changes reach only the tracker.
  public func assert<R>(_ body: () throws -> R) rethrows -> R {
    try SharedChanges.$asserted.withValue(changes, operation: body)
  }
}

/// Compares two values, by their descriptions if they are not equatable.
private func isEqual(_ first: Any, _ second: Any) -> Bool {
  func compare<Value: Equatable>(_ first: Value) -> Bool { (second as? Value) == first }
  guard let first = first as? any Equatable else { return "\(first)" == "\(second)" }
  return compare(first)
}
