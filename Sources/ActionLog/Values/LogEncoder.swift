/// An encoder that writes values as JSON text.
///
/// ```swift
/// var encoder = LogEncoder()
/// encoder.beginObject()
/// encoder.member("count", 1)
/// encoder.endObject()
/// String(decoding: encoder.bytes, as: UTF8.self)  // {"count":1}
/// ```
///
/// The encoder inserts commas. The caller must write values in valid positions, and close objects and arrays.
public struct LogEncoder: Sendable {
  /// The text that was written so far, in UTF-8.
  public package(set) var bytes: [UInt8] = []
  private var needsComma = false
  /// The nesting depth of the value that is being written, counted in calls of `value(_:)`.
  var depth = 0
  /// The maximum length of the text in bytes.
  ///
  /// Containers stop encoding when the text exceeds this length, because the caller discards longer text.
  var limit = Int.max
  /// The tree of the last `Codable` value, reused for the next one.
  ///
  /// Copies of an encoder share this tree. It is used only if `isKnownUniquelyReferenced` shows that no copy in any
  /// thread refers to it.
  nonisolated(unsafe) var spare: CodableEncoder.EncodingState?
  /// The markings that the encoder writes for a masker, or `nil` for a log without masks.
  ///
  /// The reference is unowned, because the markings outlive the encoder.
  nonisolated(unsafe) private var markings: Unmanaged<MaskerMarkings>?

  /// Creates an encoder without output.
  public init() {}

  /// Creates an encoder that appends to a buffer, which contains only complete values or lines.
  package init(appendingTo bytes: consuming [UInt8]) { self.bytes = bytes }

  /// Creates an encoder, and writes a value.
  package init(writing value: some Any) { self.value(value) }

  /// Creates an encoder, and writes a value with marks for a masker.
  package init(writing value: some Any, marking markings: MaskerMarkings?) {
    self.markings = markings.map { .passUnretained($0) }
    self.value(value)
  }

  /// The markings to write for a masker, or `nil` to write text that a log can contain.
  var marks: MaskerMarkings? {
    get { markings?.takeUnretainedValue() }
    set { markings = newValue.map { .passUnretained($0) } }
  }

  /// Whether the encoder writes marks into the text.
  var isMarking: Bool { markings != nil }

  /// Returns the JSON text of a value at a nesting depth.
  static func text(
    at depth: Int,
    marking marks: MaskerMarkings? = nil,
    _ write: (inout LogEncoder) -> Void
  ) -> [UInt8] {
    var encoder = LogEncoder()
    encoder.depth = depth
    encoder.marks = marks
    write(&encoder)
    return encoder.bytes
  }

  /// Whether the text exceeds its maximum length.
  var isTooLong: Bool { bytes.count > limit }

  package var count: Int { bytes.count }

  /// Consumes the encoder and returns its text in UTF-8.
  package consuming func releaseBytes() -> [UInt8] { bytes }

  /// The maximum nesting of values.
  ///
  /// Deeper values are written as opaque, because the nesting could be infinite.
  ///
  /// Each level of a `Codable` type takes several kilobytes of stack, and some threads have only 512 KB.
  static let deepestNesting = 128

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Writes `null`.
  ///
  /// ```swift
  /// func encode(to encoder: inout LogEncoder) {
  ///   if let degrees { encoder.value(degrees) } else { encoder.encodeNull() }
  /// }
  /// ```
  public mutating func encodeNull() { raw("null") }

  /// Writes `true` or `false`.
  public mutating func encode(_ value: Bool) { raw(value ? "true" : "false") }

  /// Writes an integer with all its digits.
  public mutating func encode(_ value: some BinaryInteger) { raw(String(value)) }

  /// Writes an integer with all its digits.
  public mutating func encode(_ value: Int) {
    beginValue()
    bytes.append(decimal: value)
  }

  /// Writes the shortest decimal that parses to the same value.
  ///
  /// Values that are not finite are tagged: `{"$double":"nan"}`, `{"$double":"inf"}`, or `{"$double":"-inf"}`.
  public mutating func encode(_ value: Double) { encode(floatingPoint: value) }

  /// Writes the shortest decimal that parses to the same `Float`.
  ///
  /// Values that are not finite are tagged like those of `Double`.
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

  /// Writes a string in quotes, with escapes where JSON requires them.
  public mutating func encode(_ value: String) {
    beginValue()
    append(quoted: value)
  }

