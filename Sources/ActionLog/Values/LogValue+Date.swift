public import Foundation

extension Date: LogValue {
  /// Writes ISO 8601 in UTC with as many fractional digits as the value has; dates before 2001 that are not whole
  /// seconds, and dates beyond the year 9999, as `{"$date":seconds}` since the start of 2001.
  ///
  /// Both forms read back as exactly the same instant: the decimal digits of the interval since 2001 are kept.
  public func encode(to encoder: inout LogEncoder) {
    if let text = iso8601 { return encoder.encode(text) }
    encoder.beginObject()
    encoder.key(unescaped: "$date")
    encoder.encode(timeIntervalSinceReferenceDate)
    encoder.endObject()
  }

  /// Reads either form.
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

  /// Reads the text; a tagged date is read as a tree.
  public static func _$read(from text: inout LogText) throws -> Date {
    if text.isTagged { return try text.tree() }
    guard let date = Date(iso8601: try text.string()) else { throw LogText.Surprise() }
    return date
  }

  /// Replaces one value by another.
  public static func difference(from old: Date, to new: Date, into patch: inout PatchBuilder) {
    if !hasSameBits(old, new) { patch.compareWritten(old, new) }
  }

  /// A value of its own.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// The first and last whole second of the years 1 to 9999, since 2001.
  private static let fourDigitYears = -63_113_904_000.0...252_423_993_599.0

  /// The instant in UTC with all its digits, nil where no such text reads back as the same one.
  package var iso8601: String? {
    let interval = timeIntervalSinceReferenceDate
    guard Self.fourDigitYears.contains(interval) else { return nil }
    let digits = interval.description.split(separator: ".", omittingEmptySubsequences: false)
    guard digits.count == 2, let seconds = Int(digits[0]), !digits[1].contains("e"),
      interval >= 0 || digits[1] == "0", interval.sign == .plus || interval != 0
    else { return nil }
    let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let civil = CivilDay(daysSince2001: second < 0 ? day - 1 : day)
    let time = second < 0 ? second + 86_400 : second
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let clock = "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    return "\(civil)T\(clock)\(digits[1] == "0" ? "" : "." + digits[1])Z"
  }

  private init?(iso8601 text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "T"))
    guard parts.count == 2, parts[1].last == UInt8(ascii: "Z"),
      let day = CivilDay(parts[0])
    else { return nil }
    let time = parts[1].dropLast().split(
      separator: UInt8(ascii: "."),
      omittingEmptySubsequences: false
    )
    let clock = time.first?.split(separator: UInt8(ascii: ":")).compactMap { Int(Substring($0)) }
    guard time.count <= 2, let clock, clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] < 60
    else { return nil }
    let seconds = day.daysSince2001 * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    let fraction = time.count == 2 ? String(Substring(time[1])) : "0"
    guard fraction.allSatisfy({ $0.isASCII && $0.isNumber }), !fraction.isEmpty,
      let interval = Double("\(seconds).\(fraction)")
    else { return nil }
    self.init(timeIntervalSinceReferenceDate: interval)
  }

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

/// A day of the Gregorian calendar, extended to the years before its introduction as ISO 8601 has it.
///
/// The arithmetic counts years from 1 March, so that the day that some years have more is the last of its year, and in
/// cycles of 400 years, which always have 146,097 days.
private struct CivilDay: CustomStringConvertible {
  let daysSince2001: Int

  /// Days from 1 March of the year 0 to 1 January 2001.
  private static let offset = 730_791

  init(daysSince2001: Int) { self.daysSince2001 = daysSince2001 }

  init?(_ text: Substring.UTF8View) {
    let parts = text.split(separator: UInt8(ascii: "-")).compactMap { Int(Substring($0)) }
    guard parts.count == 3, (1...9999).contains(parts[0]), (1...12).contains(parts[1]),
      (1...31).contains(parts[2])
    else { return nil }
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let month = (parts[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400
    daysSince2001 = days + (153 * month + 2) / 5 + parts[2] - 1 - Self.offset
    guard description.utf8.elementsEqual(text) else { return nil }
  }

  var description: String {
    let days = daysSince2001 + Self.offset
    let cycle = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfCycle = days - cycle * 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfCycle + cycle * 400 + (month < 10 ? 0 : 1)
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9, 2))-\(padded(day, 2))"
  }
}
