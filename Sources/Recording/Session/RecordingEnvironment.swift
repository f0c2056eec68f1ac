import ActionLog
import Foundation

/// Where a recording takes place, for its header.
enum RecordingEnvironment {
  /// The members of `environment` in the header.
  ///
  /// - Parameter members: Those of the model, which come after the system and the compiler.
  /// - Returns: An object.
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

/// A clock that goes on while the machine sleeps, read as a number: three readings an action are too many for sums of
/// 128 bits.
package enum Uptime {
  /// Nanoseconds since some moment.
  package static var nanoseconds: UInt64 {
    #if canImport(Darwin)
    // On Apple platforms it counts sleep.
    return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)
    #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    #endif
  }
}
