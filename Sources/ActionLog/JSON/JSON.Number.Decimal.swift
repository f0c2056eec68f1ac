extension JSON.Number {
  /// A literal taken apart: digits without zeros at either end, times a power of ten.
  struct Decimal: Hashable {
    var isNegative = false
    var digits = ""
    var exponent = 0
    var isZero: Bool { digits.isEmpty }

    init(_ literal: String) {
      var digits: [UInt8] = []
      var bytes = Array(literal.utf8)[...]
      if bytes.first == UInt8(ascii: "-") {
        isNegative = true
        bytes = bytes.dropFirst()
      }
      var fraction = 0
      var isFraction = false
      while let byte = bytes.popFirst() {
        switch byte {
        case UInt8(ascii: "."): isFraction = true
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
          // An exponent beyond Int is clamped: such a literal has the size of no number that an app can hold.
          let text = String(decoding: bytes, as: UTF8.self)
          exponent = Int(text) ?? (text.hasPrefix("-") ? -Int(Int32.max) : Int(Int32.max))
          exponent = Swift.max(-Int(Int32.max), Swift.min(exponent, Int(Int32.max)))
          bytes = []
        default:
          if isFraction { fraction += 1 }
          if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
        }
      }
      exponent -= fraction
      while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
      }
      if digits.isEmpty { exponent = 0 }
      self.digits = String(decoding: digits, as: UTF8.self)
    }
  }
}

extension JSON.Number {
  /// Whether this number is smaller than, equal to (0) or greater than another, as exact decimals; the zeros are equal.
  ///
  /// The result is negative, zero or positive.
  package func compared(to other: JSON.Number) -> Int {
    if let lhs = Int(literal), let rhs = Int(other.literal) {
      return lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    }
    return Decimal(literal).compared(to: Decimal(other.literal))
  }
}

extension JSON.Number.Decimal {
  fileprivate func compared(to other: Self) -> Int {
    let sign = isZero ? 0 : isNegative ? -1 : 1
    let otherSign = other.isZero ? 0 : other.isNegative ? -1 : 1
    guard sign == otherSign, sign != 0 else { return sign - otherSign }
    // Without zeros at either end, the place of the first digit decides, then the digits as text do.
    let place = digits.utf8.count + exponent
    let otherPlace = other.digits.utf8.count + other.exponent
    if place != otherPlace { return place < otherPlace ? -sign : sign }
    if digits == other.digits { return 0 }
    return digits < other.digits ? -sign : sign
  }
}
