import Foundation

/// Keeps a value in the defaults of the user.
///
/// ```swift
/// @Shared(.appStorage("isCompact")) var isCompact = false
/// ```
public struct AppStorageKey<Value: Sendable>: SharedKey {
  private let key: String
  private let store: AppStorageStore
  private let coding: AppStorageCoding<Value>
  /// What stood there when it was last read or written for this key, by which a change is known to be its own.
  private let known = LockIsolated<AnyHashable?>(nil)

  init(_ key: String, store: UserDefaults?, coding: AppStorageCoding<Value>) {
    self.key = key
    self.store =
      store.map(AppStorageStore.init) ?? DependencyValues._current[AppStorageStoreKey.self]
    self.coding = coding
  }

  /// The name and the defaults.
  public struct ID: Hashable, Sendable {
    fileprivate let key: String
    fileprivate let store: ObjectIdentifier
  }

  /// The name and the defaults.
  public var id: ID { ID(key: key, store: ObjectIdentifier(store.defaults)) }

  /// Reads the value.
  ///
  /// What is there, but is of another type, leaves the default and the `loadError`.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: Result { try read() })
  }

  private func read() throws -> Value? {
    let token = store.token(for: key)
    known.withValue { $0 = token }
    guard let object = store.object(for: key) else { return nil }
    guard let value = try coding.read(object) else {
      throw AppStorageTypeError(
        key: key,
        found: "\(type(of: object))",
        expected: "\(Value.self)"
      )
    }
    return value
  }

  /// Tells of changes that the defaults tell of.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    // Whichever defaults tell of a change: two objects may stand for the same ones.
    nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification,
      object: nil,
      queue: nil
    ) { [self] _ in
      // It tells of changes of other names too, and of our own.
      guard known.withValue({ $0 }) != store.token(for: key) else { return }
      subscriber.yield(with: Result { try read() })
    }
    return SharedSubscription { NotificationCenter.default.removeObserver(token) }
  }

  /// Writes the value.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume(
      with: Result {
        let object = try coding.write(value)
        known.withValue { $0 = store.token(of: object) }
        store.set(object, for: key)
      }
    )
  }
}

extension AppStorageKey: NamedSharedKey, CustomStringConvertible {
  /// How the key is written in code.
  public var description: String { ".appStorage(\(String(reflecting: key)))" }

  var logName: String { "appStorage(\(key))" }
}
