import Synchronization

#if canImport(Combine)
import Combine
#endif

// The implementation of effects that wait, which clocks and schedulers share.

extension Effect {
  /// Returns an effect that starts after a delay, and that a later effect with the same id replaces.
  func debounced<Instant>(
    _ id: CancelID,
    _ timer: EffectTimer<Instant>,
    at location: IssueLocation
  ) -> Effect {
    isNone
      ? .none
      : Effect(
        operation: .cancellable(deferred(timer, at: location), id, cancelInFlight: true)
      )
  }

  /// Returns an effect that waits for the timer and then runs this one.
  func deferred<Instant>(_ timer: EffectTimer<Instant>, at location: IssueLocation) -> Effect {
    let wait = Effect.waiting(at: location) { _ in
      try await timer.sleep(timer.later(timer.now()))
    }
    return .concatenate(wait, self)
  }

  /// Returns an effect that runs an operation that isn't marked `@Sendable`.
  ///
  /// The caller guarantees that the operation may run on any thread.
  static func waiting(
    at location: IssueLocation,
    _ work: @escaping (Send<Action>) async throws -> Void
  ) -> Effect {
    let work = UncheckedSendable(work)
    let run = Run(
      leaf: EffectLeaf(location: location),
      priority: nil,
      input: nil,
      operation: { try await work.value($0) },
      handler: nil
    )
    return Effect(operation: .run(run))
  }

  /// Returns an effect that delays each action of this one.
  func delayed<Instant>(_ timer: EffectTimer<Instant>) -> Effect {
    passing {
      UncheckedSendable(timer.later(timer.now()))
    } through: { sent, deadline in
      try await timer.sleep(deadline.value)
      return sent
    }
  }

  /// Returns an effect that sends at most one action per interval, among all effects with the same id.
  func throttled<Instant>(
    _ id: CancelID,
    _ timer: EffectTimer<Instant>,
    latest: Bool
  ) -> Effect {
    let context = DependencyValues._current.storeContext
    let throttles =
      context?.attachment(for: .throttles(at: id.path)) { ThrottleState() } ?? ThrottleState()
    let throttled = passing {
    } through: { sent, _ in
      let nextSend = throttles.nextSend(of: sent, under: id, timer, latest: latest)
      if let start = nextSend.start { try await timer.sleep(start.value) }
      throttles.startWindow(id, at: timer.now())
      return nextSend.action
    }
    guard !throttled.isNone else { return throttled }
    return Effect(operation: .cancellable(throttled, id, cancelInFlight: true))
  }

  /// Returns an effect that processes each action of this one before sending it.
  ///
  /// - Parameters:
  ///   - note: A closure that returns data to store when an action arrives, such as the action's deadline.
  ///   - step: A closure that processes one action at a time, may wait, and returns the action to send.
  /// - Returns: An effect with the same structure whose `send` nodes are `run` nodes.
  private func passing<Note: Sendable>(
    _ note: @escaping @Sendable () -> Note,
    through step: @escaping @Sendable (SentAction<Action>, Note) async throws -> SentAction<Action>
  ) -> Effect {
    sendingInRuns.replacingRuns { run in
      { send in
        let (actions, continuation) = AsyncStream<(SentAction<Action>, Note)>.makeStream()
        let early = Send<Action> { continuation.yield((SentAction(action: $0), note())) }
        let work = run.finishing(with: early) { continuation.finish() }
        async let end: Void = work()
        for await (sent, note) in actions { await send(try await step(sent, note)) }
        try await end
      }
    } send: {
      $0
    }
  }

  /// A copy of the effect with a `run` node in place of each `send` node, so that its action can wait.
  private var sendingInRuns: Effect {
    switch operation {
    case .none, .run, .cancel: return self
    case .send(let sent, let leaf):
      let operation: @Sendable (Send<Action>) async throws -> Void = { await $0(sent) }
      return Effect(
        operation: .run(
          Run(leaf: leaf, priority: nil, input: nil, operation: operation, handler: nil)
        )
      )
    case .merge(let effects): return .merge(effects.map(\.sendingInRuns))
    case .concatenate(let effects): return .concatenate(effects.map(\.sendingInRuns))
    case .cancellable(let effect, let id, let cancelInFlight):
      return Effect(
        operation: .cancellable(effect.sendingInRuns, id, cancelInFlight: cancelInFlight)
      )
    }
  }
}

extension Effect.Run {
  /// Returns an operation that runs this one with its error handler, and then calls a closure.
  fileprivate func finishing(
    with send: Send<Action>,
    _ finish: @escaping @Sendable () -> Void
  ) -> @Sendable () async throws -> Void {
    { [operation, handler] in
      defer { finish() }
      do {
        try await operation(send)
      } catch {
        guard let handler, !(error is CancellationError), !Task.isCancelled else { throw error }
        await handler(error, send)
      }
    }
  }
}

/// The times at which a feature's throttled effects last sent an action, and the actions that wait for an interval.
private final class ThrottleState: Sendable {
  private struct ThrottleWindow: Sendable {
    /// The instant at which the last action was sent.
    ///
    /// Unchecked: the instants of some schedulers aren't declared as `Sendable`.
    var start: UncheckedSendable<Any>
    var waiting: (any Sendable)?
  }

  private let entries = Mutex<[CancelID: ThrottleWindow]>([:])

  /// Returns the action to send and the instant at which to send it.
  ///
  /// The instant is `nil` if the action must be sent immediately.
  func nextSend<Action, Instant>(
    of sent: SentAction<Action>,
    under id: CancelID,
    _ timer: EffectTimer<Instant>,
    latest: Bool
  ) -> (action: SentAction<Action>, start: UncheckedSendable<Instant>?) {
    let now = UncheckedSendable(timer.now())
    return entries.withLock { entries in
      guard let entry = entries[id], let last = entry.start.value as? Instant else {
        return (sent, nil)
      }
      let action = latest ? sent : entry.waiting as? SentAction<Action> ?? sent
      let start = timer.later(last)
      guard timer.isBefore(now.value, start) else { return (action, nil) }
      entries[id]?.waiting = action
      return (action, UncheckedSendable(start))
    }
  }

  /// Starts an interval at the time at which an action is sent.
  func startWindow<Instant>(_ id: CancelID, at now: Instant) {
    let start = UncheckedSendable<Any>(now)
    entries.withLock { $0[id] = ThrottleWindow(start: start, waiting: nil) }
  }
}

extension StoreAttachmentKey {
  /// Returns the key under which the store keeps a feature's throttles, until the feature is removed.
  fileprivate static func throttles(at path: [NavigationID]) -> StoreAttachmentKey {
    StoreAttachmentKey(fileID: #fileID, line: #line, column: #column, path: path)
  }
}

/// A timer for effects that wait, which uses a clock or a scheduler.
struct EffectTimer<Instant>: @unchecked Sendable {
  // Unchecked: schedulers can be called from any thread, but their protocol doesn't require `Sendable`.
  /// A closure that returns the current instant.
  let now: () -> Instant
  /// A closure that returns the instant that follows another one after the duration of the timer.
  let later: (Instant) -> Instant
  let isBefore: (Instant, Instant) -> Bool
  let sleep: (Instant) async throws -> Void

  /// Creates a timer that uses a clock and has a duration.
  init<C: Clock>(_ clock: C, for duration: C.Duration) where C.Instant == Instant {
    now = { clock.now }
    later = { $0.advanced(by: duration) }
    isBefore = { $0 < $1 }
    sleep = { try await clock.sleep(until: $0, tolerance: nil) }
  }

  /// Creates a timer that uses a scheduler and has a duration.
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
