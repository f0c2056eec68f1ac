// Extensions for effects that wait on a clock.

extension Effect {
  /// Returns an effect that starts after a delay, and that a later effect with the same id replaces.
  ///
  /// ```swift
  /// return search(state.query).debounce(id: CancelID.search, for: .milliseconds(300), clock: clock)
  /// ```
  ///
  /// The replaced effect is canceled, even if its delay has ended.
  ///
  /// - Parameters:
  ///   - id: The cancellation id that the debounced effects share.
  ///   - dueTime: The length of the delay.
  ///   - clock: The clock that measures the delay.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that waits and then runs this one.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
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

  /// Returns an effect that starts after a delay, and that a later effect with the same id replaces.
  ///
  /// The delay is measured by a clock of any type, such as `@Dependency(\.continuousClock)`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
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

  /// Returns an effect that sends at most one action per interval, among all effects with the same id.
  ///
  /// ```swift
  /// return Effect.send(.saved).throttle(id: CancelID.save, for: .seconds(1), clock: clock, latest: true)
  /// ```
  ///
  /// The effect sends the first action immediately. If more actions arrive during the interval, the effect sends one of
  /// them at the end of the interval.
  ///
  /// - Parameters:
  ///   - id: The cancellation id that the throttled effects share.
  ///   - interval: The minimum time between two actions.
  ///   - clock: The clock that measures the interval.
  ///   - latest: Whether to send the last action that arrived during an interval. If `false`, the first one is sent.
  /// - Returns: An effect that drops or delays the actions of this one.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
  public func throttle<C: Clock>(
    id: some Hashable & Sendable,
    for interval: C.Duration,
    clock: C,
    latest: Bool
  ) -> Effect where C.Duration: Sendable {
    throttled(CancelID(here: id), EffectTimer(clock, for: interval), latest: latest)
  }

  /// Returns an effect that sends at most one action per interval, among all effects with the same id.
  ///
  /// The interval is measured by a clock of any type, such as `@Dependency(\.continuousClock)`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
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

  /// Returns an effect that starts after a delay.
  ///
  /// - Parameters:
  ///   - dueTime: The length of the delay.
  ///   - clock: The clock that measures the delay.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that waits and then runs this one.
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

  /// Returns an effect that starts after a delay, measured by a clock such as `@Dependency(\.continuousClock)`.
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

  /// Returns an effect that sends the time since the timer started, at regular intervals until the effect is canceled.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.timer, every: .seconds(1), on: clock).map { _ in .tick }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id that cancels the timer. A second timer with the same id replaces the first.
  ///   - interval: The time between two ticks.
  ///   - tolerance: The maximum delay of a tick; `nil` for the tolerance that the clock chooses.
  ///   - clock: The clock that measures the interval.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends the elapsed time at each tick.
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
