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
  private let warnsOfKey: Bool
  /// Whether defaults are registered.
  private let registers: Bool
  /// What stood there when it was last taken or written for this key, by which a change is known to be its own.
  private let known = LockIsolated<AnyHashable?>(nil)

  init(_ key: String, store: UserDefaults?, coding: AppStorageCoding<Value>) {
    self.key = key
    self.store =
      store.map(AppStorageStore.init) ?? DependencyValues._current[AppStorageStoreKey.self]
    self.coding = coding
    warnsOfKey = DependencyValues._current.appStorageKeyFormatWarningEnabled
    registers = DependencyValues._current.context == .live
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
  /// What is there, but is of another type, leaves the default and the `loadError`. Where nothing is, the default is
  /// registered, so that others that read the defaults have it too. What is registered belongs to the whole process, so tests
  /// register nothing.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    if registers, let value = context.initialValue, let object = try? coding.write(value),
      store.register(object, for: key)
    {
      known.setValue(store.token(for: key))
      return continuation.resumeReturningInitialValue()
    }
    continuation.resume { try found(store.object(for: key)) }
  }

  private func found(_ object: Any?) throws -> SharedFinding<Value> {
    let token = store.token(of: object)
    do {
      return SharedFinding(value: try object.map(read)) { known.setValue(token) }
    } catch {
      // Once is enough to say that it cannot be read.
      known.setValue(token)
      throw error
    }
  }

  private func read(_ object: Any) throws -> Value {
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
    if warnsOfKey, let character = key.first(where: { ".@".contains($0) }) {
      reportIssue(Messages.unobservableAppStorageKey(key, character))
    }
    // Whichever defaults tell of a change: two objects may stand for the same ones.
    nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification,
      object: nil,
      queue: nil
    ) { [self] _ in
      // It tells of changes of other names too, and of our own.
      subscriber.yield {
        let object = store.object(for: key)
        return known.withValue({ $0 }) == store.token(of: object) ? nil : try found(object)
      }
    }
    return SharedSubscription { NotificationCenter.default.removeObserver(token) }
  }

  /// Writes the value.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume(
      with: Result {
        let object = try coding.write(value)
        store.set(object, for: key)
        // Without a value, what was registered stands there.
        known.setValue(object == nil ? store.token(for: key) : store.token(of: object))
        continuation.didHandOver()
        store.tellOfChange()
      }
    )
  }
}

extension AppStorageKey: NamedSharedKey, CustomStringConvertible {
  /// How the key is written in code.
  public var description: String { ".appStorage(\(String(reflecting: key)))" }

  var logName: String { "appStorage(\(key))" }
}
