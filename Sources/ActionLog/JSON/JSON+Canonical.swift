extension JSON {
  /// The canonical form of RFC 8785, in UTF-8.
  ///
  /// Values that are equal as I-JSON (RFC 7493) have the same canonical bytes.
  ///
  /// Use the canonical form only for digests. It writes numbers as JavaScript does: they are rounded to the nearest
  /// `Double`, and zero has no sign. A number beyond the range of `Double` has no canonical form and is written as in
  /// the log.
  ///
  /// ```swift
  /// try JSON(parsing: #"{"b":1.0,"a":"é"}"#).canonical  // the bytes of {"a":"é","b":1}
  /// ```
  public var canonical: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }

  private func appendCanonical(to bytes: inout [UInt8]) {
    switch self {
    // The form of strings and literals in a log is already canonical.
    case .null, .bool, .string: bytes += self.bytes
    case .number(let number): bytes += number.canonical.utf8
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      // RFC 8785, section 3.2.3: names are sorted by their UTF-16 code units.
      let members = object.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += JSON.string(member.key).bytes
        bytes.append(UInt8(ascii: ":"))
        member.value.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

extension JSON.Number {
  /// The number as ECMAScript writes it (ECMA-262, Number::toString), with the shortest digits that parse to the same
  /// value.
  fileprivate var canonical: String {
    let value = double
    guard value.isFinite else { return literal }
    guard value != 0 else { return "0" }
    let (digits, point) = Self.shortest(value.magnitude)
    let count = digits.count
    let text: String
    switch point {
    case count...21 where count <= 21:
      text = digits + String(repeating: "0", count: point - count)
    case 1...21: text = "\(digits.prefix(point)).\(digits.dropFirst(point))"
    case -5...0: text = "0." + String(repeating: "0", count: -point) + digits
    default:
      let exponent = point - 1
      let fraction = count > 1 ? ".\(digits.dropFirst())" : ""
      text = "\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(exponent.magnitude)"
    }
    return value < 0 ? "-" + text : text
  }

  /// Returns the shortest digits that identify a number, and the position of the decimal point.
  ///
  /// The position is relative to the first digit. It is negative if zeros follow the point: -1 for 0.05, 3 for 100.
  private static func shortest(_ value: Double) -> (digits: String, point: Int) {
    let parts = value.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = mantissa[0]
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    var point = whole.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    var digits = (whole + fraction)[...]
    while digits.count > 1, digits.first == "0" {
      digits = digits.dropFirst()
      point -= 1
    }
    while digits.count > 1, digits.last == "0" { digits = digits.dropLast() }
    return (String(digits), point)
  }
}
