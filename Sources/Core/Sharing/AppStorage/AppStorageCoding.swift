import Foundation

/// A pair of functions that convert values of a type to and from property lists, for `UserDefaults`.
struct AppStorageCoding<Value>: Sendable {
  /// A function that returns a value as a property list, or `nil` to remove the stored value.
  let write: @Sendable (Value) throws -> Any?
  /// A function that returns the value of a property list, or `nil` if the property list has another type.
  let read: @Sendable (Any) throws -> Value?
}

extension AppStorageCoding {
  /// The coding of a type whose values are property lists themselves.
  static var plain: Self {
    AppStorageCoding {
      $0
    } read: {
      $0 as? Value
    }
  }

  /// Returns the coding of a type whose values are stored as their raw values.
  static func raw<Raw>(_ raw: AppStorageCoding<Raw>) -> Self
  where Value: RawRepresentable<Raw> & SendableMetatype {
    AppStorageCoding {
      try raw.write($0.rawValue)
    } read: {
      try raw.read($0).flatMap(Value.init(rawValue:))
    }
  }

  /// Returns the coding of an optional type, which removes the stored value to store `nil`.
  static func optional<Wrapped>(_ wrapped: AppStorageCoding<Wrapped>) -> Self
  where Value == Wrapped? {
    AppStorageCoding {
      try $0.flatMap(wrapped.write)
    } read: {
      // A stored value of another type must remain an error, and not become an absent value.
      try wrapped.read($0).map(Optional.some)
    }
  }
}

extension AppStorageCoding<Int> {
  /// The coding of integers, which also reads floating-point numbers with integral values.
  static let int = AppStorageCoding {
    $0
  } read: { object in
    // Converts from other integer types, because some systems return large integers as `Int64`.
    object as? Int ?? (object as? any BinaryInteger).flatMap { Int(exactly: $0) }
      ?? (object as? Double).flatMap { Int(exactly: $0) }
  }
}

extension AppStorageCoding<Double> {
  /// The coding of floating-point numbers, which also reads integers.
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
  /// The coding of URLs as strings.
  ///
  /// Some systems can't read back the format in which `UserDefaults` stores URLs.
  static let url = AppStorageCoding {
    $0.absoluteString
  } read: { object in
    (object as? String).flatMap { text in
      // Also accepts a path, because other programs may store the URL of a file that way.
      text.hasPrefix("/") ? URL(fileURLWithPath: text) : URL(string: text)
    }
  }
}

extension AppStorageCoding where Value: Codable & SendableMetatype {
  /// The coding of `Codable` values as JSON in a `Data` object, which also reads JSON from strings.
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

/// An error that is reported if `UserDefaults` contains a value of a type other than the requested one.
///
/// ```swift
/// @Shared(.appStorage("count")) var count = 0  // the defaults contain a string with this name
/// ($count.loadError as? AppStorageTypeError)?.expected  // "Int"
/// ```
public struct AppStorageTypeError: Error, CustomStringConvertible {
  /// The name of the stored value in `UserDefaults`.
  public let key: String
  /// The name of the stored value's type.
  public let found: String
  /// The name of the type that the key requested.
  public let expected: String

  /// A message with the name of the value, the type that was found, and the type that was expected.
  public var description: String {
    """
    The defaults hold a value of type \(found) under "\(key)", which is no \(expected). The default \
    value holds until something is set. Use another name, or remove what is there.
    """
  }
}
