import ActionLog
public import Foundation

/// The `UserDefaults` instance that an `.appStorage` key reads and writes.
///
/// Unchecked: `UserDefaults` is thread-safe, but not declared as `Sendable`.
struct AppStorageStore: @unchecked Sendable {
  let defaults: UserDefaults

  func object(for key: String) -> Any? { defaults.object(forKey: key) }

  /// Sets the object for a key, or removes the stored object if the new one is `nil`.
  func set(_ object: Any?, for key: String) {
    if let object {
      defaults.set(object, forKey: key)
    } else {
      defaults.removeObject(forKey: key)
    }
    #if !canImport(Darwin)
    // Writes the defaults to disk, because only Darwin does this automatically.
    DefaultsSynchronizer.shared.synchronize(self)
    #endif
  }

  /// Posts the notification that the defaults have changed.
  ///
  /// Only Darwin posts the notification automatically, before `set` returns. On Darwin, observers that couldn't read
  /// the defaults at the first notification read them at this second one.
  func postChange() {
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: defaults)
  }

  /// Registers an object as a default for the lifetime of the process, unless the key has a value.
  ///
  /// - Returns: Whether the object was registered.
  func register(_ object: Any, for key: String) -> Bool {
    guard defaults.object(forKey: key) == nil else { return false }
    defaults.register(defaults: [key: object])
    return true
  }

  /// Returns the object for a key in a form that can be compared, or `nil` if there is no object.
  func token(for key: String) -> AnyHashable? { token(of: object(for: key)) }

  /// Returns an object in a form that can be compared, or `nil` if that isn't possible.
  func token(of object: Any?) -> AnyHashable? {
    guard let object else { return nil }
    if let strings = AppStorageCoding<[String]>.readStrings(object) { return AnyHashable(strings) }
    return object as? AnyHashable
  }
}

extension UserDefaults {
  /// A new `UserDefaults` instance that shares no values with others and isn't saved.
  ///
  /// Each access creates another instance.
  public static var inMemory: UserDefaults {
    // On Apple platforms, a path as the name gives the suite a file of its own. On other platforms, a path isn't a
    // valid suite name.
    let folder = Platform.isApple ? NSTemporaryDirectory() : ""
    return VolatileDefaults(suiteName: folder + "tca-defaults-" + UUID().uuidString) ?? .standard
  }
}

/// Defaults that are never written to disk.
private final class VolatileDefaults: UserDefaults {
  override func synchronize() -> Bool { true }
}

#if !canImport(Darwin)
/// A background writer that saves defaults to disk shortly after a change.
///
/// Defaults aren't saved synchronously, because that takes milliseconds.
private final class DefaultsSynchronizer: Sendable {
  static let shared = DefaultsSynchronizer()

  private let queue = DispatchQueue(label: "tca.defaults")
  private let waiting = LockIsolated<[ObjectIdentifier: AppStorageStore]>([:])

  private init() {
    atexit { DefaultsSynchronizer.shared.run() }
  }

  func synchronize(_ store: AppStorageStore) {
    guard !(store.defaults is VolatileDefaults) else { return }
    let isFirst = waiting.withValue { waiting in
      defer { waiting[ObjectIdentifier(store.defaults)] = store }
      return waiting.isEmpty
    }
    if isFirst { queue.async { self.run() } }
  }

  private func run() {
    let stores = waiting.withValue { waiting in
      defer { waiting = [:] }
      return Array(waiting.values)
    }
    for store in stores { _ = store.defaults.synchronize() }
  }
}
#endif

enum AppStorageStoreKey: DependencyKey {
  static let liveValue = AppStorageStore(defaults: .standard)
  static let previewValue = AppStorageStore(defaults: .inMemory)
  static var testValue: AppStorageStore { AppStorageStore(defaults: .inMemory) }
}

private enum AppStorageKeyFormatWarningKey: DependencyKey {
  static let liveValue = true
  static let testValue = true
}

extension DependencyValues {
  /// Whether to report an issue for each `.appStorage` key whose name contains a period or `@`.
  ///
  /// `UserDefaults` can't observe such names individually.
  ///
  /// ```swift
  /// let store = Store(initialState: Settings.State()) { Settings() } withDependencies: {
  ///   $0.appStorageKeyFormatWarningEnabled = false  // earlier versions of the app used names with periods
  /// }
  /// ```
  public var appStorageKeyFormatWarningEnabled: Bool {
    get { self[AppStorageKeyFormatWarningKey.self] }
    set { self[AppStorageKeyFormatWarningKey.self] = newValue }
  }

  /// The `UserDefaults` that `.appStorage` keys use by default.
  ///
  /// Each test has separate defaults, and all previews share one instance. These defaults are never saved.
  public var defaultAppStorage: UserDefaults {
    get { self[AppStorageStoreKey.self].defaults }
    set { self[AppStorageStoreKey.self] = AppStorageStore(defaults: newValue) }
  }
}
