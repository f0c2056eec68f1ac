import Foundation

/// Finds dates and times of day in a string.
struct DateDetector {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Returns whether the string contains the current date or time.
  ///
  /// - Parameters:
  ///   - now: The current date.
  ///   - zones: The time zones in which the string may have been formatted.
  /// - Returns: Whether the string contains today's date in GMT or an adjacent one, which may be today's date in
  ///   another time zone. If the string has no date, whether it contains the current time of day.
  func isAbout(_ now: Date, in zones: [TimeZone]) -> Bool {
    let days = days
    guard days.isEmpty else {
      let current = [-1, 0, 1].map { Day(now.addingTimeInterval($0 * 86_400), .gmt) }
      return !days.isDisjoint(with: current)
    }
    return minutes.contains { minute in
      zones.contains { zone in
        let distance = abs(minute - Self.minute(of: now, zone))
        return [0, 720, 1440].contains { abs(distance - $0) <= Self.nearby }
      }
    }
  }

  /// The maximum distance from the current time of day, in minutes.
  ///
  /// The distance allows for the duration of the replays.
  private static let nearby = 3

  private struct Day: Hashable {
    var year: Int
    var month: Int
    var day: Int

    init?(_ year: Int?, _ month: Int?, _ day: Int?) {
      guard let year, let month, let day, (1...12).contains(month), (1...31).contains(day) else {
        return nil
      }
      self.year = year < 100 ? year + 2000 : year
      (self.month, self.day) = (month, day)
    }

    init(_ date: Date, _ zone: TimeZone) {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }
  }

  /// The days that dates in the string can denote, with day, month, and year in any common order.
  private var days: Set<Day> {
    var days: Set<Day?> = []
    for match in text.matches(of: /(\d{4})[-\/.](\d{1,2})[-\/.](\d{1,2})/) {
      days.insert(Day(Int(match.1), Int(match.2), Int(match.3)))
    }
    for match in text.matches(of: /\b(20\d\d)(\d\d)(\d\d)(?!\d)/) {
      days.insert(Day(Int(match.1), Int(match.2), Int(match.3)))
    }
    for match in text.matches(of: /\b(\d{1,2})[-\/.](\d{1,2})[-\/.](\d{4}|\d\d)\b/) {
      days.insert(Day(Int(match.3), Int(match.1), Int(match.2)))
      days.insert(Day(Int(match.3), Int(match.2), Int(match.1)))
    }
    for match in text.matches(of: /([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})/) {
      days.insert(Day(Int(match.3), Self.month(match.1), Int(match.2)))
    }
    for match in text.matches(of: /(\d{1,2})\.?[ -]([A-Za-z]{3})[a-z]*\.?,?[ -](\d{4})/) {
      days.insert(Day(Int(match.3), Self.month(match.2), Int(match.1)))
    }
    return Set(days.compactMap(\.self))
  }

  private static func month(_ name: Substring) -> Int? {
    let names = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    return names.firstIndex(of: name.lowercased()).map { $0 + 1 }
  }

  /// The times of day in the string, in minutes since midnight.
  private var minutes: [Int] {
    text.matches(of: /\b(\d{1,2}):(\d\d)(?::\d\d)?\b/).compactMap { match in
      guard let hour = Int(match.1), let minute = Int(match.2), hour < 24, minute < 60 else {
        return nil
      }
      return hour * 60 + minute
    }
  }

  private static func minute(of date: Date, _ zone: TimeZone) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
  }
}
