import Foundation

/// Converts values of a type to and from property lists, for `UserDefaults`.
struct AppStorageCoding<Value>: Sendable {
  /// Returns a value as a property list, or `nil` to remove it.
  let write: @Sendable (Value) throws -> Any?
  /// Returns the value of a property list, or `nil` if the property list has another type.
  let read: @Sendable (Any) throws -> Value?
}

extension AppStorageCoding {
  /// The coding of a type that property lists support directly.
  static var plain: Self {
    AppStorageCoding {
      $0
    } read: {
      $0 as? Value
    }
  }

  /// Returns the coding of a type that is stored as its raw value.
  static func raw<Raw>(_ raw: AppStorageCoding<Raw>) -> Self
  where Value: RawRepresentable<Raw> & SendableMetatype {
    AppStorageCoding {
      try raw.write($0.rawValue)
    } read: {
      try raw.read($0).flatMap(Value.init(rawValue:))
    }
  }

  /// Returns the coding of an optional type.
  ///
  /// `nil` removes the stored value.
  static func optional<Wrapped>(_ wrapped: AppStorageCoding<Wrapped>) -> Self
  where Value == Wrapped? {
    AppStorageCoding {
      try $0.flatMap(wrapped.write)
    } read: {
      // A stored value of another type is an error, not an absent value.
      try wrapped.read($0).map(Optional.some)
    }
  }
}

extension AppStorageCoding<Int> {
  /// The coding of integers.
  ///
  /// Also reads floating-point numbers with integral values.
  static let int = AppStorageCoding {
    $0
  } read: { object in
    // Some systems return large integers as `Int64`.
    object as? Int ?? (object as? any BinaryInteger).flatMap { Int(exactly: $0) }
      ?? (object as? Double).flatMap { Int(exactly: $0) }
  }
}

extension AppStorageCoding<Double> {
  /// The coding of floating-point numbers.
  ///
  /// Also reads integers.
  static let double = AppStorageCoding {
    $0
  } read: { object in
    object as? Double ?? (object as? Int).map { Double($0) }
  }
}

extension AppStorageCoding<[String]> {
  /// The coding of string arrays.
  static let strings = AppStorageCoding {
    $0
  } read: {
    readStrings($0)
  }

  static func readStrings(_ object: Any) -> [String]? {
    guard let elements = object as? [Any] else { return nil }
    let strings = elements.compactMap { $0 as? String }
    return strings.count == elements.count ? strings : nil
  }
}

extension AppStorageCoding<URL> {
  /// The coding of URLs as text.
  ///
  /// Not all systems can read back the format that `UserDefaults` uses for URLs.
  static let url = AppStorageCoding {
    $0.absoluteString
  } read: { object in
    (object as? String).flatMap { text in
      // Other programs store the URL of a file as a path.
      text.hasPrefix("/") ? URL(fileURLWithPath: text) : URL(string: text)
    }
  }
}

extension AppStorageCoding where Value: Codable & SendableMetatype {
  /// The coding of `Codable` values as JSON data.
  static var json: Self {
    AppStorageCoding {
      try JSONEncoder().encode($0)
    } read: { object in
      guard let data = object as? Data ?? (object as? String).map({ Data($0.utf8) }) else {
        return nil
      }
      return try JSONDecoder().decode(Value.self, from: data)
    }
  }
}

/// An error that indicates that `UserDefaults` stores a value of another type under a name.
///
/// ```swift
/// @Shared(.appStorage("count")) var count = 0  // the defaults hold a text under this name
/// ($count.loadError as? AppStorageTypeError)?.expected  // "Int"
/// ```
public struct AppStorageTypeError: Error, CustomStringConvertible {
  /// The name of the stored value.
  public let key: String
  /// The type of the stored value.
  public let found: String
  /// The requested type.
  public let expected: String

  /// A message with the name, the found type and the expected type.
  public var description: String {
    """
    The defaults hold a value of type \(found) under "\(key)", which is no \(expected). The default \
    value holds until something is set. Use another name, or remove what is there.
    """
  }
}
