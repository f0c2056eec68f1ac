public import Foundation

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
  /// The object when it was last taken or written for this key, to recognize the key's own changes.
  private let known = LockIsolated<AnyHashable?>(nil)

  init(_ key: String, store: UserDefaults?, coding: AppStorageCoding<Value>) {
    self.key = key
    self.store =
      store.map(AppStorageStore.init) ?? DependencyValues._current[AppStorageStoreKey.self]
    self.coding = coding
    warnsOfKey = DependencyValues._current.appStorageKeyFormatWarningEnabled
    registers = DependencyValues._current.context == .live
    if let suite = AppStorageSuites.suiteWithAnother(than: self.store.defaults) {
      reportIssue(Messages.secondDefaults(of: suite, key: key))
    }
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
  /// A stored value of another type leaves the default value and the `loadError`. If there is no value, the default value is
  /// registered, so that other readers of the defaults have it too. Registered values belong to the whole process, so tests
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

  /// Reports the changes that the defaults notify of.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    if warnsOfKey, let character = key.first(where: { ".@".contains($0) }) {
      reportIssue(Messages.unobservableAppStorageKey(key, character))
    }
    // Of any object: two objects may represent the same defaults.
    nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification,
      object: nil,
      queue: nil
    ) { [self] _ in
      // The notification comes for other names too, and for changes of this key's own.
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
        // Without a value, the registered one is read.
        known.setValue(object == nil ? store.token(for: key) : store.token(of: object))
        continuation.didHandOver()
        store.postChange()
      }
    )
  }
}

extension AppStorageKey: NamedSharedKey, CustomStringConvertible {
  /// The key as it is written in code.
  public var description: String { ".appStorage(\(String(reflecting: key)))" }

  var logName: String { "appStorage(\(key))" }
}

extension SharedReaderKey {
  /// Keeps a truth value in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Bool> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Keeps a whole number in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Int> {
    AppStorageKey(key, store: store, coding: .int)
  }

  /// Keeps a number in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Double> {
    AppStorageKey(key, store: store, coding: .double)
  }

  /// Keeps a string in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<String> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Keeps a list of strings in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<[String]> {
    AppStorageKey(key, store: store, coding: .strings)
  }

  /// Keeps data in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Data> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Keeps a date in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Date> {
    AppStorageKey(key, store: store, coding: .plain)
  }

  /// Keeps a URL in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<URL> {
    AppStorageKey(key, store: store, coding: .url)
  }

  /// Keeps a truth value or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Bool?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Keeps a whole number or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Int?> {
    AppStorageKey(key, store: store, coding: .optional(.int))
  }

  /// Keeps a number or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Double?> {
    AppStorageKey(key, store: store, coding: .optional(.double))
  }

  /// Keeps a string or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<String?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Keeps a list of strings or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<[String]?> {
    AppStorageKey(key, store: store, coding: .optional(.strings))
  }

  /// Keeps data or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Data?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Keeps a date or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Date?> {
    AppStorageKey(key, store: store, coding: .optional(.plain))
  }

  /// Keeps a URL or nothing in the defaults of the user.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<URL?> {
    AppStorageKey(key, store: store, coding: .optional(.url))
  }
}

extension SharedReaderKey {
  /// Keeps the raw value of a type in the defaults of the user.
  public static func appStorage<Value: RawRepresentable<Int> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store: store, coding: .raw(.int))
  }

  /// Keeps the raw value of a type, or nothing, in the defaults of the user.
  public static func appStorage<Value: RawRepresentable<Int> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store: store, coding: .optional(.raw(.int)))
  }

  /// Keeps the raw value of a type in the defaults of the user.
  public static func appStorage<Value: RawRepresentable<String> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store: store, coding: .raw(.plain))
  }

  /// Keeps the raw value of a type, or nothing, in the defaults of the user.
  public static func appStorage<Value: RawRepresentable<String> & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store: store, coding: .optional(.raw(.plain)))
  }

  /// Keeps a value as JSON in the defaults of the user.
  @_disfavoredOverload
  public static func appStorage<Value: Codable & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store: store, coding: .json)
  }

  /// Keeps a value as JSON, or nothing, in the defaults of the user.
  @_disfavoredOverload
  public static func appStorage<Value: Codable & Sendable>(
    _ key: String,
    store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store: store, coding: .optional(.json))
  }
}
