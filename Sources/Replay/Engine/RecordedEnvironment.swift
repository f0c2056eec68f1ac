import ActionLog
import Foundation

/// The locale, time zone, and calendar of a recording, which its replay uses.
///
/// ```swift
/// let environment = RecordedEnvironment(header.environment)
/// dependencies.locale = environment.locale ?? dependencies.locale
/// ```
public struct RecordedEnvironment: Sendable, Equatable {
  /// The locale, or `nil` if the log does not contain it.
  public let locale: Locale?
  /// The time zone, or `nil` if the log does not contain one or this system does not know it.
  public let timeZone: TimeZone?
  private let calendarIdentifier: Calendar.Identifier?

  /// Creates the environment from the member `environment` of a log's header.
  public init(_ environment: JSON) {
    locale = environment["locale"]?.string.map { Locale(identifier: $0) }
    timeZone = environment["timeZone"]?.string.flatMap { TimeZone(identifier: $0) }
    let name = environment["calendar"]?.string
    calendarIdentifier = Self.calendars.first { "\($0)" == name }
  }

  /// Returns the recorded calendar with a locale and a time zone.
  ///
  /// - Returns: The calendar, or `nil` if the log does not contain one or this version does not know it.
  public func calendar(in locale: Locale, _ timeZone: TimeZone) -> Calendar? {
    guard let calendarIdentifier else { return nil }
    var calendar = Calendar(identifier: calendarIdentifier)
    calendar.locale = locale
    calendar.timeZone = timeZone
    return calendar
  }

  private static let calendars: [Calendar.Identifier] = [
    .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew,
    .iso8601, .indian, .islamic, .islamicCivil, .japanese, .persian, .republicOfChina,
    .islamicTabular, .islamicUmmAlQura,
  ]
}
