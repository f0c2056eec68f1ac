import Synchronization

extension Effect {
  /// Sends no more than one action in a time, whatever several effects under the same id send.
  ///
  /// ```swift
  /// return Effect.send(.saved).throttle(id: CancelID.save, for: .seconds(1), clock: clock, latest: true)
  /// ```
  ///
  /// The first action is sent at once. Of those that come too early one waits for the end of the time.
  ///
  /// - Parameters:
  ///   - id: The id, by which the effect can also be cancelled.
  ///   - interval: The least time between two actions.
  ///   - clock: What measures the time.
  ///   - latest: Whether the last action is the one that waits, rather than the first.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
  public func throttle<C: Clock>(
    id: some Hashable & Sendable,
    for interval: C.Duration,
    clock: C,
    latest: Bool
  ) -> Effect where C.Duration: Sendable {
    let id = CancelID(here: id)
    let context = DependencyValues._current.storeContext
    let throttles = context?.attachment(for: .throttles) { Throttles() } ?? Throttles()
    let throttled = sendingInRuns.replacingRuns { run in
      { send in
        let (actions, continuation) = AsyncStream<SentAction<Action>>.makeStream()
        let early = Send<Action> { continuation.yield(SentAction(action: $0)) }
        let work = run.finishing(with: early) { continuation.finish() }
        async let end: Void = work()
        for await sent in actions {
          let turn = throttles.turn(
            of: sent,
            under: id,
            at: clock.now,
            interval: interval,
            latest: latest
          )
          if let start = turn.start { try await clock.sleep(until: start, tolerance: nil) }
          throttles.begin(id, at: clock.now)
          await send(turn.action)
        }
        try await end
      }
    } send: {
      $0
    }
    guard !throttled.isNone else { return throttled }
    return Effect(operation: .cancellable(throttled, id, cancelInFlight: true))
  }

  /// Waits before an effect begins.
  ///
  /// - Parameters:
  ///   - dueTime: How long to wait.
  ///   - clock: What measures the time.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Sleep inside of \"run\".")
  public func deferred<C: Clock>(
    for dueTime: C.Duration,
    clock: C,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect where C.Duration: Sendable {
    let wait = Effect.run(
      operation: { _ in try await clock.sleep(for: dueTime, tolerance: nil) },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    return .concatenate(wait, self)
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

/// When the throttled effects of a store have sent last, and what waits.
private final class Throttles: Sendable {
  private struct Entry: Sendable {
    var start: any Sendable
    var waiting: (any Sendable)?
  }

  private let entries = Mutex<[CancelID: Entry]>([:])

  /// Which action is sent, and when; nil for at once.
  func turn<Action, Instant: InstantProtocol>(
    of sent: SentAction<Action>,
    under id: CancelID,
    at now: Instant,
    interval: Instant.Duration,
    latest: Bool
  ) -> (action: SentAction<Action>, start: Instant?) {
    entries.withLock { entries in
      guard let entry = entries[id], let last = entry.start as? Instant else { return (sent, nil) }
      let action = latest ? sent : entry.waiting as? SentAction<Action> ?? sent
      let start = last.advanced(by: interval)
      guard now < start else { return (action, nil) }
      entries[id]?.waiting = action
      return (action, start)
    }
  }

  /// Takes note that an action is sent.
  func begin(_ id: CancelID, at now: some InstantProtocol) {
    entries.withLock { $0[id] = Entry(start: now, waiting: nil) }
  }
}

extension AttachmentKey {
  fileprivate static var throttles: AttachmentKey {
    AttachmentKey(fileID: #fileID, line: #line, column: #column, path: [])
  }
}
