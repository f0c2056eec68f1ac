import ActionLog
import Foundation

/// Functions that describe the environment of a recording for its header.
enum RecordingEnvironment {
  /// Returns the value of `environment` in the header.
  ///
  /// - Parameter members: The members from the model, which follow the operating system and the compiler version.
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
/// The recorder reads the clock three times per action. The clock therefore returns a plain integer instead of a
/// 128-bit `Duration`.
package enum Uptime {
  /// The number of nanoseconds since an arbitrary reference time.
  package static var nanoseconds: UInt64 {
    #if canImport(Darwin)
    // On Apple platforms, this clock continues during sleep, as CLOCK_BOOTTIME does on Linux.
    return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)
    #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    #endif
  }
}
