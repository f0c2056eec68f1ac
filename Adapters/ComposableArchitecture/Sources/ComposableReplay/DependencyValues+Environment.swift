import ActionLog
import ComposableArchitecture
import Foundation
import ReplayEngine

extension DependencyValues {
  /// Sets the locale, time zone and calendar of the recording.
  mutating func setEnvironment(from environment: JSON) {
    let recorded = RecordedEnvironment(environment)
    if let locale = recorded.locale { self.locale = locale }
    if let timeZone = recorded.timeZone { self.timeZone = timeZone }
    if let calendar = recorded.calendar(in: locale, timeZone) { self.calendar = calendar }
  }
}
