import ActionLog
import Foundation

/// An id, a date, or a substitute for a masked string, as found in the text of a log.
///
/// Ids that differ only in the case of their digits are equal.
package struct RunSpecificValue: Hashable, Sendable {
  /// The kinds of values that differ between recordings of the same behavior.
  package enum Kind: UInt8, Hashable, Sendable {
    case id
    case date
    /// A substitute for a masked string, which each log derives with its own key.
    case masked
  }

  package let kind: Kind
  private let high: UInt64
  private let low: UInt64

  private init(_ kind: Kind, _ high: UInt64, _ low: UInt64) {
    (self.kind, self.high, self.low) = (kind, high, low)
  }

  /// Creates a date.
  ///
  /// - Parameters:
  ///   - seconds: The whole seconds since January 1, 2001.
  ///   - fraction: The digits after the decimal point, as a number.
  ///   - digits: The number of digits after the decimal point, including leading zeros.
  private init(seconds: Int, fraction: UInt64, digits: Int) {
    self.init(.date, UInt64(bitPattern: Int64(seconds)), UInt64(digits) << 58 | fraction)
  }

  /// The maximum number of digits after the decimal point: 58 bits hold any number of 17 digits.
  private static let mostDigits = 17

  /// The seconds since January 1, 2001, or `nil` if the value is not a date.
  package var seconds: Double? {
    guard kind == .date else { return nil }
    let (digits, fraction) = (low >> 58, low & (1 << 58 - 1))
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return Double(Int64(bitPattern: high)) + Double(fraction) / scale
  }

  /// The text for the value in a log, with uppercase digits in an id.
  package var text: String {
    switch kind {
    case .date: dateText
    case .id: idText(isLowercase: false)
    case .masked: Self.maskedPrefix + Self.hexadecimal(high, 2) + Self.hexadecimal(low, 16)
    }
  }

  /// Returns the text for the value, with the digits of an id in the given case.
  fileprivate func text(like spelling: DigitCase) -> String {
    kind == .id && spelling == .lowercase ? idText(isLowercase: true) : text
  }

  private var dateText: String {
    let whole = Double(Int64(bitPattern: high))
    let text = Date(timeIntervalSinceReferenceDate: whole).iso8601 ?? "\(whole)"
    let digits = Int(low >> 58)
    guard digits > 0 else { return text }
    let fraction = String(low & (1 << 58 - 1))
    let zeros = String(repeating: "0", count: digits - fraction.utf8.count)
    return "\(text.dropLast()).\(zeros)\(fraction)Z"
  }

  private func idText(isLowercase: Bool) -> String {
    let digits = Self.hexadecimal(high, 16) + Self.hexadecimal(low, 16)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return isLowercase ? text : text.uppercased()
  }

  /// Returns a word in lowercase hexadecimal, padded with zeros to at least `count` digits.
  private static func hexadecimal(_ word: UInt64, _ count: Int) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
  }

  fileprivate static let idLength = 36

  /// The prefix of a substitute, followed by 18 hexadecimal digits.
  fileprivate static let maskedPrefix = "masked"
  fileprivate static let maskedLength = 24

  /// The case of the hexadecimal digits in an id.
  ///
  /// Dates and substitutes have only one spelling.
  fileprivate enum DigitCase { case uppercase, lowercase }
}

extension RunSpecificValue {
  /// An id, a date, or a substitute that was found in text, and its range.
  fileprivate struct Occurrence {
    let range: Range<Int>
    let value: RunSpecificValue
    let spelling: DigitCase
  }

  /// Calls `body` with each id, date, and substitute in UTF-8 text, and with the range of the bytes since the last one.
  ///
  /// - Returns: The offset after the last value that was found, or 0 if there is none.
  @discardableResult
  fileprivate static func forEach(
    in text: UnsafeBufferPointer<UInt8>,
    _ body: (Occurrence, _ before: Range<Int>) -> Void
  ) -> Int {
    guard text.count >= shortest else { return 0 }
    var (end, position) = (0, 0)
    while position < text.count {
      // An id has its first hyphen after 8 bytes, and a date after 4. Substitutes start with `masked`.
      let found: Occurrence? =
        switch text[position] {
        case UInt8(ascii: "-"):
          date(in: text, hyphen: position, from: end) ?? id(in: text, hyphen: position, from: end)
        case UInt8(ascii: "m"): masked(in: text, at: position)
        default: nil
        }
      guard let found else {
        position += 1
        continue
      }
      body(found, end..<found.range.lowerBound)
      end = found.range.upperBound
      position = end
    }
    return end
  }

  /// The length of the shortest value: `2001-01-01T00:00:00Z`.
  private static let shortest = 20

