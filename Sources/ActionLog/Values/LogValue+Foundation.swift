public import Foundation

extension UUID: _$PlainLogValue {
  /// Writes the UUID in its canonical form, with uppercase letters.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }
  /// Decodes the canonical form of a UUID.
  public static func decode(from decoder: LogDecoder, over template: UUID?) throws -> UUID {
    guard let text = decoder.json.string, let value = UUID(logged: text) else {
      throw decoder.mismatch(UUID.self, expected: "a UUID such as \(UUID().uuidString)")
    }
    return value
  }

  /// Decodes the canonical form of a UUID.
  public static func _$read(from text: inout LogText) throws -> UUID {
    guard let value = UUID(logged: try text.string()) else { throw LogText.UnexpectedFormat() }
    return value
  }

  /// Replaces the value if it has changed.
  public static func difference(from old: UUID, to new: UUID, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }
}

extension URL: _$PlainLogValue {
  /// Writes the URL as a string.
  ///
  /// For a relative URL with a base, writes both parts: `{"relative":"a","base":"https://b.example"}`.
  public func encode(to encoder: inout LogEncoder) {
    guard let baseURL else { return encoder.encode(relativeString) }
    encoder.beginObject()
    encoder.member("relative", relativeString)
    encoder.member("base", baseURL)
    encoder.endObject()
  }

  /// Decodes a URL from a string, or from its relative part and its base.
  public static func decode(from decoder: LogDecoder, over template: URL?) throws -> URL {
    if let text = decoder.json.string, let url = URL(string: text) { return url }
    guard decoder.json.object != nil else { throw decoder.mismatch(URL.self, expected: "a URL") }
    let members = try decoder.members(of: URL.self)
    let base: URL = try members.value("base")
    guard let url = URL(string: try members.value("relative"), relativeTo: base) else {
      throw decoder.mismatch(URL.self, expected: "a URL")
    }
    return url
  }
}

extension Data: _$PlainLogValue {
  /// Writes the bytes in Base64 (RFC 4648, section 4).
  public func encode(to encoder: inout LogEncoder) { encoder.encode(base64EncodedString()) }
  /// Decodes bytes from Base64 (RFC 4648, section 4).
  public static func decode(from decoder: LogDecoder, over template: Data?) throws -> Data {
    guard let text = decoder.json.string, let value = Data(base64Encoded: text) else {
      throw decoder.mismatch(Data.self, expected: "Base64 text")
    }
    return value
  }
}

extension Decimal: _$PlainLogValue {
  /// Writes a JSON number with all digits.
  ///
  /// A value that is not a number is tagged: `{"$decimal":"nan"}`.
  public func encode(to encoder: inout LogEncoder) {
    guard isNaN else { return encoder.encode(self) }
    encoder.beginObject()
    encoder.key(unescaped: "$decimal")
    encoder.encode("nan")
    encoder.endObject()
  }

  /// Replaces the value if it has changed.
  public static func difference(
    from old: Decimal,
    to new: Decimal,
    into patch: inout PatchBuilder
  ) {
    guard !hasSameBits(old, new) else { return }
    // Equal decimals can have different bits.
    if old == new || old.isNaN { return patch.compareWritten(old, new) }
    patch.replace(with: new)
  }

  /// Decodes a JSON number of at most 38 digits, or a tagged value.
  public static func decode(from decoder: LogDecoder, over template: Decimal?) throws -> Decimal {
    if decoder.json["$decimal"]?.string == "nan" { return .nan }
    guard let number = decoder.json.number,
      let value = Decimal(shortLiteral: number.literal) ?? Decimal(exactly: number)
    else { throw decoder.mismatch(Decimal.self, expected: "a number that Decimal can hold") }
    return value
  }
}

extension CGFloat: _$PlainLogValue {
  /// Writes the number as a `Double`.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(Double(self)) }
  /// Decodes the number as a `Double`.
  public static func decode(from decoder: LogDecoder, over template: CGFloat?) throws -> CGFloat {
    try CGFloat(Double.decode(from: decoder, over: nil))
  }

  /// Decodes the number as a `Double`.
  public static func _$read(from text: inout LogText) throws -> CGFloat {
    try CGFloat(Double._$read(from: &text))
  }
}

