extension SharedReaderKey {
  /// Returns a key that stores a value in memory under a name, until the process ends.
  ///
  /// ```swift
  /// @Shared(.inMemory("unread")) var unread = 0
  /// ```
  public static func inMemory<Value: Sendable>(_ key: String) -> Self
  where Self == InMemoryKey<Value> {
    InMemoryKey(key)
  }
}

/// A key that stores a value in memory under a name.
///
/// ```swift
/// extension SharedKey where Self == InMemoryKey<Int>.Default {
///   static var unread: Self { Self[.inMemory("unread"), default: 0] }
/// }
/// ```
public struct InMemoryKey<Value: Sendable>: SharedKey {
  private let key: String
  private let storage: InMemoryStorage

  /// Creates a key for the value with a name in the current `defaultInMemoryStorage`.
  public init(_ key: String) {
    self.key = key
    storage = DependencyValues._current.defaultInMemoryStorage
  }

  /// The identity of a key, which consists of the name and the storage.
  public struct ID: Hashable, Sendable {
    fileprivate let key: String
    fileprivate let storage: ObjectIdentifier
  }

  /// The name of the value, and the storage that contains it.
  public var id: ID { ID(key: key, storage: ObjectIdentifier(storage)) }

  /// Provides the stored value, or stores the default value if no value is stored yet.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: .success(storage.value(for: key, default: context.initialValue)))
  }

  /// Returns a subscription that never reports changes.
  ///
  /// All keys with the same name share one reference, so no other code changes the value.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  /// Stores the value in memory.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    storage.set(value, for: key)
    continuation.resume()
  }
}

extension InMemoryKey: NamedSharedKey, CustomStringConvertible {
  /// The key as it appears in source code: `.inMemory("unread")`.
  public var description: String { ".inMemory(\(String(reflecting: key)))" }

  var logName: String { "inMemory(\(key))" }
}

/// A storage that contains the values of `.inMemory` keys.
///
/// ```swift
/// withDependencies { $0.defaultInMemoryStorage = InMemoryStorage() } operation: {
///   @Shared(.inMemory("unread")) var unread = 0  // not shared with code outside of the closure
/// }
/// ```
public final class InMemoryStorage: Sendable {
  private let values = LockIsolated<[String: any Sendable]>([:])

  /// Creates an empty storage.
  public init() {}

  /// Returns the stored value for a name, or stores the given default value and returns `nil` if no value is stored.
  ///
  /// The result is also `nil` if the stored value has another type.
  fileprivate func value<Value: Sendable>(for key: String, default value: Value?) -> Value? {
    values.withValue { values in
      // Casts in two steps, because casting an absent value to an optional type would succeed with `nil`.
      if let stored = values[key] { return stored as? Value }
      if let value { values[key] = value }
      return nil
    }
  }

  fileprivate func set(_ value: some Sendable, for key: String) {
    values.withValue { $0[key] = value }
  }
}

private enum InMemoryStorageKey: DependencyKey {
  static let liveValue = InMemoryStorage()
  static var testValue: InMemoryStorage { InMemoryStorage() }
}

extension DependencyValues {
  /// The storage that `.inMemory` keys use.
  ///
  /// Each test has a separate storage.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[InMemoryStorageKey.self] }
    set { self[InMemoryStorageKey.self] = newValue }
  }
}
