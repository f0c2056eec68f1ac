import Foundation

extension UUID {
  /// Reads the canonical text, with digits in capital or small letters.
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
  /// The value of a hexadecimal digit in ASCII.
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
  /// Reads a number that this type can hold with all its digits.
  init?(exactly number: JSON.Number) {
    guard let value = Decimal(string: number.literal), JSON.Number(value.description) == number
    else { return nil }
    self = value
  }

  /// Reads a number of at most 18 digits without an exponent, which needs no look at what became of it.
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
      // Zeros at the end of a fraction are no digits of the value.
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
