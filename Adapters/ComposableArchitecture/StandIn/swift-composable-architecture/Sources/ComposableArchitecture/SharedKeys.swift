public import Foundation
import Synchronization

/// A source of a shared value.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the value.
  associatedtype Value
  /// The type of the identity.
  associatedtype ID: Hashable & Sendable
  /// The identity of the key.
  var id: ID { get }
  /// Returns the stored value.
  func load() -> Value?
}

/// A storage of a shared value.
public protocol SharedKey<Value>: SharedReaderKey {
  /// Stores a value.
  func save(_ value: Value)
}

/// The key of a value in memory.
public struct InMemoryKey<Value>: SharedKey, CustomStringConvertible {
  private let name: String
  private let storage: InMemoryStorage

  fileprivate init(_ name: String) {
    self.name = name
    storage = DependencyValues._current.defaultInMemoryStorage
  }

  /// The name and the storage.
  public var id: StorageID { StorageID(name: name, storage: ObjectIdentifier(storage)) }
  /// The key as it is written.
  public var description: String { ".inMemory(\(String(reflecting: name)))" }
  /// Returns the stored value.
  public func load() -> Value? { storage.values.withLock { $0[name] }?.value as? Value }
  /// Stores a value.
  public func save(_ value: Value) {
    let stored = StoredValue(value: value)
    storage.values.withLock { $0[name] = stored }
  }
}

private struct StoredValue: @unchecked Sendable { let value: Any }

/// The key of a value in user defaults.
public struct AppStorageKey<Value: Sendable>: SharedKey, CustomStringConvertible {
  private let name: String
  nonisolated(unsafe) private let storage: UserDefaults

  fileprivate init(_ name: String) {
    self.name = name
    storage = DependencyValues._current.defaultAppStorage
  }

  /// The name and the storage.
  public var id: StorageID { StorageID(name: name, storage: ObjectIdentifier(storage)) }
  /// The key as it is written.
  public var description: String { ".appStorage(\(String(reflecting: name)))" }
  /// Returns the stored value.
  public func load() -> Value? { storage.object(forKey: name) as? Value }
  /// Stores a value.
  public func save(_ value: Value) { storage.set(value, forKey: name) }
}

/// The key of a value in a file.
public struct FileStorageKey<Value: Codable & Sendable>: SharedKey, CustomStringConvertible {
  private let url: URL
  private let storage: FileStorage

  fileprivate init(_ url: URL) {
    self.url = url
    storage = DependencyValues._current.defaultFileStorage
  }

  /// The URL and the storage.
  public var id: StorageID { StorageID(name: url.path, storage: ObjectIdentifier(storage)) }
  /// The key as it is written.
  public var description: String { ".fileStorage(\(String(reflecting: url)))" }
  /// Returns the stored value.
  public func load() -> Value? {
    storage.data(url).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
  }
  /// Stores a value.
  public func save(_ value: Value) {
    if let data = try? JSONEncoder().encode(value) { storage.write(data, url) }
  }
}

/// The identity of a key.
public struct StorageID: Hashable, Sendable {
  let name: String
  let storage: ObjectIdentifier
}

extension SharedReaderKey {
  /// Returns the key of a value in memory.
  public static func inMemory<Value>(_ name: String) -> Self where Self == InMemoryKey<Value> {
    Self(name)
  }

  /// Returns the key of a value in user defaults.
  public static func appStorage<Value>(_ name: String) -> Self where Self == AppStorageKey<Value> {
    Self(name)
  }

  /// Returns the key of a value in a file.
  public static func fileStorage<Value>(_ url: URL) -> Self where Self == FileStorageKey<Value> {
    Self(url)
  }
}

/// The storage of values in memory.
public final class InMemoryStorage: DependencyKey, Sendable {
  fileprivate let values = Mutex<[String: StoredValue]>([:])

  /// Creates an empty storage.
  public init() {}

  /// An empty storage.
  public static var liveValue: InMemoryStorage { InMemoryStorage() }
  /// The storage of all tests.
  public static var testValue: InMemoryStorage { DependencyValues.live(InMemoryStorage.self) }
}

/// The storage of values in files.
public final class FileStorage: CachedDependencyKey {
  private let isInMemory: Bool
  private let files = Mutex<[String: Data]>([:])

  private init(isInMemory: Bool) { self.isInMemory = isInMemory }

  /// The files of the system.
  public static let fileSystem = FileStorage(isInMemory: false)
  /// A storage without files.
  public static var inMemory: FileStorage { FileStorage(isInMemory: true) }
  /// The files of the system.
  public static var liveValue: FileStorage { fileSystem }
  /// Files in memory.
  public static var testValue: FileStorage { inMemory }

  fileprivate func data(_ url: URL) -> Data? {
    guard isInMemory else { return try? Data(contentsOf: url) }
    return files.withLock { $0[url.path] }
  }

  fileprivate func write(_ data: Data, _ url: URL) {
    guard isInMemory else { return (try? data.write(to: url)) ?? () }
    files.withLock { $0[url.path] = data }
  }
}

extension UserDefaults {
  /// Separate user defaults.
  public static var inMemory: UserDefaults {
    UserDefaults(suiteName: "stand-in.\(UUID().uuidString)") ?? .standard
  }
}

private struct AppStorage: CachedDependencyKey, @unchecked Sendable {
  let defaults: UserDefaults
  static var liveValue: AppStorage { AppStorage(defaults: .standard) }
  static var testValue: AppStorage { AppStorage(defaults: .inMemory) }
}

extension DependencyValues {
  /// The storage of values in memory.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[InMemoryStorage.self] }
    set { self[InMemoryStorage.self] = newValue }
  }

  /// The storage of values in files.
  public var defaultFileStorage: FileStorage {
    get { self[FileStorage.self] }
    set { self[FileStorage.self] = newValue }
  }

  /// The storage of values in user defaults.
  public var defaultAppStorage: UserDefaults {
    get { self[AppStorage.self].defaults }
    set { self[AppStorage.self] = AppStorage(defaults: newValue) }
  }
}

/// The references of keys that are in use.
final class PersistentReferences: CachedDependencyKey, @unchecked Sendable {
  static var liveValue: PersistentReferences { PersistentReferences() }
  static var testValue: PersistentReferences { PersistentReferences() }

  private struct Weak<Key: SharedKey> { weak var reference: KeyReference<Key>? }

  private var storage: [AnyHashable: Any] = [:]
  private let lock = NSRecursiveLock()

  func reference<Key: SharedKey>(
    of key: Key,
    default value: @autoclosure () -> Key.Value
  ) -> KeyReference<Key> {
    func known() -> KeyReference<Key>? {
      lock.withLock { (storage[key.id] as? Weak<Key>)?.reference }
    }
    if let known = known() { return known }
    let initial = value()
    let reference = KeyReference(key, key.load() ?? initial)
    lock.withLock { storage[key.id] = Weak(reference: reference) }
    return reference
  }
}

/// The reference of a key.
final class KeyReference<Key: SharedKey>: SharedBox<Key.Value>, @unchecked Sendable {
  private let key: Key

  init(_ key: Key, _ value: Key.Value) {
    self.key = key
    super.init(value)
  }

  override var description: String { String(reflecting: key) }
  override func didChange(to value: Key.Value) { key.save(value) }
}
