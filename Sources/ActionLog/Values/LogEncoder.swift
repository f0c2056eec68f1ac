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
  /// How long the text may get: containers stop in the middle of a text that is longer, which is of no use then.
  var limit = Int.max
  /// The tree in which the last `Codable` value was written, for the next one.
  // Copies of an encoder share it. It is used only where `isKnownUniquelyReferenced` says that no copy, on whichever thread,
  // has it too.
  nonisolated(unsafe) var spare: CodableEncoder.EncodingState?
  /// What a recorder with masks wants marked in the text; unowned, for it outlives what is written with it.
  nonisolated(unsafe) private var markings: Unmanaged<LogMarkings>?

  /// An encoder that has written nothing.
  public init() {}

  /// An encoder that writes behind whole values that stand in a buffer already, as lines or not at all.
  package init(appendingTo bytes: consuming [UInt8]) { self.bytes = bytes }

  /// An encoder that has written a value.
  package init(writing value: some Any) { self.value(value) }

  /// An encoder that has written a value with marks, for a masker.
  package init(writing value: some Any, marking markings: LogMarkings?) {
    self.markings = markings.map { .passUnretained($0) }
    self.value(value)
  }

  /// What is marked in the text; `nil` where it is written as it stands in a log.
  var marks: LogMarkings? {
    get { markings?.takeUnretainedValue() }
    set { markings = newValue.map { .passUnretained($0) } }
  }

  /// Whether something is marked in the text.
  var isMarking: Bool { markings != nil }

  /// The text of a value that stands within so many others.
  static func text(
    at depth: Int,
    marking marks: LogMarkings? = nil,
    _ write: (inout LogEncoder) -> Void
  ) -> [UInt8] {
    var encoder = LogEncoder()
    encoder.depth = depth
    encoder.marks = marks
    write(&encoder)
    return encoder.bytes
  }

  /// Whether the text is longer than it may get.
  var isTooLong: Bool { bytes.count > limit }

  /// How many bytes were written.
  package var count: Int { bytes.count }

  /// What was written, for good.
  package consuming func releaseBytes() -> [UInt8] { bytes }

  /// How deeply values may contain each other; what lies deeper is written as opaque, for it may never end.
  ///
  /// A level of a `Codable` type costs some kilobytes of stack, and threads may have no more than 512 of them.
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

  /// Writes a truth value.
  public mutating func encode(_ value: Bool) { raw(value ? "true" : "false") }

  /// Writes an integer with all its digits.
  public mutating func encode(_ value: some BinaryInteger) { raw(String(value)) }

  /// Writes an integer with all its digits.
  public mutating func encode(_ value: Int) {
    beginValue()
    bytes.append(decimal: value)
  }

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

  /// Writes a value byte by byte.
  mutating func raw(_ write: (inout [UInt8]) -> Void) {
    beginValue()
    write(&bytes)
  }

  /// Writes text as it is, without a comma; values that follow need one if it ends with a value.
  mutating func verbatim(_ text: StaticString, needsComma: Bool = false) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
    self.needsComma = needsComma
  }

  /// Writes text that begins a value, behind a comma if there must be one.
  mutating func beginText(_ text: StaticString) {
    beginValue()
    verbatim(text)
  }

  /// Opens an object; `key` and a value follow for each member, then `endObject`.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes an object.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array; its elements follow, then `endArray`.
  ///
  /// ```swift
  /// encoder.beginArray()
  /// for tag in ["home", "urgent"] { encoder.encode(tag) }
  /// encoder.endArray()  // ["home","urgent"]
  /// ```
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

  /// Writes the name of a member that was written before, with quotes and colon.
  mutating func key(written name: some Collection<UInt8>) {
    raw(name)
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

  /// Sees to it that what was written behind an offset is one value, for the line would be no JSON otherwise.
  mutating func checkValue(from offset: Int) {
    needsComma = true
    do throws(JSON.ParseError) { _ = try JSON(parsing: bytes[offset...]) } catch {
      truncate(to: offset)
      JSON.noValue(because: error).encode(to: &self)
    }
  }

  /// Forgets what was written behind a mark that `startOfNextValue` gave, so that something else stands there.
  mutating func truncate(to offset: Int) {
    bytes.removeLast(bytes.count - offset)
    needsComma = false
  }
}

extension LogEncoder {
  /// A place in the text between two values.
  struct EncoderPosition {
    let count: Int
    /// Whether what stands there begins with a comma.
    let needsComma: Bool
  }

  /// Where the next value will stand, with its comma.
  var mark: EncoderPosition { EncoderPosition(count: bytes.count, needsComma: needsComma) }

  /// Forgets what was written behind a mark.
  mutating func rewind(to mark: EncoderPosition) {
    bytes.removeLast(bytes.count - mark.count)
    needsComma = mark.needsComma
  }

  /// Forgets whole values between two marks.
  mutating func remove(from start: EncoderPosition, to end: EncoderPosition) {
    bytes.removeSubrange(start.count..<end.count)
    // What followed began with a comma, which is one too many at the front.
    if !start.needsComma { bytes.remove(at: start.count) }
  }
}

extension LogEncoder {
  /// Writes a string with its quotes; escaped are only quotes, backslashes and control characters.
  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { append(escaping: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes UTF-8 bytes into a string that is open.
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
    // The longest is that of the smallest integer.
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
