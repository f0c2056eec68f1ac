/// What stands behind a shared value that can be read: a value of its own, or a part of another reference.
protocol ReadableReference<Value>: AnyObject, Sendable {
  associatedtype Value
  /// Where the value is kept.
  var root: any SharedRootReference { get }
  /// The value as it is now; under the assertion of a test, its snapshot.
  var current: Value { get }
  /// Which part of the root's value it is, nil when that has no name.
  var parts: [SharedPart]? { get }
  /// Which write of the root the value comes from, nil where it can change without one.
  var stamp: UInt64? { get }
}

/// What stands behind a shared value that can be changed.
protocol WritableReference<Value>: ReadableReference {
  /// Changes the value while nobody else does.
  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R
}

/// The root of references, whatever its value is.
protocol SharedRootReference: AnyObject, Sendable {
  /// What logs and tests call it.
  var name: String { get }
  var isLoading: Bool { get }
  var loadError: (any Error)? { get }
  var saveError: (any Error)? { get }
  /// Notes that someone reads the value.
  func access()
  /// Tells those that have read the value that something else is in its place.
  func tellOfReplacement()
  func load() async throws
  func save() async throws
  /// The value, not its snapshot.
  var erasedValue: Any { get }
}

/// A part of a reference that is only read.
final class ReadablePart<Base, Value>: ReadableReference {
  private let base: any ReadableReference<Base>
  // Key paths never change. Those of a user capture what is `Sendable`, those of macros nothing.
  nonisolated(unsafe) private let keyPath: KeyPath<Base, Value>

  init(_ base: any ReadableReference<Base>, _ keyPath: KeyPath<Base, Value>) {
    self.base = base
    self.keyPath = keyPath
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Value { base.current[keyPath: keyPath] }
  var parts: [SharedPart]? { base.parts(behind: keyPath) }
}

/// What a closure makes of a reference's value.
final class ReadableResult<Base, Value>: ReadableReference {
  private let base: any ReadableReference<Base>
  private let read: @Sendable (Base) -> Value

  init(_ base: any ReadableReference<Base>, _ read: @escaping @Sendable (Base) -> Value) {
    self.base = base
    self.read = read
  }

  var root: any SharedRootReference { base.root }
  var current: Value { read(base.current) }
  var parts: [SharedPart]? { nil }
  // The closure may read anything.
  var stamp: UInt64? { nil }
}

/// A part of a reference.
final class WritablePart<Base, Value>: WritableReference {
  private let base: any WritableReference<Base>
  // Key paths never change. Those of a user capture what is `Sendable`, those of macros nothing.
  nonisolated(unsafe) private let keyPath: WritableKeyPath<Base, Value>

  init(_ base: any WritableReference<Base>, _ keyPath: WritableKeyPath<Base, Value>) {
    self.base = base
    self.keyPath = keyPath
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Value { base.current[keyPath: keyPath] }
  var parts: [SharedPart]? { base.parts(behind: keyPath) }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[keyPath: keyPath]) }
  }
}
