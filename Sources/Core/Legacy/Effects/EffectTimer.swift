#if canImport(Combine)
import Combine
#endif

/// What effects that wait measure a time with: a clock, or a scheduler.
struct EffectTimer<Instant>: @unchecked Sendable {
  // Unchecked: schedulers are there to be called from anywhere, and their protocol does not say so.
  /// The current instant.
  let now: () -> Instant
  /// The instant that lies the time later.
  let later: (Instant) -> Instant
  /// Whether one instant comes before another.
  let isBefore: (Instant, Instant) -> Bool
  /// Waits until an instant.
  let sleep: (Instant) async throws -> Void

  /// Measures a time by a clock.
  init<C: Clock>(_ clock: C, for duration: C.Duration) where C.Instant == Instant {
    now = { clock.now }
    later = { $0.advanced(by: duration) }
    isBefore = { $0 < $1 }
    sleep = { try await clock.sleep(until: $0, tolerance: nil) }
  }

  /// Measures a time by a scheduler.
  init<S: Scheduler>(
    _ scheduler: S,
    for duration: S.SchedulerTimeType.Stride,
    options: S.SchedulerOptions? = nil
  ) where S.SchedulerTimeType == Instant {
    now = { scheduler.now }
    later = { $0.advanced(by: duration) }
    isBefore = { $0 < $1 }
    sleep = { try await scheduler.sleep(until: $0, options: options) }
  }
}
