import ActionLog
import ComposableArchitecture
import Foundation

extension DependencyValues {
  /// Sets the locale, time zone and calendar of the recording.
  mutating func setEnvironment(from environment: JSON) {
    if let name = environment["locale"]?.string { locale = Locale(identifier: name) }
    if let name = environment["timeZone"]?.string, let zone = TimeZone(identifier: name) {
      timeZone = zone
    }
    guard let name = environment["calendar"]?.string,
      let identifier = Calendar.Identifier.known.first(where: { "\($0)" == name })
    else { return }
    var calendar = Calendar(identifier: identifier)
    calendar.locale = locale
    calendar.timeZone = timeZone
    self.calendar = calendar
  }
}

extension Calendar.Identifier {
  fileprivate static let known: [Calendar.Identifier] = [
    .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew,
    .iso8601, .indian, .islamic, .islamicCivil, .japanese, .persian, .republicOfChina,
    .islamicTabular, .islamicUmmAlQura,
  ]
}
