extension Shared {
  /// Shares the value of a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value that holds when the key has none.
  ///   - key: Where the value is kept.
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Shares the value of a key that has a default.
  public init<Key: SharedKey<Value>>(_ key: Key.Default) {
    self.init(SharedReferences.current.root(of: key, default: key.defaultValue))
  }

  /// Shares the value of a key that has a default, with another one in its place.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value that holds when the key has none.
  ///   - key: Where the value is kept.
  public init<Key: SharedKey<Value>>(
    wrappedValue: @autoclosure () -> Value,
    _ key: Key.Default
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Shares the value of a key, nil when it has none.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Shares the value of a key once it is loaded.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, or `SharedValueMissing` when it has no value.
  public init(require key: some SharedKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

extension SharedReader {
  /// Reads the value of a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value that holds when the key has none.
  ///   - key: Where the value comes from.
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedReaderKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Reads the value of a key that has a default.
  public init<Key: SharedReaderKey<Value>>(_ key: Key.Default) {
    self.init(SharedReferences.current.root(of: key, default: key.defaultValue))
  }

  /// Reads the value of a key that has a default, with another one in its place.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value that holds when the key has none.
  ///   - key: Where the value comes from.
  public init<Key: SharedReaderKey<Value>>(
    wrappedValue: @autoclosure () -> Value,
    _ key: Key.Default
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Reads the value of a key, nil when it has none.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedReaderKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Reads the value of a key once it is loaded.
  ///
  /// - Parameter key: Where the value comes from.
  /// - Throws: What the key throws, or `SharedValueMissing` when it has no value.
  public init(require key: some SharedReaderKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

// Keys that are static members of `SharedKey` alone are found by name only where that is the constraint. Where both protocols have a
// member of a name, that of `SharedReaderKey` is meant.
extension SharedReader {
  /// Reads the value of a key that can also be written.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value that holds when the key has none.
  ///   - key: Where the value is kept.
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Reads the value of a key that can also be written, nil when it has none.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Reads the value of a key that can also be written, once it is loaded.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, or `SharedValueMissing` when it has no value.
  @_disfavoredOverload
  public init(require key: some SharedKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

/// A key has no value, but one is required.
///
/// ```swift
/// do { _ = try await Shared(require: .fileStorage(todosURL)) as Shared<[Todo]> } catch is SharedValueMissing {
///   print("there is no file yet")
/// }
/// ```
public struct SharedValueMissing: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the key.
  public let key: String

  /// Says which key has no value.
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

  /// The error of the last load, nil when it brought a value.
  public var loadError: (any Error)? { reference.root.loadError }

  /// The error of the last save, nil when the value is saved.
  public var saveError: (any Error)? { reference.root.saveError }

  /// Loads the value again; it stays as it is when the key has none.
  ///
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Shares the value of another key from now on, and loads it.
  ///
  /// ```swift
  /// try await $results.load(.search(query))
  /// ```
  ///
  /// Until the key brings a value, by this load or by a later update, the value stays as it is.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load(_ key: some SharedKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Shares the value of another key that has a default from now on, and loads it.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load<Key: SharedKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Saves the value at once, also when it has not changed.
  ///
  /// - Throws: What the key throws, which is then the `saveError`.
  public func save() async throws { try await reference.root.save() }
}

extension SharedReader {
  /// Whether the key is loading the value.
  public var isLoading: Bool { reference.root.isLoading }

  /// The error of the last load, nil when it brought a value.
  public var loadError: (any Error)? { reference.root.loadError }

  /// Loads the value again; it stays as it is when the key has none.
  ///
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Reads the value of another key from now on, and loads it.
  ///
  /// Until the key brings a value, by this load or by a later update, the value stays as it is.
  ///
  /// - Parameter key: Where the value comes from.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load(_ key: some SharedReaderKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }

  /// Reads the value of another key that has a default from now on, and loads it.
  ///
  /// - Parameter key: Where the value comes from.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load<Key: SharedReaderKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }

  /// Reads the value of another key, which can also be written, from now on, and loads it.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, which is then the `loadError`.
  @_disfavoredOverload
  public func load(_ key: some SharedKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }
}
