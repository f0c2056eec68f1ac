public import Foundation

extension UUID: LogValue {
  /// Writes the canonical text in capital letters.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }
  /// Reads the canonical text.
  public static func decode(from decoder: LogDecoder, over template: UUID?) throws -> UUID {
    guard let text = decoder.json.string, let value = UUID(logged: text) else {
      throw decoder.mismatch(UUID.self, expected: "a UUID such as \(UUID().uuidString)")
    }
    return value
  }

  /// Reads the canonical text.
  public static func _$read(from text: inout LogText) throws -> UUID {
    guard let value = UUID(logged: try text.string()) else { throw LogText.Surprise() }
    return value
  }

  /// Replaces one value by another.
  public static func difference(from old: UUID, to new: UUID, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension URL: LogValue {
  /// Writes the text; of a relative URL with a base both parts: `{"relative":"a","base":"https://b.example"}`.
  public func encode(to encoder: inout LogEncoder) {
    guard let baseURL else { return encoder.encode(relativeString) }
    encoder.beginObject()
    encoder.member("relative", relativeString)
    encoder.member("base", baseURL)
    encoder.endObject()
  }

  /// Reads the text, or both parts.
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

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension Data: LogValue {
  /// Writes the bytes in Base64 (RFC 4648, section 4).
  public func encode(to encoder: inout LogEncoder) { encoder.encode(base64EncodedString()) }
  /// Reads bytes in Base64.
  public static func decode(from decoder: LogDecoder, over template: Data?) throws -> Data {
    guard let text = decoder.json.string, let value = Data(base64Encoded: text) else {
      throw decoder.mismatch(Data.self, expected: "Base64 text")
    }
    return value
  }

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension Decimal: LogValue {
  /// Writes a JSON number with all digits; what is not a number is tagged: `{"$decimal":"nan"}`.
  public func encode(to encoder: inout LogEncoder) {
    guard isNaN else { return encoder.encode(self) }
    encoder.beginObject()
    encoder.key(unescaped: "$decimal")
    encoder.encode("nan")
    encoder.endObject()
  }

  /// Reads a JSON number with at most 38 digits.
  public static func decode(from decoder: LogDecoder, over template: Decimal?) throws -> Decimal {
    if decoder.json["$decimal"]?.string == "nan" { return .nan }
    guard let number = decoder.json.number,
      let value = Decimal(shortLiteral: number.literal) ?? Decimal(exactly: number)
    else { throw decoder.mismatch(Decimal.self, expected: "a number that Decimal can hold") }
    return value
  }

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension CGFloat: LogValue {
  /// Writes what `Double` would.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(Double(self)) }
  /// Reads what `Double` would.
  public static func decode(from decoder: LogDecoder, over template: CGFloat?) throws -> CGFloat {
    try CGFloat(Double.decode(from: decoder, over: nil))
  }

  /// Reads what `Double` would.
  public static func _$read(from text: inout LogText) throws -> CGFloat {
    try CGFloat(Double._$read(from: &text))
  }

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension Duration: LogValue {
  /// Writes seconds as an exact decimal of up to 18 fractional digits.
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

  /// Reads seconds as an exact decimal.
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

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}
