/// Reads a value from what the log holds of it.
///
/// ```swift
/// let decoder = LogDecoder(["count": 1])
/// let members = try decoder.members()
/// try members.value("count", Int.self)  // 1
/// ```
public struct LogDecoder {
  private let source: Source
  let context: Context
  /// The name of the enum case whose payload this is: a step of the way to what is in it.
  private var caseName: String?

  /// Where the value stands.
  enum Source {
    case tree(JSON)
    /// In a text that is read from front to back, at this place.
    case text(LogText.Place)
  }

  /// A decoder of a whole value.
  public init(_ json: JSON) {
    self.init(json, context: Context())
  }

  init(_ json: JSON, context: Context) {
    self.init(.tree(json), context: context)
  }

  init(_ source: Source, context: Context) {
    self.source = source
    self.context = context
  }

  /// What all decoders of one value share: where they stand, and what did not fit.
  class Context {
    final var path = JSON.Pointer()
    final var drift: [SchemaDrift] = []
    /// The text, when the value is read from one.
    var text: LogText? { nil }

    final func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
      // Who reads a text names no places: what does not fit is read again as a tree.
      guard text == nil else { return try body() }
      path.tokens.append(token)
      defer { path.tokens.removeLast() }
      return try body()
    }
  }
}

extension LogDecoder {
  /// What the log holds.
  public var json: JSON {
    switch source {
    case .tree(let json): json
    case .text(let place): context.text?.json(at: place) ?? .null
    }
  }

  /// The text and the place in it, when the value is read from a text.
  var text: (text: LogText, place: LogText.Place)? {
    guard case .text(let place) = source, let text = context.text else { return nil }
    return (text, place)
  }
}

extension LogDecoder {
  /// Where in the value this decoder stands.
  public var path: JSON.Pointer {
    context.text?.giveUp()
    return caseName.map(context.path.appending) ?? context.path
  }

  /// Does something within a member or element.
  func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
    guard let caseName else { return try context.at(token, body) }
    return try context.at(caseName) { try context.at(token, body) }
  }

  /// What the log and the code have not in common, as far as the value has been read.
  public var drift: [SchemaDrift] {
    context.text?.giveUp()
    return context.drift
  }

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
    if let (text, place) = text {
      try text.beginObject(at: place)
      return Members(decoder: self, text: text, place: place)
    }
    guard let object = json.object else { throw mismatch(type, expected: "an object") }
    return Members(decoder: self, object: object)
  }

  /// The name of the enum case that is written here, and its payload.
  ///
  /// - Throws: `LogDecodingError` when it is no object with one member.
  public func enumCase(of type: Any.Type = Any.self) throws -> (name: String, payload: LogDecoder) {
    if let (text, place) = text {
      let (name, payload) = try text.enumCase(at: place)
      return (name, LogDecoder(.text(payload), context: context))
    }
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
    if let (text, place) = text {
      if let known = type as? any LogValue.Type,
        let elements = try self.elements(of: known, in: text, at: place) as? [Element]
      {
        return elements
      }
      return try text.elements(at: place) {
        try LogDecoder(.text($0), context: context).value(type)
      }
    }
    guard let elements = json.array else { throw mismatch([Element].self, expected: "an array") }
    return try elements.enumerated().map { index, element in
      try context.at(String(index)) {
        try LogDecoder(element, context: context).value(type)
      }
    }
  }

  /// The elements of an array in a text, of a type of which it is known once for all that it describes itself.
  private func elements<Element: LogValue>(
    of type: Element.Type,
    in text: LogText,
    at place: LogText.Place
  ) throws -> [Element] {
    try text.elements(at: place) {
      try LogDecoder(.text($0), context: context).value(type)
    }
  }

  /// The user's name of a member that was written with one `$` more.
  static func unescaped(_ name: String) -> String {
    name.hasPrefix("$$") ? String(name.dropFirst()) : name
  }
}
