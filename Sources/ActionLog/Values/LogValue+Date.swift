public import Foundation

extension Date: _$PlainLogValue {
  /// Writes the date in ISO 8601 and UTC, with all fractional digits.
  ///
  /// Dates before 2001 with fractional seconds, and dates outside the years 1 to 9999, are written as
  /// `{"$date":seconds}` since the start of 2001. Both forms are decoded as exactly the same date, because the decimal
  /// digits of the interval since 2001 are kept.
  public func encode(to encoder: inout LogEncoder) {
    if let instant = CivilInstant(self) {
      return encoder.raw { bytes in
        bytes.append(UInt8(ascii: "\""))
        instant.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
      }
    }
    encoder.beginObject()
    encoder.key(unescaped: "$date")
    encoder.encode(timeIntervalSinceReferenceDate)
    encoder.endObject()
  }

  /// Decodes a date in ISO 8601 or a tagged one.
  public static func decode(from decoder: LogDecoder, over template: Date?) throws -> Date {
    let json = decoder.json
    if let seconds = json["$date"] {
      let interval = try LogDecoder(seconds, context: decoder.context).value(Double.self)
      return Date(timeIntervalSinceReferenceDate: interval)
    }
    guard let text = json.string, let date = Date(iso8601: text) else {
      throw decoder.mismatch(Date.self, expected: "a date such as 2001-01-01T00:00:00Z")
    }
    return date
  }

  /// Decodes a date in ISO 8601.
  ///
  /// A tagged date has to be decoded from a tree.
  public static func _$read(from text: inout LogText) throws -> Date {
    if text.isTagged { return try text.tree() }
    guard let date = Date(iso8601: try text.string()) else { throw LogText.UnexpectedFormat() }
    return date
  }

  /// Replaces the value if it has changed.
  public static func difference(from old: Date, to new: Date, into patch: inout PatchBuilder) {
    if !hasSameBits(old, new) { patch.compareWritten(old, new) }
  }

  /// The date in ISO 8601 and UTC with all digits, or `nil` if no such string is decoded as the same date.
  package var iso8601: String? {
    guard let instant = CivilInstant(self) else { return nil }
    var bytes: [UInt8] = []
    instant.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private init?(iso8601 text: String) {
    guard let interval = JSON.instant(text) else { return nil }
    self.init(timeIntervalSinceReferenceDate: interval)
  }
}

extension JSON {
  /// Returns the seconds since 2001 for a date that a log contains, such as `2001-01-01T00:00:00.5Z`.
  ///
  /// Returns `nil` for another string.
  package static func instant(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { CivilInstant.interval(from: $0) }
  }
}

/// A point in time in UTC whose ISO 8601 form is decoded as the same point.
private struct CivilInstant {
  private let day: CivilDay
  private let second: Int
  /// The decimal digits of the interval since 2001, whose fraction is written.
  ///
  /// `nil` for an interval of complete seconds.
  private let digits: String?

  /// The first and last second of the years 1 to 9999, since 2001.
  private static let fourDigitYears = -63_113_904_000.0...252_423_993_599.0

  init?(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard Self.fourDigitYears.contains(interval) else { return nil }
    let seconds = Int(interval)
    if interval == Double(seconds) {
      guard interval.sign == .plus || interval != 0 else { return nil }
      digits = nil
    } else {
      let digits = interval.description
      guard interval > 0, !digits.utf8.contains(UInt8(ascii: "e")) else { return nil }
      self.digits = digits
    }
    let (day, second) = seconds.quotientAndRemainder(dividingBy: Self.secondsOfDay)
    self.day = CivilDay(daysSince2001: second < 0 ? day - 1 : day)
    self.second = second < 0 ? second + Self.secondsOfDay : second
  }

  private static let secondsOfDay = 86_400

  /// Appends the ISO 8601 form, such as `2001-01-01T00:00:00.5Z`.
  func append(to bytes: inout [UInt8]) {
    day.append(to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    bytes.append(decimal: second / 3600, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(decimal: second / 60 % 60, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(decimal: second % 60, width: 2)
    if let digits, let point = digits.utf8.firstIndex(of: UInt8(ascii: ".")) {
      bytes.append(contentsOf: digits.utf8[point...])
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Parses an ISO 8601 form such as `2001-01-01T00:00:00.5Z`.
  ///
  /// - Returns: The seconds since 2001, or `nil` for other text.
  static func interval(from text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard text.count >= 20, text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":"), text[text.count - 1] == UInt8(ascii: "Z"),
      let day = CivilDay(UnsafeBufferPointer(rebasing: text[..<10])),
      let hour = text.decimal(at: 11..<13), let minute = text.decimal(at: 14..<16),
      let second = text.decimal(at: 17..<19), hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = day.daysSince2001 * secondsOfDay + hour * 3600 + minute * 60 + second
    if text.count == 20 { return Double(seconds) }
    let fraction = UnsafeBufferPointer(rebasing: text[20..<text.count - 1])
    guard text[19] == UInt8(ascii: "."), !fraction.isEmpty,
      fraction.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    let digits = String(decoding: fraction, as: UTF8.self)
    guard seconds < 0 else { return Double("\(seconds).\(digits)") }
    // The fraction is always added to the second, even for dates before 2001.
    return Double("0.\(digits)").map { Double(seconds) + $0 }
  }
}

/// A day of the Gregorian calendar, which ISO 8601 extends to the years before its introduction.
///
/// Calculations use years that start on March 1, so that a leap day is the last day of its year, and cycles of 400
/// years, which always have 146,097 days.
private struct CivilDay {
  let daysSince2001: Int

  /// The number of days from March 1 of the year 0 to January 1, 2001.
  private static let offset = 730_791

  init(daysSince2001: Int) { self.daysSince2001 = daysSince2001 }

  /// Parses ten bytes such as `2001-01-01`, or returns `nil` if they are not a valid day.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let numberOfYear = text.decimal(at: 0..<4), let month = text.decimal(at: 5..<7),
      let day = text.decimal(at: 8..<10), (1...9999).contains(numberOfYear),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let year = month > 2 ? numberOfYear : numberOfYear - 1
    let days = 365 * year + year / 4 - year / 100 + year / 400
    daysSince2001 = days + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - Self.offset
    // A day that its month doesn't have would become a day of the next month.
    guard parts == (numberOfYear, month, day) else { return nil }
  }

  private var parts: (year: Int, month: Int, day: Int) {
    let days = daysSince2001 + Self.offset
    let cycle = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfCycle = days - cycle * 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfCycle + cycle * 400 + (month < 10 ? 0 : 1)
    return (year, month < 10 ? month + 3 : month - 9, day)
  }

  func append(to bytes: inout [UInt8]) {
    let (year, month, day) = parts
    bytes.append(decimal: year, width: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(decimal: month, width: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(decimal: day, width: 2)
  }
}

extension [UInt8] {
  /// Appends the last `width` digits of a number, padded with zeros.
  fileprivate mutating func append(decimal value: Int, width: Int) {
    var power = 1
    for _ in 1..<width { power *= 10 }
    while power > 0 {
      append(UInt8(ascii: "0") + UInt8(value / power % 10))
      power /= 10
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the number whose digits are at the positions in a range, or `nil` if other bytes are there.
  fileprivate func decimal(at range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      guard self[index] >= 0x30, self[index] <= 0x39 else { return nil }
      value = value * 10 + Int(self[index] & 15)
    }
    return value
  }
}
