import Synchronization

#if canImport(Combine)
import Combine
#endif

// The parts of effects that wait, for clocks and schedulers.

extension Effect {
  /// The effect after a time in which no other one came under the same id.
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

  /// The effect after a time.
  func deferred<Instant>(_ timer: EffectTimer<Instant>, at location: IssueLocation) -> Effect {
    let wait = Effect.waiting(at: location) { _ in
      try await timer.sleep(timer.later(timer.now()))
    }
    return .concatenate(wait, self)
  }

  /// Work that waits, of which the compiler need not see that it can go anywhere.
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

  /// The effect with each of its actions a time later.
  func delayed<Instant>(_ timer: EffectTimer<Instant>) -> Effect {
    passing {
      UncheckedSendable(timer.later(timer.now()))
    } through: { sent, deadline in
      try await timer.sleep(deadline.value)
      return sent
    }
  }

  /// The effect with no more than one action in a time, together with all others under the same id.
  func throttled<Instant>(
    _ id: CancelID,
    _ timer: EffectTimer<Instant>,
    latest: Bool
  ) -> Effect {
    let context = DependencyValues._current.storeContext
    let throttles = context?.attachment(for: .throttles(at: id.path)) { Throttles() } ?? Throttles()
    let throttled = passing {
    } through: { sent, _ in
      let turn = throttles.turn(of: sent, under: id, timer, latest: latest)
      if let start = turn.start { try await timer.sleep(start.value) }
      throttles.startWindow(id, at: timer.now())
      return turn.action
    }
    guard !throttled.isNone else { return throttled }
    return Effect(operation: .cancellable(throttled, id, cancelInFlight: true))
  }

  /// The effect with something done between each action and its being sent.
  ///
  /// - Parameters:
  ///   - note: What is known of an action at the moment when it comes.
  ///   - step: What is done, one action after the other; it gives the action that is sent.
  /// - Returns: The effect.
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

  /// The effect with work in the place of all actions that are sent at once, so that they can wait.
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
  /// The work with what takes its errors, and something that is done at its end.
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

/// When the throttled effects of a feature have sent last, and what waits.
private final class Throttles: Sendable {
  private struct ThrottleWindow: Sendable {
    /// An instant; those of schedulers are values that do not all say that they are `Sendable`.
    var start: UncheckedSendable<Any>
    var waiting: (any Sendable)?
  }

  private let entries = Mutex<[CancelID: ThrottleWindow]>([:])

  /// Which action is sent, and when; nil for at once.
  func turn<Action, Instant>(
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

  /// Takes note that an action is sent.
  func startWindow<Instant>(_ id: CancelID, at now: Instant) {
    let start = UncheckedSendable<Any>(now)
    entries.withLock { $0[id] = ThrottleWindow(start: start, waiting: nil) }
  }
}

extension AttachmentKey {
  /// Those of a feature, which go with it.
  fileprivate static func throttles(at path: [NavigationID]) -> AttachmentKey {
    AttachmentKey(fileID: #fileID, line: #line, column: #column, path: path)
  }
}

/// The timer of effects that wait: a clock, or a scheduler.
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
