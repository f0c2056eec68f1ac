/// A JSON value in a log, as text or as a parsed value.
///
/// The text was written by an encoder, or was validated when its line was read. It has the encoder's layout: no
/// whitespace and no unnecessary escapes. Therefore, parsing can't fail, and the same text represents equal values.
///
/// ```swift
/// let text = JSONText(logging: ["milk", "eggs"])
/// text.json  // ["milk","eggs"]
/// ```
public struct JSONText: Sendable {
  private enum ValueStorage: Sendable {
    indirect case value(JSON)
    case text(LogBytes, Range<Int>)
    case encoded([UInt8])
  }

  private let form: ValueStorage

  /// Wraps a parsed value.
  public init(_ json: JSON) { form = .value(json) }

  /// Wraps UTF-8 text that an encoder has written.
  package init(encoded text: [UInt8]) { form = .encoded(text) }

  /// Encodes a value of the app in the form that a log contains.
  public init(logging value: some Any) {
    self.init(encoded: LogEncoder(writing: value).releaseBytes())
  }

  /// Refers to a range of a line whose text was validated.
  init(_ bytes: LogBytes, _ range: Range<Int>) { form = .text(bytes, range) }
}

extension JSONText {
  /// Whether the value is parsed, instead of text.
  var isValue: Bool { if case .value = form { true } else { false } }

  /// The parsed value, which is parsed from the text each time if necessary.
  public var json: JSON {
    if case .value(let json) = form { return json }
    return withBytes { (try? JSON(parsing: $0)) ?? .null }
  }

  /// Calls a closure with the value's text.
  @inline(__always)
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch form {
    case .value(let json): try json.bytes.withBytes(body)
    case .text(let bytes, let range): try bytes.withBytes(range, body)
    case .encoded(let text): try text.withBytes(body)
    }
  }

  /// The text if the value is part of a log, or `nil` for other values.
  ///
  /// Valid only while this instance is kept.
  ///
  /// The text is not passed to a closure, because the closure's generic result type would be looked up for each value.
  package var text: UnsafeBufferPointer<UInt8>? {
    if case .text(let bytes, let range) = form { bytes.bytes(range) } else { nil }
  }

  /// The bytes that contain the text, and the text's range.
  var place: (bytes: LogBytes, range: Range<Int>) {
    if case .text(let bytes, let range) = form { return (bytes, range) }
    let bytes = withBytes { LogBytes($0) }
    return (bytes, 0..<bytes.count)
  }

  /// The same value with its own copy of the text, so that the log's bytes can be released.
  package var detached: JSONText {
    guard case .text = form else { return self }
    return JSONText(encoded: withBytes { Array($0) })
  }

  /// Whether both values are text, and the texts are equal.
  package func hasSameText(as other: JSONText) -> Bool {
    switch (form, other.form) {
    case (.value, _), (_, .value): false
    case (.text(let bytes, let range), .text(let others, let otherRange)):
      bytes.hasSame(range, as: others, otherRange)
    default: withBytes { own in other.withBytes { own.hasSameBytes(as: $0) } }
    }
  }
}

extension JSONText: Equatable {
  /// Compares two values, without parsing if their texts are equal.
  public static func == (lhs: JSONText, rhs: JSONText) -> Bool {
    lhs.hasSameText(as: rhs) || lhs.json == rhs.json
  }
}

// MARK: - Reading a value without parsing

extension JSONText {
  /// The number as an `Int`, or `nil` if it is not an integer or doesn't fit.
  package var int: Int? {
    if case .value(let json) = form { return json.int }
    let number = withBytes { text -> Int? in
      var parser = JSON.Parser(bytes: text)
      return parser.wholeNumber().flatMap { parser.position == text.count ? $0 : nil }
    }
    return number ?? json.int
  }

  /// The string with its escapes decoded, or `nil` for other values.
  package var string: String? {
    if case .value(let json) = form { return json.string }
    return withBytes { text in
      var parser = JSON.Parser(bytes: text)
      guard text.first == UInt8(ascii: "\"") else { return nil }
      return try? parser.string()
    }
  }

  /// Whether the value's text equals `text`.
  func hasText(_ text: StaticString) -> Bool {
    if isValue { return false }
    let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return withBytes { $0.hasSameBytes(as: text) }
  }

  package var bool: Bool? { json.bool }

  /// The elements of an array, or `nil` for other values.
  package var elements: [JSONText]? {
    if case .value(let json) = form { return json.array?.map { JSONText($0) } }
    let (bytes, range) = place
    return bytes.withBytes(range) { text in
      guard text.first == UInt8(ascii: "[") else { return nil }
      var elements: [JSONText] = []
      var parser = JSON.Parser(bytes: text)
      parser.position = 1
      while parser.position < text.count - 1 {
        let start = parser.position
        guard parser.skipValue() else { return nil }
        let end = range.lowerBound + parser.position
        elements.append(JSONText(bytes, range.lowerBound + start..<end))
        _ = parser.consume(UInt8(ascii: ","))
      }
      return elements
    }
  }
}

extension [UInt8] {
  /// Calls a closure with the bytes, like `withUnsafeBufferPointer` but with typed errors.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { (bytes) throws(Failure) -> Result in try body(bytes) }
  }
}

extension LogEncoder {
  /// Writes a member whose name is part of the format, and needs no escapes.
  mutating func field(_ name: String, _ value: JSONText) {
    key(unescaped: name)
    value.withBytes { raw($0) }
  }

  /// Writes a member unless its value is `nil`.
  mutating func field(_ name: String, ifPresent value: JSONText?) {
    if let value { field(name, value) }
  }
}
