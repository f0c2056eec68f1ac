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
  public init<Wrapped>(_ key: some SharedKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Shares the value of a key once it is loaded.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, or `SharedValueMissing` when it has no value.
  public init(require key: some SharedKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key) { value })
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
  public init<Wrapped>(_ key: some SharedReaderKey<Value>) where Value == Wrapped? {
    self.init(SharedReferences.current.root(of: key) { nil })
  }

  /// Reads the value of a key once it is loaded.
  ///
  /// - Parameter key: Where the value comes from.
  /// - Throws: What the key throws, or `SharedValueMissing` when it has no value.
  public init(require key: some SharedReaderKey<Value>) async throws {
    let value = try await key.requiredValue()
    self.init(SharedReferences.current.root(of: key) { value })
  }
}

/// A key has no value, but one is required.
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
        continuation: LoadContinuation(of: name) { news in
          continuation.resume(with: Result { try news.value })
        }
      )
    }
    guard let value else { throw SharedValueMissing(key: name) }
    return value
  }
}
