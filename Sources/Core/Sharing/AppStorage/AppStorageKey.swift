public import Foundation

/// A key that stores a value in `UserDefaults`.
///
/// ```swift
/// @Shared(.appStorage("isCompact")) var isCompact = false
/// ```
public struct AppStorageKey<Value: Sendable>: SharedKey {
  private let key: String
  private let store: AppStorageStore
  private let coding: AppStorageCoding<Value>
  private let warnsOfKey: Bool
  /// Whether the key registers its default value for other readers of the defaults.
  private let registers: Bool
  /// The stored object after this key last read or wrote it, which identifies changes made by the key itself.
  private let known = LockIsolated<AnyHashable?>(nil)

  init(_ key: String, store: UserDefaults?, coding: AppStorageCoding<Value>) {
    self.key = key
    self.store =
      store.map(AppStorageStore.init) ?? DependencyValues._current[AppStorageStoreKey.self]
    self.coding = coding
    warnsOfKey = DependencyValues._current.appStorageKeyFormatWarningEnabled
    registers = DependencyValues._current.context == .live
    if let suite = AppStorageSuiteConflicts.suiteWithAnother(than: self.store.defaults) {
      reportIssue(Messages.secondDefaults(of: suite, key: key))
    }
  }

  /// The identity of a key, which consists of the name and the `UserDefaults` instance.
  public struct ID: Hashable, Sendable {
    fileprivate let key: String
    fileprivate let store: ObjectIdentifier
  }

  /// The name of the value and the `UserDefaults` instance.
  public var id: ID { ID(key: key, store: ObjectIdentifier(store.defaults)) }

  /// Reads the value from the defaults.
  ///
  /// If the stored value has another type, the shared value stays unchanged and `loadError` is set. If no value is
  /// stored when the shared value is created, the key registers the default value for other readers of the defaults.
  /// Registered values belong to the process, so tests and previews don't register them.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    if registers, let value = context.initialValue, let object = try? coding.write(value),
      store.register(object, for: key)
    {
      known.setValue(store.token(for: key))
      return continuation.resumeReturningInitialValue()
    }
    continuation.resume { try found(store.object(for: key)) }
  }

  private func found(_ object: Any?) throws -> SharedLookupResult<Value> {
    let token = store.token(of: object)
    do {
      return SharedLookupResult(value: try object.map(read)) { known.setValue(token) }
    } catch {
      // Stores the object before throwing, so that an unreadable value is reported only once.
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

  /// Reports changes to the stored value, which `UserDefaults` announces by notification.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    if warnsOfKey, let character = key.first(where: { ".@".contains($0) }) {
      reportIssue(Messages.unobservableAppStorageKey(key, character))
    }
    // Observes all objects, because two `UserDefaults` objects may represent the same defaults.
    nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification,
      object: nil,
      queue: nil
    ) { [self] _ in
      // Compares the stored object, because the notification is also posted for other names and for changes by this
      // key.
      subscriber.yield {
        let object = store.object(for: key)
        return known.withValue({ $0 }) == store.token(of: object) ? nil : try found(object)
      }
    }
    return SharedSubscription { NotificationCenter.default.removeObserver(token) }
  }

  /// Writes the value to the defaults and announces the change.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume(
      with: Result {
        let object = try coding.write(value)
        store.set(object, for: key)
        // Reads the object again if the value was removed, because reads then return the registered default.
        known.setValue(object == nil ? store.token(for: key) : store.token(of: object))
        continuation.didHandOver()
        store.postChange()
      }
    )
  }
}

extension AppStorageKey: NamedSharedKey, CustomStringConvertible {
  /// The key as it appears in source code: `.appStorage("isCompact")`.
  public var description: String { ".appStorage(\(String(reflecting: key)))" }

  var logName: String { "appStorage(\(key))" }
}

extension SharedReaderKey {
  /// Returns a key that stores a Boolean value in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Bool> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Returns a key that stores an integer in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Int> {
    AppStorageKey(key, store: store, coding: .int)
  }

  /// Returns a key that stores a floating-point number in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Double> {
    AppStorageKey(key, store: store, coding: .double)
  }

  /// Returns a key that stores a string in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<String> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Returns a key that stores an array of strings in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<[String]> {
    AppStorageKey(key, store: store, coding: .strings)
  }

  /// Returns a key that stores data in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Data> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Returns a key that stores a date in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Date> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Returns a key that stores a URL in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<URL> {
    AppStorageKey(key, store: store, coding: .url)
  }

  /// Returns a key that stores an optional Boolean value in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Bool?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Returns a key that stores an optional integer in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Int?> {
    AppStorageKey(key, store: store, coding: .optional(.int))
  }

  /// Returns a key that stores an optional floating-point number in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Double?> {
    AppStorageKey(key, store: store, coding: .optional(.double))
  }

  /// Returns a key that stores an optional string in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<String?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Returns a key that stores an optional array of strings in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<[String]?> {
    AppStorageKey(key, store: store, coding: .optional(.strings))
  }

  /// Returns a key that stores optional data in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Data?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Returns a key that stores an optional date in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Date?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Returns a key that stores an optional URL in `UserDefaults`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<URL?> {
    AppStorageKey(key, store: store, coding: .optional(.url))
  }
}

extension SharedReaderKey {
  /// Returns a key that stores a value in `UserDefaults` as its raw value, an integer.
  public static func appStorage<Value: RawRepresentable<Int> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store: store, coding: .raw(.int))
  }

  /// Returns a key that stores an optional value in `UserDefaults` as its raw value, an integer.
  public static func appStorage<Value: RawRepresentable<Int> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store: store, coding: .optional(.raw(.int)))
  }

  /// Returns a key that stores a value in `UserDefaults` as its raw value, a string.
  public static func appStorage<Value: RawRepresentable<String> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store: store, coding: .raw(.plain))
  }

  /// Returns a key that stores an optional value in `UserDefaults` as its raw value, a string.
  public static func appStorage<Value: RawRepresentable<String> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store: store, coding: .optional(.raw(.plain)))
  }

  /// Returns a key that stores a `Codable` value as JSON in `UserDefaults`.
  @_disfavoredOverload
  public static func appStorage<Value: Codable & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store: store, coding: .json)
  }

  /// Returns a key that stores an optional `Codable` value as JSON in `UserDefaults`.
  @_disfavoredOverload
  public static func appStorage<Value: Codable & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store: store, coding: .optional(.json))
  }
}