  private static func id(
    in text: UnsafeBufferPointer<UInt8>,
    hyphen: Int,
    from first: Int
  ) -> Occurrence? {
    let start = hyphen - 8
    guard start >= first, start + idLength <= text.count else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    var (digits, hasLowercase) = (0, false)
    for offset in 0..<idLength {
      let byte = text[start + offset]
      if [8, 13, 18, 23].contains(offset) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = hexadecimal(byte) else { return nil }
      if byte >= UInt8(ascii: "a") { hasLowercase = true }
      if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
      digits += 1
    }
    let end = start + idLength
    guard isBoundary(text, start - 1), isBoundary(text, end) else { return nil }
    return Occurrence(
      range: start..<end,
      value: RunSpecificValue(.id, words.0, words.1),
      spelling: hasLowercase ? .lowercase : .uppercase
    )
  }

  private static func masked(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Occurrence? {
    let end = start + maskedLength
    // A masker also replaces parts of words, so the substitute may be next to other letters.
    guard end <= text.count,
      maskedPrefix.utf8.elementsEqual(text[start..<start + maskedPrefix.utf8.count])
    else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for (offset, byte) in text[start + maskedPrefix.utf8.count..<end].enumerated() {
      guard let digit = hexadecimal(byte), byte < UInt8(ascii: "A") || byte > UInt8(ascii: "F")
      else { return nil }
      if offset < 2 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
    }
    return Occurrence(
      range: start..<end,
      value: RunSpecificValue(.masked, words.0, words.1),
      spelling: .lowercase
    )
  }

  private static func date(
    in text: UnsafeBufferPointer<UInt8>,
    hyphen: Int,
    from first: Int
  ) -> Occurrence? {
    let start = hyphen - 4
    guard start >= first, start + shortest <= text.count, text[start + 7] == UInt8(ascii: "-"),
      text[start + 10] == UInt8(ascii: "T"), text[start + 13] == UInt8(ascii: ":")
    else { return nil }
    var end = start + shortest - 1
    var (fraction, digits) = (UInt64(0), 0)
    if text[end] == UInt8(ascii: ".") {
      end += 1
      while end < text.count, isDecimal(text[end]), digits < mostDigits {
        fraction = fraction * 10 + UInt64(text[end] &- UInt8(ascii: "0"))
        (end, digits) = (end + 1, digits + 1)
      }
      guard digits > 0 else { return nil }
    }
    guard end < text.count, text[end] == UInt8(ascii: "Z"), isBoundary(text, start - 1),
      isBoundary(text, end + 1)
    else { return nil }
    let whole = UnsafeBufferPointer(rebasing: text[start..<start + shortest - 1])
    return JSON.instant(String(decoding: whole, as: UTF8.self) + "Z").map {
      Occurrence(
        range: start..<end + 1,
        value: RunSpecificValue(seconds: Int($0), fraction: fraction, digits: digits),
        spelling: .uppercase
      )
    }
  }

  private static func isDecimal(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func hexadecimal(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  /// Returns whether an index is outside of the text, or is the index of a byte that is neither a letter nor a digit.
  private static func isBoundary(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard text.indices.contains(index) else { return true }
    let byte = text[index]
    return !isDecimal(byte) && (byte | 0x20) &- UInt8(ascii: "a") >= 26
  }
}

/// The ids and dates in a string, and a hash of the characters between them.
package struct ExtractedIDs {
  /// The ids, dates, and substitutes, in the order in which they occur.
  package private(set) var ids: [RunSpecificValue]
  /// A hash of the text without ids, dates, and substitutes.
  package private(set) var rest: UInt64

  /// Splits UTF-8 text, which may be JSON.
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    var ids: [RunSpecificValue] = []
    var rest = StableHash()
    let end = RunSpecificValue.forEach(in: text) { found, before in
      rest.combine(text, before)
      // Marks the position of an id, so that strings with different numbers of ids have different hashes.
      rest.combine(byte: 0xFF)
      ids.append(found.value)
    }
    rest.combine(text, end..<text.count)
    (self.ids, self.rest) = (ids, rest.value)
  }

  /// Splits the UTF-8 text of a string.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { ExtractedIDs($0) }
  }
}

extension RunSpecificValue {
  /// Adds the value to a hash, without its kind.
  func combine(into hash: inout StableHash) {
    hash.combine(high)
    hash.combine(low)
  }
}

extension RunSpecificValue {
  /// Returns a string in which ids, dates, and substitutes are replaced.
  ///
  /// - Parameters:
  ///   - text: The original string.
  ///   - replacement: Returns the new value and a suffix to append, or `nil` to keep the old value.
  /// - Returns: The new string, or `nil` if no value was replaced.
  static func replacing(
    in text: String,
    _ replacement: (RunSpecificValue) -> (value: RunSpecificValue, suffix: String)?
  ) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      guard bytes.count >= shortest else { return nil }
      var output: [UInt8] = []
      var hasChanged = false
      let end = forEach(in: bytes) { found, before in
        output.append(contentsOf: bytes[before])
        if let (value, suffix) = replacement(found.value) {
          hasChanged = true
          output.append(contentsOf: value.text(like: found.spelling).utf8)
          output.append(contentsOf: suffix.utf8)
        } else {
          output.append(contentsOf: bytes[found.range])
        }
      }
      guard hasChanged else { return nil }
      output.append(contentsOf: bytes[end...])
      return String(decoding: output, as: UTF8.self)
    }
  }
}
