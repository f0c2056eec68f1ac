// Effects that wait on a clock.

extension Effect {
  /// Delays the start of an effect, and restarts the delay when another effect with the same id arrives.
  ///
  /// ```swift
  /// return search(state.query).debounce(id: CancelID.search, for: .milliseconds(300), clock: clock)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id, which can also cancel the effect.
  ///   - dueTime: The time that must pass without another effect.
  ///   - clock: The clock that measures the time.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The debounced effect.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
  public func debounce<C: Clock>(
    id: some Hashable & Sendable,
    for dueTime: C.Duration,
    clock: C,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect where C.Duration: Sendable {
    debounced(
      CancelID(here: id),
      EffectTimer(clock, for: dueTime),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Delays the start of an effect by a clock such as `@Dependency(\.continuousClock)`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
  public func debounce(
    id: some Hashable & Sendable,
    for dueTime: Duration,
    clock: any Clock<Duration>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    func debounce(_ clock: some Clock<Duration>) -> Effect {
      debounced(CancelID(here: id), EffectTimer(clock, for: dueTime), at: location)
    }
    return debounce(clock)
  }

  /// Sends at most one action per interval, among all effects with the same id.
  ///
  /// ```swift
  /// return Effect.send(.saved).throttle(id: CancelID.save, for: .seconds(1), clock: clock, latest: true)
  /// ```
  ///
  /// The effect sends the first action immediately. If more actions arrive during the interval, it sends one of them at
  /// the end of the interval.
  ///
  /// - Parameters:
  ///   - id: The id, which can also cancel the effect.
  ///   - interval: The minimum time between two actions.
  ///   - clock: The clock that measures the time.
  ///   - latest: Whether to send the last action of an interval instead of the first.
  /// - Returns: The throttled effect.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
  public func throttle<C: Clock>(
    id: some Hashable & Sendable,
    for interval: C.Duration,
    clock: C,
    latest: Bool
  ) -> Effect where C.Duration: Sendable {
    throttled(CancelID(here: id), EffectTimer(clock, for: interval), latest: latest)
  }

  /// Sends at most one action per interval, by a clock such as `@Dependency(\.continuousClock)`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
  public func throttle(
    id: some Hashable & Sendable,
    for interval: Duration,
    clock: any Clock<Duration>,
    latest: Bool
  ) -> Effect {
    func throttle(_ clock: some Clock<Duration>) -> Effect {
      throttled(CancelID(here: id), EffectTimer(clock, for: interval), latest: latest)
    }
    return throttle(clock)
  }

  /// Delays the start of an effect.
  ///
  /// - Parameters:
  ///   - dueTime: The length of the delay.
  ///   - clock: The clock that measures the time.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The delayed effect.
  @available(*, deprecated, message: "Sleep inside of \"run\".")
  public func deferred<C: Clock>(
    for dueTime: C.Duration,
    clock: C,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect where C.Duration: Sendable {
    deferred(
      EffectTimer(clock, for: dueTime),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Delays the start of an effect by a clock such as `@Dependency(\.continuousClock)`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Sleep inside of \"run\".")
  public func deferred(
    for dueTime: Duration,
    clock: any Clock<Duration>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    func wait(_ clock: some Clock<Duration>) -> Effect {
      deferred(EffectTimer(clock, for: dueTime), at: location)
    }
    return wait(clock)
  }

  /// Sends the time since its start at regular intervals until it is cancelled.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.timer, every: .seconds(1), on: clock).map { _ in .tick }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id that cancels the timer. A second timer with the same id replaces the first.
  ///   - interval: The time between two ticks.
  ///   - tolerance: The maximum delay of a tick.
  ///   - clock: The clock that measures the time.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect, which sends the elapsed time.
  @available(*, deprecated, message: "Use \"run\", and the timer of the clock.")
  public static func timer<C: Clock>(
    id: some Hashable & Sendable,
    every interval: C.Duration,
    tolerance: C.Duration? = nil,
    on clock: C,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect where Action == C.Duration, C.Duration: Sendable {
    .run(
      operation: { send in
        for await tick in clock.timer(interval: interval, tolerance: tolerance) {
          await send(tick)
        }
      },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    .cancellable(id: id, cancelInFlight: true)
  }
}
