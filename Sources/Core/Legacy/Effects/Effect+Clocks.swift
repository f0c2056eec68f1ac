// Effects that wait by a clock.

extension Effect {
  /// Waits before an effect begins, and begins to wait anew when the next one comes under the same id.
  ///
  /// ```swift
  /// return search(state.query).debounce(id: CancelID.search, for: .milliseconds(300), clock: clock)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id, by which the effect can also be cancelled.
  ///   - dueTime: How long nothing else must come.
  ///   - clock: What measures the time.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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

  /// Waits before an effect begins, by a clock such as `@Dependency(\.continuousClock)`.
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
    throttled(CancelID(here: id), EffectTimer(clock, for: interval), latest: latest)
  }

  /// Sends no more than one action in a time, by a clock such as `@Dependency(\.continuousClock)`.
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
    deferred(
      EffectTimer(clock, for: dueTime),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Waits before an effect begins, by a clock such as `@Dependency(\.continuousClock)`.
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

  /// Sends the time since its start at an interval, until it is cancelled.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.timer, every: .seconds(1), on: clock).map { _ in .tick }
  /// ```
  ///
  /// - Parameters:
  ///   - id: What it is cancelled by; a second timer under the same id takes the place of the first.
  ///   - interval: The time between two ticks.
  ///   - tolerance: How late a tick may be.
  ///   - clock: What measures the time.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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
