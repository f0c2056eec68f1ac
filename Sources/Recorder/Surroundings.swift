import ActionLog
import Foundation
internal import TCACore

/// Where a recording takes place, for its header.
enum Surroundings {
  /// The members of `environment` in the header.
  static var json: JSON {
    // Asked for as in a running app: a test that has not set them is not told off for being recorded.
    var values = DependencyValues._current
    let context = values.context
    values.context = .live
    return [
      "os": .string(os), "swift": .string(swift),
      "locale": .string(values.locale.identifier),
      "timeZone": .string(values.timeZone.identifier),
      "calendar": .string("\(values.calendar.identifier)"),
      "context": .string("\(context)"),
    ]
  }

  private static var os: String {
    #if os(Linux)
    "Linux"
    #elseif os(macOS)
    "macOS"
    #elseif os(iOS)
    "iOS"
    #elseif os(tvOS)
    "tvOS"
    #elseif os(watchOS)
    "watchOS"
    #elseif os(visionOS)
    "visionOS"
    #else
    "unknown"
    #endif
  }

  private static var swift: String {
    #if compiler(>=6.4)
    "6.4"
    #elseif compiler(>=6.3)
    "6.3"
    #else
    "6.2"
    #endif
  }
}