extension Duration: _$PlainLogValue {
  /// Writes the seconds as an exact decimal with up to 18 fractional digits.
  public func encode(to encoder: inout LogEncoder) {
    let (seconds, attoseconds) = components
    let fraction = String(attoseconds.magnitude)
    let padded = String(repeating: "0", count: 18 - fraction.count) + fraction
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    var text = "\(sign)\(seconds.magnitude)"
    if attoseconds != 0 {
      text += "." + padded
      while text.hasSuffix("0") { text.removeLast() }
    }
    encoder.raw(text)
  }

  /// Decodes the seconds from an exact decimal.
  public static func decode(from decoder: LogDecoder, over template: Duration?) throws -> Duration {
    let parts =
      decoder.json.number?.literal.split(separator: ".", omittingEmptySubsequences: false) ?? []
    let fraction = parts.count == 2 ? parts[1] : ""
    let padding = String(repeating: "0", count: max(0, 18 - fraction.count))
    guard parts.count == 1 || parts.count == 2, let seconds = Int64(parts[0]),
      fraction.count <= 18, let attoseconds = Int64(fraction + padding)
    else {
      throw decoder.mismatch(Duration.self, expected: "seconds with at most 18 fractional digits")
    }
    let isNegative = parts[0].hasPrefix("-")
    return Duration(
      secondsComponent: seconds,
      attosecondsComponent: isNegative ? -attoseconds : attoseconds
    )
  }
}

extension IndexSet: _$PlainLogValue {
  /// Writes the ranges of indexes as Foundation's coding does: `{"indexes":[{"location":1,"length":2}]}`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.key(unescaped: "indexes")
    encoder.beginArray()
    for range in rangeView {
      encoder.beginObject()
      encoder.member("location", range.lowerBound)
      encoder.member("length", range.count)
      encoder.endObject()
    }
    encoder.endArray()
    encoder.endObject()
  }

  /// Decodes ranges of indexes, or a list of indexes such as `[1,2]`.
  public static func decode(from decoder: LogDecoder, over template: IndexSet?) throws -> IndexSet {
    let ranges =
      decoder.json.array?.map { IndexRange(index: $0) }
      ?? decoder.json["indexes"]?.array?.map { IndexRange($0) }
    var indexes = IndexSet()
    for range in ranges ?? [nil] {
      guard let range else {
        throw decoder.mismatch(IndexSet.self, expected: "indexes such as [1, 2]")
      }
      indexes.insert(integersIn: range.indexes)
    }
    return indexes
  }

  /// Replaces the complete set, because a part of a range doesn't show the indexes.
  public static func difference(
    from old: IndexSet,
    to new: IndexSet,
    into patch: inout PatchBuilder
  ) {
    if old != new { patch.replace(with: new) }
  }
}

extension LogEncoder {
  /// Writes a UUID with uppercase hexadecimal digits, grouped as in RFC 9562, section 4.
  mutating func encode(_ value: UUID) {
    withUnsafeBytes(of: value.uuid) { uuid in
      raw { bytes in
        bytes.append(UInt8(ascii: "\""))
        for (index, byte) in uuid.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            bytes.append(UInt8(ascii: "-"))
          }
          bytes.append(Self.hexDigit(byte >> 4))
          bytes.append(Self.hexDigit(byte & 15))
        }
        bytes.append(UInt8(ascii: "\""))
      }
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }

  /// Writes all digits of a decimal, which must not be NaN.
  mutating func encode(_ value: Decimal) {
    guard let digits = FoundationDecimalDigits(value) else { return raw(value.description) }
    raw { digits.append(to: &$0) }
  }
}

/// A decimal whose digits fit into a 64-bit word.
///
/// Foundation converts a decimal to a string digit by digit. This type reads the digits directly from memory, after
/// samples have confirmed their position.
private struct FoundationDecimalDigits {
  private let isNegative: Bool
  private let mantissa: UInt64
  private let exponent: Int

  /// The positions of two fields in a decimal's second byte, each as its lowest bit.
  ///
  /// `groups` contains the number of 16-bit groups in the mantissa. `sign` is set for negative numbers.
  private struct HeaderBits {
    let groups: UInt8
    let sign: UInt8
  }

  init?(_ value: Decimal) {
    guard let layout = Self.layout else { return nil }
    self.init(value, layout)
  }

