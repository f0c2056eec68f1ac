extension SharedReaderKey {
  /// Keeps a value in memory under a name, for as long as the program runs.
  ///
  /// ```swift
  /// @Shared(.inMemory("unread")) var unread = 0
  /// ```
  public static func inMemory<Value: Sendable>(_ key: String) -> Self
  where Self == InMemoryKey<Value> {
    InMemoryKey(key)
  }
}

/// Keeps a value in memory under a name.
///
/// ```swift
/// extension SharedKey where Self == InMemoryKey<Int>.Default {
///   static var unread: Self { Self[.inMemory("unread"), default: 0] }
/// }
/// ```
public struct InMemoryKey<Value: Sendable>: SharedKey {
  private let key: String
  private let storage: InMemoryStorage

  /// A key in the current `defaultInMemoryStorage`.
  public init(_ key: String) {
    self.key = key
    storage = DependencyValues._current.defaultInMemoryStorage
  }

  /// The name and the storage.
  public struct ID: Hashable, Sendable {
    fileprivate let key: String
    fileprivate let storage: ObjectIdentifier
  }

  /// The name and the storage.
  public var id: ID { ID(key: key, storage: ObjectIdentifier(storage)) }

  /// Takes the value out of the storage.
  ///
  /// Where there is none, the default is put there, and holds for as long as the program runs.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: .success(storage.value(for: key, default: context.initialValue)))
  }

  /// Reports nothing: the same name is the same reference.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  /// Puts the value into the storage.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    storage.set(value, for: key)
    continuation.resume()
  }
}

extension InMemoryKey: NamedSharedKey, CustomStringConvertible {
  /// The key as it is written in code.
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

  /// An empty storage.
  public init() {}

  /// The value under a name, nil if there was none: then the default is put there.
  fileprivate func value<Value: Sendable>(for key: String, default value: Value?) -> Value? {
    values.withValue { values in
      // Not one cast: that of nothing to an optional type gives a value, which is nil.
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
  /// The storage of `.inMemory`; each test has its own.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[InMemoryStorageKey.self] }
    set { self[InMemoryStorageKey.self] = newValue }
  }
}
