/// Writes values as JSON text, byte by byte.
///
/// ```swift
/// var encoder = LogEncoder()
/// encoder.beginObject()
/// encoder.member("count", 1)
/// encoder.endObject()
/// String(decoding: encoder.bytes, as: UTF8.self)  // {"count":1}
/// ```
///
/// The encoder sets commas by itself. It trusts its caller to write values where values belong and to close what it
/// opened.
public struct LogEncoder: Sendable {
  /// The text so far, in UTF-8.
  public package(set) var bytes: [UInt8] = []
  private var needsComma = false
  /// How many values stand around the one that is being written.
  var depth = 0

  /// An encoder that has written nothing.
  public init() {}

  /// How deeply values may contain each other; what lies deeper is written as opaque, for it may never end.
  ///
  /// A level of a `Codable` type costs some kilobytes of stack, and threads may have no more than 512 of them.
  static let deepestNesting = 128

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Writes `null`.
  public mutating func encodeNull() { raw("null") }

  /// Writes a truth value.
  public mutating func encode(_ value: Bool) { raw(value ? "true" : "false") }

  /// Writes an integer with all its digits.
  public mutating func encode(_ value: some BinaryInteger) { raw(String(value)) }

  /// Writes the shortest decimal that reads back as the same value; what is not finite is tagged:
  /// `{"$double":"nan"}`, `"inf"` or `"-inf"`.
  public mutating func encode(_ value: Double) { encode(floatingPoint: value) }

  /// Writes the shortest decimal that reads back as the same `Float`; what is not finite is tagged as for `Double`.
  public mutating func encode(_ value: Float) { encode(floatingPoint: value) }

  private mutating func encode(
    floatingPoint value: some BinaryFloatingPoint & CustomStringConvertible
  ) {
    guard !value.isFinite else { return raw(value.description) }
    beginObject()
    key(unescaped: "$double")
    encode(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
    endObject()
  }

  /// Writes a string.
  public mutating func encode(_ value: String) {
    beginValue()
    append(quoted: value)
  }

  /// Writes text that is a JSON value already.
  package mutating func raw(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes bytes that are a JSON value already.
  package mutating func raw(_ text: some Collection<UInt8>) {
    beginValue()
    bytes.append(contentsOf: text)
  }

  /// Opens an object; `key` and a value follow for each member, then `endObject`.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes an object.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array; its elements follow, then `endArray`.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes an array.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  private mutating func open(_ byte: UInt8) {
    beginValue()
    bytes.append(byte)
    needsComma = false
  }

  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    needsComma = true
  }

  /// Writes the name of a member as the user chose it; one that starts with `$` gets a second `$`, for names with one
  /// are the log's own.
  public mutating func key(_ name: String) {
    key(unescaped: name.utf8.first == UInt8(ascii: "$") ? "$" + name : name)
  }

  /// Writes the name of a member of the format itself.
  package mutating func key(unescaped name: String) {
    beginValue()
    append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Puts `{"name":` and `}` around the value that begins at an offset and ends here.
  mutating func wrap(from offset: Int, in name: StaticString) {
    let opening = "{\"\(name)\":"
    bytes.insert(contentsOf: opening.utf8, at: offset)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Where the next value will begin, with the comma that it needs already set.
  mutating func startOfNextValue() -> Int {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    return bytes.count
  }

  /// Forgets what was written behind a mark that `startOfNextValue` gave, so that something else stands there.
  mutating func truncate(to offset: Int) {
    bytes.removeLast(bytes.count - offset)
    needsComma = false
  }
}

extension LogEncoder {
  /// Writes a string with its quotes; escaped are only quotes, backslashes and control characters.
  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in 0..<utf8.count {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: utf8[start..<index])
        start = index + 1
        append(escapeFor: byte)
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(escapeFor byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      let hex = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(hex[Int(byte >> 4)])
      bytes.append(hex[Int(byte & 15)])
    }
  }
}
