import ActionLog
import ComposableArchitecture
import Foundation
import ReplayEngine

extension DependencyValues {
  /// Sets the locale, time zone and calendar of the recording.
  mutating func setEnvironment(from environment: JSON) {
    let recorded = RecordedEnvironment(environment)
    // In tests, these have no values, and setting one reads it first.
    let context = self.context
    self.context = .live
    defer { self.context = context }
    if let locale = recorded.locale { self.locale = locale }
    if let timeZone = recorded.timeZone { self.timeZone = timeZone }
    if let calendar = recorded.calendar(in: locale, timeZone) { self.calendar = calendar }
  }

  /// Separates shared values from those of an app, so that a replay changes neither its files nor its settings.
  mutating func keepSharedValuesInMemory() {
    defaultInMemoryStorage = InMemoryStorage()
    #if canImport(AppKit) || canImport(UIKit) || canImport(WatchKit)
    defaultFileStorage = .inMemory
    defaultAppStorage = .inMemory
    #endif
  }
}