  /// Writes JSON text, which must be a single valid value.
  package mutating func raw(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes JSON text in UTF-8, which must be a single valid value.
  package mutating func raw(_ text: some Collection<UInt8>) {
    beginValue()
    bytes.append(contentsOf: text)
  }

  /// Writes a value with a closure that appends the value's JSON text.
  mutating func raw(_ write: (inout [UInt8]) -> Void) {
    beginValue()
    write(&bytes)
  }

  /// Writes text without a comma before it.
  ///
  /// - Parameters:
  ///   - text: The text to write.
  ///   - needsComma: Whether the text ends with a value, so that a following value needs a comma.
  mutating func verbatim(_ text: StaticString, needsComma: Bool = false) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
    self.needsComma = needsComma
  }

  /// Writes the text that starts a value, with a comma before it if needed.
  mutating func beginText(_ text: StaticString) {
    beginValue()
    verbatim(text)
  }

  /// Opens an object.
  ///
  /// For each member, write its name with `key` and its value. Close the object with `endObject`.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the object that was opened last.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array.
  ///
  /// Write the elements, and close the array with `endArray`.
  ///
  /// ```swift
  /// encoder.beginArray()
  /// for tag in ["home", "urgent"] { encoder.encode(tag) }
  /// encoder.endArray()  // ["home","urgent"]
  /// ```
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the array that was opened last.
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

  /// Writes the name of a member that belongs to the app.
  ///
  /// A name that starts with `$` gets a second one, because the format reserves names with a single `$`.
  public mutating func key(_ name: String) {
    key(unescaped: name.utf8.first == UInt8(ascii: "$") ? "$" + name : name)
  }

  /// Writes the name of a member without adding a dollar sign.
  ///
  /// The name belongs to the format, or already has the second dollar sign.
  package mutating func key(unescaped name: String) {
    beginValue()
    append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes the encoded name of a member, which includes quotes and the colon.
  mutating func key(written name: some Collection<UInt8>) {
    raw(name)
    needsComma = false
  }

  /// Encloses the value between an offset and the end in `{"name":` and `}`.
  mutating func wrap(from offset: Int, in name: StaticString) {
    let opening = "{\"\(name)\":"
    bytes.insert(contentsOf: opening.utf8, at: offset)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes the comma that the next value needs, and returns the offset at which the value starts.
  mutating func startOfNextValue() -> Int {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    return bytes.count
  }

  /// Checks whether the output that starts at an offset is exactly one value.
  ///
  /// If not, replaces the output, so that the line stays valid JSON.
  mutating func checkValue(from offset: Int) {
    needsComma = true
    do throws(JSON.ParseError) { _ = try JSON(parsing: bytes[offset...]) } catch {
      truncate(to: offset)
      JSON.noValue(because: error).encode(to: &self)
    }
  }

  /// Removes the output that starts at an offset, so that another value can be written there.
  ///
  /// - Parameter offset: An offset that `startOfNextValue` returned.
  mutating func truncate(to offset: Int) {
    bytes.removeLast(bytes.count - offset)
    needsComma = false
  }
}

extension LogEncoder {
  /// A position in the text between two values.
  struct EncoderPosition {
    let count: Int
    /// Whether a value at this position starts with a comma.
    let needsComma: Bool
  }

  /// The position at which the next value and its comma are written.
  var mark: EncoderPosition { EncoderPosition(count: bytes.count, needsComma: needsComma) }

  /// Removes the output that follows a mark.
  mutating func rewind(to mark: EncoderPosition) {
    bytes.removeLast(bytes.count - mark.count)
    needsComma = mark.needsComma
  }

  /// Removes the values between two marks.
  mutating func remove(from start: EncoderPosition, to end: EncoderPosition) {
    bytes.removeSubrange(start.count..<end.count)
    // Without a preceding value, the comma of the next value is invalid.
    if !start.needsComma { bytes.remove(at: start.count) }
  }
}

extension LogEncoder {
  /// Writes a string in quotes.
  ///
  /// Escapes only quotes, backslashes, and control characters.
  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { append(escaping: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes UTF-8 bytes into an open string, with escapes where JSON requires them.
  mutating func append(escaping text: [UInt8]) {
    text.withUnsafeBufferPointer { append(escaping: $0) }
  }

  private mutating func append(escaping utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while true {
      let (end, _) = utf8.plainBytes(from: start)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
      guard end < utf8.count else { return }
      append(escapeFor: utf8[end])
      start = end + 1
    }
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

extension [UInt8] {
  /// Appends the decimal digits of an integer.
  package mutating func append(decimal value: Int) {
    // The smallest integer has 19 digits and a sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = value.magnitude
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      if value < 0 {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "-"))
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
