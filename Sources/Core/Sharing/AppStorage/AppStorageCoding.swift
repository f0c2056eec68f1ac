import Foundation

/// The form of a type's values in the user's defaults.
struct AppStorageCoding<Value>: Sendable {
  /// The value as a property list, nil for none.
  let write: @Sendable (Value) throws -> Any?
  /// The value of a property list; nil when it is none of these values.
  let read: @Sendable (Any) throws -> Value?
}

extension AppStorageCoding {
  /// A type that property lists have.
  static var plain: Self {
    AppStorageCoding {
      $0
    } read: {
      $0 as? Value
    }
  }

  /// A type with raw values of another type.
  static func raw<Raw>(_ raw: AppStorageCoding<Raw>) -> Self
  where Value: RawRepresentable<Raw> & SendableMetatype {
    AppStorageCoding {
      try raw.write($0.rawValue)
    } read: {
      try raw.read($0).flatMap(Value.init(rawValue:))
    }
  }

  /// A type with a value for nothing.
  static func optional<Wrapped>(_ wrapped: AppStorageCoding<Wrapped>) -> Self
  where Value == Wrapped? {
    AppStorageCoding {
      try $0.flatMap(wrapped.write)
    } read: {
      // A value of another type is none of these, and not nothing.
      try wrapped.read($0).map(Optional.some)
    }
  }
}

extension AppStorageCoding<Int> {
  /// Whole numbers, also those stored as floating-point numbers.
  static let int = AppStorageCoding {
    $0
  } read: { object in
    // Large ones come back as `Int64` on some systems.
    object as? Int ?? (object as? any BinaryInteger).flatMap { Int(exactly: $0) }
      ?? (object as? Double).flatMap { Int(exactly: $0) }
  }
}

extension AppStorageCoding<Double> {
  /// Numbers, also those stored as whole numbers.
  static let double = AppStorageCoding {
    $0
  } read: { object in
    object as? Double ?? (object as? Int).map { Double($0) }
  }
}

extension AppStorageCoding<[String]> {
  /// Lists of strings.
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
  /// URLs as text, for which the defaults themselves have a form that not all systems can read back.
  static let url = AppStorageCoding {
    $0.absoluteString
  } read: { object in
    (object as? String).flatMap { text in
      // A path is how others write the URL of a file.
      text.hasPrefix("/") ? URL(fileURLWithPath: text) : URL(string: text)
    }
  }
}

extension AppStorageCoding where Value: Codable & SendableMetatype {
  /// JSON text as data.
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

/// The defaults of the user hold something else under a name than the type that is asked for.
///
/// ```swift
/// @Shared(.appStorage("count")) var count = 0  // the defaults hold a text under this name
/// ($count.loadError as? AppStorageTypeError)?.expected  // "Int"
/// ```
public struct AppStorageTypeError: Error, CustomStringConvertible {
  /// The name.
  public let key: String
  /// The type of what is there.
  public let found: String
  /// The type that is asked for.
  public let expected: String

  /// The found and the expected type.
  public var description: String {
    """
    The defaults hold a value of type \(found) under "\(key)", which is no \(expected). The default \
    value holds until something is set. Use another name, or remove what is there.
    """
  }
}
