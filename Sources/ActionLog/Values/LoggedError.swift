public import Foundation

/// A recorded error, represented by the name of its type and its descriptions.
///
/// A replay uses this type for an error whose own type can't be decoded.
///
/// ```swift
/// // Recorded as {"$error":{"type":"Offline","description":"Offline()","localizedDescription":"No connection"}}.
/// if let error = error as? LoggedError { print(error.type, error.localizedDescription) }  // Offline No connection
/// ```
public struct LoggedError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The name of the recorded error's type, without its module.
  public let type: String
  /// The description of the recorded error, as `String(describing:)` returned it.
  public let description: String
  /// The recorded `localizedDescription`, or `nil` if the log has none.
  ///
  /// A log has it for errors of the type `NSError`, and for those that conform to `LocalizedError`.
  public let errorDescription: String?

  /// Creates an error from the name of its type and its descriptions.
  public init(type: String, description: String, errorDescription: String? = nil) {
    self.type = type
    self.description = description
    self.errorDescription = errorDescription
  }
}

extension LogEncoder {
  /// Writes the type and description of an error.
  ///
  /// If the error can be logged as a value, also writes the symbol of its type and the value, so that the error can be
  /// decoded.
  mutating func error(_ error: any Error) {
    beginObject()
    key(unescaped: "$error")
    beginObject()
    if let error = error as? LoggedError {
      member("type", error.type)
      member("description", error.description)
      if let text = error.errorDescription { member("localizedDescription", text) }
    } else {
      member("type", LogTypeName.of(Swift.type(of: error)))
      member("description", String(describing: error))
      if !members(of: error), error is any LocalizedError || Swift.type(of: error) is NSError.Type {
        member("localizedDescription", error.localizedDescription)
      }
    }
    endObject()
    endObject()
  }

  /// Writes an error as a value of its type.
  ///
  /// - Returns: Whether the error can be decoded from the value.
  private mutating func members(of error: some Error) -> Bool {
    guard LogTypeName.readsBack(Swift.type(of: error)),
      let symbol = LogTypeName.symbol(of: Swift.type(of: error))
    else { return false }
    let start = mark
    member("symbol", symbol)
    key("value")
    let offset = count
    value(error)
    // An opaque value can't be decoded, so the error has no value in the log.
    guard bytes[offset...].starts(with: #"{"$opaque""#.utf8) else { return true }
    rewind(to: start)
    return false
  }
}

extension LogDecoder {
  /// Decodes a logged error with its original type, or as a `LoggedError` if the code has no such type.
  ///
  /// - Returns: The error, or `nil` if the value is not a logged error.
  /// - Throws: A `LogDecodingError` if the code has the error's type but can't decode the value.
  func loggedError() throws -> (any Error)? {
    guard let error = json["$error"] else { return nil }
    guard let type = error["type"]?.string, let description = error["description"]?.string else {
      throw mismatch(LoggedError.self, expected: "an object with 'type' and 'description'")
    }
    if let error = try errorOfItsType(error, type) { return error }
    return LoggedError(
      type: type,
      description: description,
      errorDescription: error["localizedDescription"]?.string
    )
  }

  /// Decodes an error as a value of its original type, or returns `nil` if the code has no such type.
  ///
  /// A type with the same name in another module is used if it can decode the value.
  private func errorOfItsType(_ error: JSON, _ name: String) throws -> (any Error)? {
    guard let value = error["value"], let symbol = error["symbol"]?.string else { return nil }
    let decoder = LogDecoder(value, context: context)
    if let type = LogTypeName.type(for: symbol) {
      return try (LogTypeName.readableError(type)).map { try decoder.error($0) }
    }
    // A new decoder prevents a failed attempt from recording drift.
    return LoggedTypeLookup.errorType(named: name).flatMap { try? LogDecoder(value).error($0) }
  }

  private func error<Known: Error>(_ type: Known.Type) throws -> any Error { try value(type) }

  /// Whether a logged error is decoded as a `LoggedError`, although the log contains its value.
  static func losesType(ofError error: JSON) -> Bool {
    guard error["value"] != nil, let name = error["type"]?.string else { return false }
    // If the type's decoding fails, the error is not decoded at all, which is reported separately.
    do { return try LogDecoder(error).errorOfItsType(error, name) == nil } catch { return false }
  }
}

extension LogTypeName {
  /// Returns a type as an error type, or `nil` if it is not an error type or its values can't be decoded.
  static func readableError(_ type: Any.Type) -> (any Error.Type)? {
    readsBack(type) ? type as? any Error.Type : nil
  }
}
