import ActionLog
public import Foundation

/// Defaults of the user that keys read and write.
///
/// Unchecked: `UserDefaults` is safe to use from several threads, but is not declared so.
struct AppStorageStore: @unchecked Sendable {
  let defaults: UserDefaults

  /// The object under a name.
  func object(for key: String) -> Any? { defaults.object(forKey: key) }

  /// Sets the object under a name; nil removes it.
  func set(_ object: Any?, for key: String) {
    if let object {
      defaults.set(object, forKey: key)
    } else {
      defaults.removeObject(forKey: key)
    }
    #if !canImport(Darwin)
    // Elsewhere nothing is kept without being asked to.
    DefaultsSynchronizer.shared.synchronize(self)
    #endif
  }

  /// Posts the notification of a change of the defaults.
  ///
  /// Outside of Darwin the system posts none. On Darwin this is the second one, for observers that could not read the
  /// defaults at the first one, which the system posts before `set` returns.
  func postChange() {
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: defaults)
  }

  /// Registers an object under a name until the program ends, if there is none.
  ///
  /// - Returns: Whether nothing else did.
  func register(_ object: Any, for key: String) -> Bool {
    guard defaults.object(forKey: key) == nil else { return false }
    defaults.register(defaults: [key: object])
    return true
  }

  /// The object under a name, in a form that can be compared.
  func token(for key: String) -> AnyHashable? { token(of: object(for: key)) }

  /// An object in a form that can be compared.
  func token(of object: Any?) -> AnyHashable? {
    guard let object else { return nil }
    if let strings = AppStorageCoding<[String]>.readStrings(object) { return AnyHashable(strings) }
    return object as? AnyHashable
  }
}

extension UserDefaults {
  /// Defaults of their own, which end with the process.
  public static var inMemory: UserDefaults {
    // A path leads to a file of its own on Apple's platforms, and is no name of a suite elsewhere.
    let folder = Platform.isApple ? NSTemporaryDirectory() : ""
    return VolatileDefaults(suiteName: folder + "tca-defaults-" + UUID().uuidString) ?? .standard
  }
}

/// Defaults that are not kept.
private final class VolatileDefaults: UserDefaults {
  override func synchronize() -> Bool { true }
}

#if !canImport(Darwin)
/// Writes defaults to disk, soon and in the background, because each time takes milliseconds.
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
  /// Whether keys of `.appStorage` that cannot be observed by name are reported.
  ///
  /// ```swift
  /// let store = Store(initialState: Settings.State()) { Settings() } withDependencies: {
  ///   $0.appStorageKeyFormatWarningEnabled = false  // earlier versions of the app have named keys with dots
  /// }
  /// ```
  public var appStorageKeyFormatWarningEnabled: Bool {
    get { self[AppStorageKeyFormatWarningKey.self] }
    set { self[AppStorageKeyFormatWarningKey.self] = newValue }
  }

  /// The defaults in which `.appStorage` keeps values; tests and previews have their own, which are not kept.
  public var defaultAppStorage: UserDefaults {
    get { self[AppStorageStoreKey.self].defaults }
    set { self[AppStorageStoreKey.self] = AppStorageStore(defaults: newValue) }
  }
}
