import Foundation

/// A clock that goes on while the machine sleeps, read as a number: three readings an action are too many for sums of
/// 128 bits.
package enum Uptime {
  /// Nanoseconds since some moment.
  package static var nanoseconds: UInt64 {
    #if canImport(Darwin)
    // On Apple platforms it counts sleep.
    clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)
    #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    #endif
  }
}