  private init?(_ value: Decimal, _ layout: HeaderBits) {
    guard MemoryLayout<Decimal>.size == 20 else { return nil }
    let (exponent, flags, mantissa) = withUnsafeBytes(of: value) { bytes in
      (
        bytes.load(as: Int8.self), bytes[1],
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      )
    }
    let groups = flags / layout.groups & 15
    guard groups <= 4 else { return nil }
    // Memory beyond the used groups is undefined.
    self.mantissa = groups == 4 ? mantissa : mantissa & (1 << (UInt64(groups) * 16) &- 1)
    self.exponent = Int(exponent)
    isNegative = flags & layout.sign != 0
  }

  private static let layout: HeaderBits? = {
    func flags(_ value: Decimal) -> UInt8 { withUnsafeBytes(of: value) { $0[1] } }
    let layout = HeaderBits(
      groups: flags(65_536) &- flags(1),
      sign: flags(-1) ^ flags(1)
    )
    guard layout.groups == 1 || layout.groups == 16, layout.sign.nonzeroBitCount == 1 else {
      return nil
    }
    let samples: [Decimal] = [
      0, 1, -1, 255, 65_536, -4_294_967_297, Decimal(UInt64.max),
      Decimal(sign: .minus, exponent: -3, significand: 45_678),
      Decimal(sign: .plus, exponent: -20, significand: 7),
      Decimal(sign: .plus, exponent: 9, significand: 12),
    ]
    let isKnown = samples.allSatisfy { sample in
      guard let digits = FoundationDecimalDigits(sample, layout) else { return false }
      var bytes: [UInt8] = []
      digits.append(to: &bytes)
      return sample.description.utf8.elementsEqual(bytes)
    }
    return isKnown ? layout : nil
  }()

  func append(to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    // A 64-bit word has at most 20 decimal digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = mantissa
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      let zero = UInt8(ascii: "0")
      let whole = 20 - start + exponent
      if exponent >= 0 {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        if mantissa > 0 { bytes.append(contentsOf: repeatElement(zero, count: exponent)) }
      } else if whole > 0 {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<start + whole]))
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[(start + whole)...]))
      } else {
        bytes.append(zero)
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: repeatElement(zero, count: -whole))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
      }
    }
  }
}

extension UUID {
  /// Parses the canonical form, with uppercase or lowercase digits, or returns `nil` for another string.
  init?(logged text: String) {
    var text = text
    var digits: (high: UInt64, low: UInt64) = (0, 0)
    let isRead = text.withUTF8 { utf8 in
      guard utf8.count == 36 else { return false }
      for (index, byte) in utf8.enumerated() {
        if index == 8 || index == 13 || index == 18 || index == 23 {
          guard byte == UInt8(ascii: "-") else { return false }
          continue
        }
        guard let digit = byte.hexDigitValue else { return false }
        digits.high = digits.high << 4 | digits.low >> 60
        digits.low = digits.low << 4 | UInt64(digit)
      }
      return true
    }
    guard isRead else { return nil }
    digits = (digits.high.bigEndian, digits.low.bigEndian)
    self = withUnsafeBytes(of: &digits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit, or `nil` for other bytes.
  fileprivate var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension Decimal {
  /// Creates a decimal from a number, or returns `nil` if the type can't represent all its digits.
  init?(exactly number: JSON.Number) {
    guard let value = Decimal(string: number.literal), JSON.Number(value.description) == number
    else { return nil }
    self = value
  }

  /// Parses a number of at most 18 digits without an exponent, or returns `nil` for other numbers.
  ///
  /// The result is exact and needs no check.
  init?(shortLiteral literal: String) {
    var literal = literal
    let parts = literal.withUTF8 { utf8 -> (isNegative: Bool, digits: UInt64, exponent: Int)? in
      var (digits, count, exponent) = (UInt64(0), 0, 0)
      var (isNegative, hasPoint) = (false, false)
      for byte in utf8 {
        switch byte {
        case UInt8(ascii: "-"): isNegative = true
        case UInt8(ascii: "."): hasPoint = true
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          digits = digits &* 10 &+ UInt64(byte & 15)
          count += 1
          if hasPoint { exponent -= 1 }
        default: return nil
        }
        guard count <= 18 else { return nil }
      }
      // Trailing zeros of a fraction are not significant.
      while exponent < 0, digits.isMultiple(of: 10) {
        (digits, exponent) = (digits / 10, exponent + 1)
      }
      return (isNegative, digits, exponent)
    }
    guard let parts, parts.digits > 0 || !parts.isNegative else { return nil }
    let sign = parts.isNegative ? FloatingPointSign.minus : .plus
    self.init(sign: sign, exponent: parts.exponent, significand: Decimal(parts.digits))
  }
}
