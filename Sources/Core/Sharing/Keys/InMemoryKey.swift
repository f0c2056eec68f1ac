extension SharedReaderKey {
  /// Stores a value in memory under a name, until the process ends.
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

  /// Creates a key in the current `defaultInMemoryStorage`.
  public init(_ key: String) {
    self.key = key
    storage = DependencyValues._current.defaultInMemoryStorage
  }

  /// The identity of a key: the name and the storage.
  public struct ID: Hashable, Sendable {
    fileprivate let key: String
    fileprivate let storage: ObjectIdentifier
  }

  /// The name and the storage.
  public var id: ID { ID(key: key, storage: ObjectIdentifier(storage)) }

  /// Returns the stored value.
  ///
  /// If no value is stored, stores the default value until the process ends.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: .success(storage.value(for: key, default: context.initialValue)))
  }

  /// Returns an empty subscription.
  ///
  /// Equal names share one reference, so no changes come from elsewhere.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  /// Stores the value.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    storage.set(value, for: key)
    continuation.resume()
  }
}

extension InMemoryKey: NamedSharedKey, CustomStringConvertible {
  /// The key as in source code.
  public var description: String { ".inMemory(\(String(reflecting: key)))" }

  var logName: String { "inMemory(\(key))" }
}

/// The storage of `.inMemory`.
///
/// ```swift
/// withDependencies { $0.defaultInMemoryStorage = InMemoryStorage() } operation: {
///   @Shared(.inMemory("unread")) var unread = 0  // shared with nothing outside
/// }
/// ```
public final class InMemoryStorage: Sendable {
  private let values = LockIsolated<[String: any Sendable]>([:])

  /// Creates an empty storage.
  public init() {}

  /// Returns the stored value for a key.
  ///
  /// If there is none, stores the default and returns `nil`.
  fileprivate func value<Value: Sendable>(for key: String, default value: Value?) -> Value? {
    values.withValue { values in
      // Two steps, because casting an absent value to an optional type succeeds with `nil`.
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
  /// The storage that `.inMemory` uses.
  ///
  /// Every test has a separate one.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[InMemoryStorageKey.self] }
    set { self[InMemoryStorageKey.self] = newValue }
  }
}
