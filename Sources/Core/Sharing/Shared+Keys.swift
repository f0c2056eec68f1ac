extension Shared {
  /// Creates a shared value that a key stores.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has no value.
  ///   - key: The key that loads and saves the value.
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates a shared value that a key with a default value stores.
  public init<Key: SharedKey<Value>>(_ key: Key.Default) {
    self.init(SharedReferences.current.root(of: key, default: key.defaultValue))
  }

  /// Creates a shared value that a key stores, with a default value that overrides the key's default value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has no value.
  ///   - key: The key that loads and saves the value.
  public init<Key: SharedKey<Value>>(
    wrappedValue: @autoclosure () -> Value,
    _ key: Key.Default
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates an optional shared value that a key stores, which is `nil` if the key has no value.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Creates a shared value after its key has loaded the value.
  ///
  /// - Parameter key: The key that loads and saves the value.
  /// - Throws: The error of the key, or `SharedValueMissing` if the key has no value.
  public init(require key: some SharedKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

extension SharedReader {
  /// Creates a read-only shared value that a key provides.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has no value.
  ///   - key: The key that provides the value.
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedReaderKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates a read-only shared value that a key with a default value provides.
  public init<Key: SharedReaderKey<Value>>(_ key: Key.Default) {
    self.init(SharedReferences.current.root(of: key, default: key.defaultValue))
  }

  /// Creates a read-only shared value that a key provides, with a default value that overrides the key's default value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has no value.
  ///   - key: The key that provides the value.
  public init<Key: SharedReaderKey<Value>>(
    wrappedValue: @autoclosure () -> Value,
    _ key: Key.Default
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates an optional, read-only shared value that a key provides, which is `nil` if the key has no value.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedReaderKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Creates a read-only shared value after its key has loaded the value.
  ///
  /// - Parameter key: The key that provides the value.
  /// - Throws: The error of the key, or `SharedValueMissing` if the key has no value.
  public init(require key: some SharedReaderKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

// Swift finds implicit members of `SharedKey` only if `SharedKey` is the constraint. These overloads are disfavored, so
// that members of the same name in `SharedReaderKey` take precedence.
extension SharedReader {
  /// Creates a read-only shared value that a writable key provides.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has no value.
  ///   - key: The key that provides the value.
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates an optional, read-only shared value that a writable key provides.
  ///
  /// The value is `nil` if the key has no value.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Creates a read-only shared value after its writable key has loaded the value.
  ///
  /// - Parameter key: The key that provides the value.
  /// - Throws: The error of the key, or `SharedValueMissing` if the key has no value.
  @_disfavoredOverload
  public init(require key: some SharedKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

/// An error that is thrown if a key has no value although one is required.
///
/// ```swift
/// do { _ = try await Shared(require: .fileStorage(todosURL)) as Shared<[Todo]> } catch is SharedValueMissing {
///   print("there is no file yet")
/// }
/// ```
public struct SharedValueMissing: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the key without a value.
  public let key: String

  /// A message that names the key.
  public var description: String { "The shared key \(key) has no value, but one is required." }
}

extension SharedReaderKey {
  fileprivate func requiredValue() async throws -> Value {
    let name = SharedKeyName.of(self)
    let value = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Value?, any Error>) in
      load(
        context: .userInitiated,
        continuation: LoadContinuation(of: name) { update in
          continuation.resume(with: Result { try update.value })
        }
      )
    }
    guard let value else { throw SharedValueMissing(key: name) }
    return value
  }
}

extension Shared {
  /// Whether the key is loading the value.
  public var isLoading: Bool { reference.root.isLoading }

  /// The error of the last load or reported change; `nil` after a later load, change, or save succeeds.
  public var loadError: (any Error)? { reference.root.loadError }

  /// The error of the last save; `nil` if the save succeeded.
  public var saveError: (any Error)? { reference.root.saveError }

  /// Loads the value of the key again.
  ///
  /// If the key has no value, the current value stays unchanged.
  ///
  /// - Throws: The error of the key, which also becomes the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Switches to the value of another key, and loads that value.
  ///
  /// ```swift
  /// try await $results.load(.search(query))
  /// ```
  ///
  /// If no other shared value uses the new key, the current value stays unchanged until the new key provides a value,
  /// by this load or by a later update.
  ///
  /// - Parameter key: The key that loads and saves the new value.
  /// - Throws: The error of the key, which also becomes the `loadError`.
  public func load(_ key: some SharedKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Switches to the value of another key with a default value, and loads that value.
  ///
  /// - Parameter key: The key that loads and saves the new value.
  /// - Throws: The error of the key, which also becomes the `loadError`.
  public func load<Key: SharedKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Saves the value immediately, even if it hasn't changed.
  ///
  /// - Throws: The error of the key, which also becomes the `saveError`.
  public func save() async throws { try await reference.root.save() }
}

extension SharedReader {
  /// Whether the key is loading the value.
  public var isLoading: Bool { reference.root.isLoading }

  /// The error of the last load or reported change; `nil` after a later load or change succeeds.
  public var loadError: (any Error)? { reference.root.loadError }

  /// Loads the value of the key again.
  ///
  /// If the key has no value, the current value stays unchanged.
  ///
  /// - Throws: The error of the key, which also becomes the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Switches to the value of another key, and loads that value.
  ///
  /// If no other shared value uses the new key, the current value stays unchanged until the new key provides a value,
  /// by this load or by a later update.
  ///
  /// - Parameter key: The key that provides the new value.
  /// - Throws: The error of the key, which also becomes the `loadError`.
  public func load(_ key: some SharedReaderKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }

  /// Switches to the value of another key with a default value, and loads that value.
  ///
  /// - Parameter key: The key that provides the new value.
  /// - Throws: The error of the key, which also becomes the `loadError`.
  public func load<Key: SharedReaderKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }

  /// Switches to the value of another, writable key, and loads that value.
  ///
  /// - Parameter key: The key that provides the new value.
  /// - Throws: The error of the key, which also becomes the `loadError`.
  @_disfavoredOverload
  public func load(_ key: some SharedKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }
}
