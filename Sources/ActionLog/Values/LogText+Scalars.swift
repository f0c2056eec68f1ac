// Scalars: `nil` for what does not look as expected, which is then read the long way.
extension LogText {
  /// Reads `null`.
  mutating func null() -> Bool { parser.take("null") }

  /// Reads a truth value.
  mutating func bool() -> Bool? {
    if parser.take("true") { return true }
    return parser.take("false") ? false : nil
  }

  /// Reads a string.
  mutating func string() throws -> String {
    guard parser.position < parser.bytes.count,
      parser.bytes[parser.position] == UInt8(ascii: "\"")
    else { throw Surprise() }
    return try parser.string()
  }

  /// Reads an integer of at most 18 digits.
  mutating func integer() -> Int? {
    let start = parser.position
    guard let number = decimal(), !number.hasPoint, !(number.isNegative && number.digits == 0)
    else {
      parser.position = start
      return nil
    }
    return number.isNegative ? -number.digits : number.digits
  }

  /// Reads a number that is the nearest `Double` to a quotient of two that `Double` holds exactly, and so rounded once.
  mutating func double() -> Double? {
    let start = parser.position
    guard let number = decimal(), number.digits <= 1 << 53 else {
      parser.position = start
      return nil
    }
    let value = Double(number.digits) / Self.powersOfTen[number.fractionDigits]
    return number.isNegative ? -value : value
  }

  /// 10^0 to 10^18, each of which `Double` holds exactly.
  private static let powersOfTen: [Double] = (0...18).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  private struct Decimal {
    var isNegative = false
    /// All digits, as one number.
    var digits = 0
    var fractionDigits = 0
    var hasPoint = false
  }

  /// Reads a number of at most 18 digits without an exponent.
  private mutating func decimal() -> Decimal? {
    let bytes = parser.bytes
    var number = Decimal()
    var index = parser.position
    func next() -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    if next() == UInt8(ascii: "-") {
      number.isNegative = true
      index += 1
    }
    let start = index
    func digits() -> Int {
      let start = index
      while next() >= 0x30, next() <= 0x39 {
        number.digits = number.digits &* 10 &+ Int(next() & 0x0F)
        index += 1
      }
      return index - start
    }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    if next() == UInt8(ascii: ".") {
      index += 1
      number.hasPoint = true
      number.fractionDigits = digits()
      guard number.fractionDigits > 0 else { return nil }
    }
    guard whole + number.fractionDigits <= 18, !JSON.Parser.isNumberByte(next()) else {
      return nil
    }
    parser.position = index
    return number
  }
}
