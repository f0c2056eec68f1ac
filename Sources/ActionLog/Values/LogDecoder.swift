/// Reads a value from what the log holds of it.
///
/// ```swift
/// let decoder = LogDecoder(["count": 1])
/// let members = try decoder.members()
/// try members.value("count", Int.self)  // 1
/// ```
public struct LogDecoder {
  /// What the log holds.
  public let json: JSON
  let context: Context
  /// The name of the enum case whose payload this is: a step of the way to what is in it.
  private var caseName: String?

  /// A decoder of a whole value.
  public init(_ json: JSON) {
    self.init(json, context: Context())
  }

  init(_ json: JSON, context: Context) {
    self.json = json
    self.context = context
  }

  /// What all decoders of one value share: where they stand, and what did not fit.
  final class Context {
    var path = JSON.Pointer()
    var drift: [SchemaDrift] = []

    func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
      path.tokens.append(token)
      defer { path.tokens.removeLast() }
      return try body()
    }
  }
}

extension LogDecoder {
  /// Where in the value this decoder stands.
  public var path: JSON.Pointer { caseName.map(context.path.appending) ?? context.path }

  /// Does something within a member or element.
  func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
    guard let caseName else { return try context.at(token, body) }
    return try context.at(caseName) { try context.at(token, body) }
  }

  /// What the log and the code have not in common, as far as the value has been read.
  public var drift: [SchemaDrift] { context.drift }

  /// A decoder of a value that stands for the one at this place.
  package func inside(_ json: JSON) -> LogDecoder { LogDecoder(json, context: context) }

  /// An error that names this place.
  public func error(
    _ problem: LogDecodingError.Problem,
    type: Any.Type
  ) -> LogDecodingError {
    LogDecodingError(path: path, type: LogTypeName.of(type), problem: problem)
  }

  /// An error that says what is written here and what the type needs.
  func mismatch(_ type: Any.Type, expected: String) -> LogDecodingError {
    error(.mismatch(expected: expected, found: json), type: type)
  }

  /// The members of the object that is written here.
  ///
  /// - Throws: `LogDecodingError` when it is no object.
  public func members(of type: Any.Type = Any.self) throws -> Members {
    guard let object = json.object else { throw mismatch(type, expected: "an object") }
    return Members(decoder: self, object: object)
  }

  /// The name of the enum case that is written here, and its payload.
  ///
  /// - Throws: `LogDecodingError` when it is no object with one member.
  public func enumCase(of type: Any.Type = Any.self) throws -> (name: String, payload: LogDecoder) {
    guard let object = json.object, object.count == 1, let name = object.keys.first,
      let payload = object.values.first
    else { throw mismatch(type, expected: "an object with one member, the name of a case") }
    var inner = LogDecoder(payload, context: context)
    inner.caseName = name
    return (Self.unescaped(name), inner)
  }

  /// The elements of the array that is written here.
  ///
  /// - Throws: `LogDecodingError` when it is no array.
  public func elements<Element>(of type: Element.Type) throws -> [Element] {
    guard let elements = json.array else { throw mismatch([Element].self, expected: "an array") }
    guard let known = type as? any LogValue.Type else {
      return try self.elements(elements) { try $0.value(type) }
    }
    return try self.elements(elements, known)
  }

  private func elements<Known: LogValue, Element>(
    _ elements: [JSON],
    _ type: Known.Type
  ) throws -> [Element] {
    renamed(try self.elements(elements) { try $0.value(type) } as [Known])
  }

  private func elements<Element>(
    _ elements: [JSON],
    _ read: (LogDecoder) throws -> Element
  ) throws -> [Element] {
    var values: [Element] = []
    values.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      values.append(try at(String(index)) { try read(LogDecoder(element, context: context)) })
    }
    return values
  }

  /// The user's name of a member that was written with one `$` more.
  static func unescaped(_ name: String) -> String {
    name.hasPrefix("$$") ? String(name.dropFirst()) : name
  }
}
