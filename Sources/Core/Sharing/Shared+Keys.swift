extension Shared {
  /// Creates a shared value that a key stores.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has none.
  ///   - key: The storage of the value.
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

  /// Creates a shared value that a key stores, with a default value that overrides the key's.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has none.
  ///   - key: The storage of the value.
  public init<Key: SharedKey<Value>>(
    wrappedValue: @autoclosure () -> Value,
    _ key: Key.Default
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates an optional shared value that a key stores.
  ///
  /// It is `nil` if the key has no value.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Creates a shared value after its key has loaded it.
  ///
  /// - Parameter key: The storage of the value.
  /// - Throws: The error of the key, or `SharedValueMissing` if the key has no value.
  public init(require key: some SharedKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

extension SharedReader {
  /// Creates a reader of a key's value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has none.
  ///   - key: The source of the value.
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedReaderKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates a reader of the value of a key with a default value.
  public init<Key: SharedReaderKey<Value>>(_ key: Key.Default) {
    self.init(SharedReferences.current.root(of: key, default: key.defaultValue))
  }

  /// Creates a reader of a key's value, with a default value that overrides the key's.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has none.
  ///   - key: The source of the value.
  public init<Key: SharedReaderKey<Value>>(
    wrappedValue: @autoclosure () -> Value,
    _ key: Key.Default
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates a reader of a key's optional value.
  ///
  /// It is `nil` if the key has no value.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedReaderKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Creates a reader of a key's value after the key has loaded it.
  ///
  /// - Parameter key: The source of the value.
  /// - Throws: The error of the key, or `SharedValueMissing` if the key has no value.
  public init(require key: some SharedReaderKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

// Implicit members of `SharedKey` are found only if `SharedKey` is the constraint. These overloads are disfavored, so
// that a member of the same name in `SharedReaderKey` wins.
extension SharedReader {
  /// Creates a reader of the value of a writable key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default value, which applies if the key has none.
  ///   - key: The storage of the value.
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value,
    _ key: some SharedKey<Value>
  ) {
    self.init(SharedReferences.current.root(of: key, default: wrappedValue))
  }

  /// Creates a reader of the optional value of a writable key.
  ///
  /// It is `nil` if the key has no value.
  @_disfavoredOverload
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Creates a reader of the value of a writable key after the key has loaded it.
  ///
  /// - Parameter key: The storage of the value.
  /// - Throws: The error of the key, or `SharedValueMissing` if the key has no value.
  @_disfavoredOverload
  public init(require key: some SharedKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key, loads: false) { value })
  }
}

/// An error that indicates that a key has no value although one is required.
///
/// ```swift
/// do { _ = try await Shared(require: .fileStorage(todosURL)) as Shared<[Todo]> } catch is SharedValueMissing {
///   print("there is no file yet")
/// }
/// ```
public struct SharedValueMissing: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the key.
  public let key: String

  /// A message with the name of the key.
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

  /// The error of the last load, or `nil` if it succeeded.
  public var loadError: (any Error)? { reference.root.loadError }

  /// The error of the last save, or `nil` if it succeeded.
  public var saveError: (any Error)? { reference.root.saveError }

  /// Loads the value again.
  ///
  /// If the key has no value, the current value remains.
  ///
  /// - Throws: The error of the key, which is also the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Switches to the value of another key and loads it.
  ///
  /// ```swift
  /// try await $results.load(.search(query))
  /// ```
  ///
  /// The current value remains until the key delivers a value, by this load or by a later update.
  ///
  /// - Parameter key: The storage of the value.
  /// - Throws: The error of the key, which is also the `loadError`.
  public func load(_ key: some SharedKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Switches to the value of another key with a default value and loads it.
  ///
  /// - Parameter key: The storage of the value.
  /// - Throws: The error of the key, which is also the `loadError`.
  public func load<Key: SharedKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Saves the value immediately, even if it is unchanged.
  ///
  /// - Throws: The error of the key, which is also the `saveError`.
  public func save() async throws { try await reference.root.save() }
}

extension SharedReader {
  /// Whether the key is loading the value.
  public var isLoading: Bool { reference.root.isLoading }

  /// The error of the last load, or `nil` if it succeeded.
  public var loadError: (any Error)? { reference.root.loadError }

  /// Loads the value again.
  ///
  /// If the key has no value, the current value remains.
  ///
  /// - Throws: The error of the key, which is also the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Switches to the value of another key and loads it.
  ///
  /// The current value remains until the key delivers a value, by this load or by a later update.
  ///
  /// - Parameter key: The source of the value.
  /// - Throws: The error of the key, which is also the `loadError`.
  public func load(_ key: some SharedReaderKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }

  /// Switches to the value of another key with a default value and loads it.
  ///
  /// - Parameter key: The source of the value.
  /// - Throws: The error of the key, which is also the `loadError`.
  public func load<Key: SharedReaderKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }

  /// Switches to the value of another, writable key and loads it.
  ///
  /// - Parameter key: The storage of the value.
  /// - Throws: The error of the key, which is also the `loadError`.
  @_disfavoredOverload
  public func load(_ key: some SharedKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }
}
