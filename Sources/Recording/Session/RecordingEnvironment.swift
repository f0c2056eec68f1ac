import ActionLog
import Foundation

/// The environment of a recording, for its header.
enum RecordingEnvironment {
  /// Returns the members of `environment` in the header.
  ///
  /// - Parameter members: The members of the model, which follow the operating system and the compiler version.
  /// - Returns: A JSON object.
  static func json(with members: JSON.Object) -> JSON {
    var object: JSON.Object = ["os": .string(SystemName.current), "swift": .string(swift)]
    for (name, value) in members { object[name] = value }
    return .object(object)
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

/// A clock that continues while the machine sleeps.
///
/// It is read three times per action. Therefore it returns a plain integer instead of a 128-bit `Duration`.
package enum Uptime {
  /// Nanoseconds since an arbitrary reference time.
  package static var nanoseconds: UInt64 {
    #if canImport(Darwin)
    // This clock includes sleep on Apple platforms.
    return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)
    #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    #endif
  }
}
