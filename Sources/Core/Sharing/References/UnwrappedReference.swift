/// The value of an optional reference: once that is nil, the last one that it had.
///
/// Whoever holds it may outlive the value: a view that is about to go away, an effect. It reads what was there last, and
/// what it writes changes nobody else's value.
final class WritableUnwrapped<Value>: WritableReference {
  private let base: any WritableReference<Value?>
  private let last: LastValue<Value>

  init?(_ base: any WritableReference<Value?>) {
    guard let last = LastValue(of: base) else { return nil }
    self.base = base
    self.last = last
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.current == nil ? nil : base.stamp }
  var current: Value { last.updated(from: base) }
  var parts: [SharedPart]? { base.parts.map { $0 + [.wrapped] } }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { value in
      guard var unwrapped = value else { return try last.change(change) }
      // The one reference, so that it changes in place.
      value = nil
      defer {
        value = unwrapped
        last.set(unwrapped)
      }
      return try change(&unwrapped)
    }
  }
}

/// The value of an optional reference that is only read.
final class ReadableUnwrapped<Value>: ReadableReference {
  private let base: any ReadableReference<Value?>
  private let last: LastValue<Value>

  init?(_ base: any ReadableReference<Value?>) {
    guard let last = LastValue(of: base) else { return nil }
    self.base = base
    self.last = last
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.current == nil ? nil : base.stamp }
  var current: Value { last.updated(from: base) }
  var parts: [SharedPart]? { base.parts.map { $0 + [.wrapped] } }
}

/// The last value that an optional reference has had.
private struct LastValue<Value>: Sendable {
  private let value: LockIsolated<Value>

  init?(of base: any ReadableReference<Value?>) {
    guard let current = base.current else { return nil }
    // The lock lets one in at a time.
    nonisolated(unsafe) let value = current
    self.value = LockIsolated(value)
  }

  func updated(from base: any ReadableReference<Value?>) -> Value {
    guard let current = base.current else { return value.withValue { $0 } }
    set(current)
    return current
  }

  func set(_ newValue: Value) { value.withValue { $0 = newValue } }

  func change<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    try value.withValue(change)
  }
}
