extension JSON {
  /// A number in its literal form.
  ///
  /// Keeps all digits, even beyond the precision of `Int` and `Double` (RFC 8259, section 6).
  ///
  /// ```swift
  /// JSON.Number("12345678901234567890")?.uint64  // 12345678901234567890
  /// JSON.Number("1e2") == JSON.Number(100)       // true
  /// JSON.Number("01")                            // nil
  /// JSON.Number("12.50")?.literal                // 12.50
  /// ```
  public struct Number: Sendable {
    /// The number as it was written, in the JSON grammar.
    public let literal: String

    /// Creates a number from a literal, or returns `nil` if the literal doesn't match the JSON grammar.
    public init?(_ literal: String) {
      var text = literal
      guard text.withUTF8({ Self.isNumber($0) }) else { return nil }
      self.literal = literal
    }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) { literal = String(value) }

    /// Creates the shortest decimal that parses to `value`, or returns `nil` if `value` is not finite.
    public init?(_ value: Double) {
      guard value.isFinite else { return nil }
      literal = value.description
    }

    /// Creates a number from a literal that a parser has already validated.
    init(scanned literal: String) { self.literal = literal }
  }
}

extension JSON.Number {
  /// The number as an `Int`, or `nil` if it is not an integer or doesn't fit.
  public var int: Int? { integer(Int.self) }

  /// The number as a `UInt64`, or `nil` if it is not an integer or doesn't fit.
  public var uint64: UInt64? { integer(UInt64.self) }

  /// The nearest `Double`, or infinity for a number whose magnitude is too large.
  ///
  /// ```swift
  /// JSON.Number("9007199254740993")?.double  // 9007199254740992.0
  /// ```
  public var double: Double { Double(literal) ?? .nan }

  /// Returns the number as an integer of a type, or `nil` if it is not an integer or doesn't fit.
  ///
  /// `1e2` and `100.0` are integers.
  ///
  /// ```swift
  /// JSON.Number("1e2")?.integer(UInt8.self)  // 100
  /// JSON.Number("300")?.integer(UInt8.self)  // nil
  /// ```
  public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    if let value = Integer(literal) { return value }
    let decimal = Decimal(literal)
    guard decimal.exponent >= 0, decimal.exponent <= 40 else { return decimal.isZero ? 0 : nil }
    let digits = decimal.digits + String(repeating: "0", count: decimal.exponent)
    return Integer((decimal.isNegative ? "-" : "") + digits)
  }

  /// Whether the bytes are a single number in the grammar `-? int frac? exp?`.
  static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    func digits() -> Int {
      let start = position
      while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
        position += 1
      }
      return position - start
    }
    func consume(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }
    _ = consume(UInt8(ascii: "-"))
    let startsWithZero = position < bytes.count && bytes[position] == UInt8(ascii: "0")
    let integerDigits = digits()
    guard integerDigits > 0, !(startsWithZero && integerDigits > 1) else { return false }
    if consume(UInt8(ascii: ".")), digits() == 0 { return false }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      _ = consume(UInt8(ascii: "+")) || consume(UInt8(ascii: "-"))
      guard digits() > 0 else { return false }
    }
    return position == bytes.count
  }
}

extension JSON.Number: Hashable {
  /// Compares the exact decimal values of two numbers.
  ///
  /// `0` and `-0` differ, because a `Double` keeps the sign.
  public static func == (lhs: JSON.Number, rhs: JSON.Number) -> Bool {
    if lhs.literal == rhs.literal { return true }
    // An integer has one literal without an exponent, because the grammar excludes leading zeros.
    if lhs.hasOnlyDigits, rhs.hasOnlyDigits { return false }
    return Decimal(lhs.literal) == Decimal(rhs.literal)
  }

  /// Whether the literal consists of a sign and digits, without a fraction and an exponent.
  private var hasOnlyDigits: Bool {
    literal.utf8.allSatisfy {
      $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: "-")
    }
  }

  /// Hashes the exact decimal value, consistently with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(Decimal(literal)) }
}

extension JSON.Number {
  /// The parts of a literal: digits without leading and trailing zeros, and a power of ten.
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
          // An exponent beyond the range of `Int32` is clamped, because no app has such a number.
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

  /// Compares two numbers as exact decimals.
  ///
  /// `0` and `-0` are equal.
  ///
  /// - Returns: A negative number, zero, or a positive number if this number is smaller than, equal to, or greater than
  ///   `other`.
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
    // Neither number has leading or trailing zeros. The exponent of the first digit decides, and then the digits as
    // text.
    let place = digits.utf8.count + exponent
    let otherPlace = other.digits.utf8.count + other.exponent
    if place != otherPlace { return place < otherPlace ? -sign : sign }
    if digits == other.digits { return 0 }
    return digits < other.digits ? -sign : sign
  }
}
