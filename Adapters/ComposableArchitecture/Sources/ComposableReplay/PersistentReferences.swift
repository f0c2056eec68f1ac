import ActionLog
@_spi(References) import ComposableArchitecture
import ComposableRecorder
import Foundation

/// The references of keys that are in use, by the names of their reads.
///
/// The library keeps them in a dependency that only reflection reveals. If a version of the library keeps them in
/// another way, none are found, and a replay has the default values.
enum PersistentReferences {
  /// Returns the references in the current dependencies whose values can be changed.
  static var current: [String: any MutableReference] {
    guard let key = keyType as? any DependencyKey.Type else { return [:] }
    func value<Key: DependencyKey>(of key: Key.Type) -> Any { DependencyValues._current[key] }
    let object = value(of: key)
    guard let lock = member("lock", of: object) as? NSRecursiveLock else { return [:] }
    // Other threads can add references.
    let storage = lock.withLock { member("storage", of: object) as? [AnyHashable: Any] }
    let references = (storage ?? [:]).values.compactMap { slot in
      member("reference", of: slot) as? any MutableReference
    }
    return references.reduce(into: [:]) { result, reference in
      if let read = SharedKeys.read(of: reference) { result[read] = reference }
    }
  }

  private static let keyType: Any.Type? = {
    guard let module = String(reflecting: Shared<Int>.self).split(separator: ".").first else {
      return nil
    }
    return _typeByName("\(module.utf8.count)\(module)20PersistentReferencesC")
  }()

  private static func member(_ name: String, of value: Any) -> Any? {
    Mirror(reflecting: value).children.first { $0.label == name }?.value
  }
}
