#if canImport(Combine)
public import Combine
#endif

// Extensions for effects that wait on a scheduler.

extension Effect {
  /// Returns an effect that starts after a delay, and that a later effect with the same id replaces.
  ///
  /// ```swift
  /// return search(state.query).debounce(id: CancelID.search, for: .milliseconds(300), scheduler: mainQueue)
  /// ```
  ///
  /// The replaced effect is canceled, even if its delay has ended.
  ///
  /// - Parameters:
  ///   - id: The cancellation id that the debounced effects share.
  ///   - dueTime: The length of the delay.
  ///   - scheduler: The scheduler that measures the delay.
  ///   - options: The options to pass to the scheduler.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that waits and then runs this one.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
  public func debounce<S: Scheduler>(
    id: some Hashable & Sendable,
    for dueTime: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    debounced(
      CancelID(here: id),
      EffectTimer(scheduler, for: dueTime, options: options),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns an effect that starts after a delay, and that a later effect with the same type as its id replaces.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
  public func debounce<S: Scheduler>(
    id: Any.Type,
    for dueTime: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    debounced(
      CancelID(here: id),
      EffectTimer(scheduler, for: dueTime, options: options),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns an effect that sends at most one action per interval, among all effects with the same id.
  ///
  /// ```swift
  /// return Effect.send(.saved).throttle(id: CancelID.save, for: 1, scheduler: mainQueue, latest: true)
  /// ```
  ///
  /// The effect sends the first action as soon as the scheduler is ready. If more actions arrive during the interval,
  /// the effect sends one of them at the end of the interval.
  ///
  /// - Parameters:
  ///   - id: The cancellation id that the throttled effects share.
  ///   - interval: The minimum time between two actions.
  ///   - scheduler: The scheduler that measures the interval.
  ///   - latest: Whether to send the last action that arrived during an interval. If `false`, the first one is sent.
  /// - Returns: An effect that drops or delays the actions of this one.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
  public func throttle<S: Scheduler>(
    id: some Hashable & Sendable,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: .zero))
      .throttled(CancelID(here: id), EffectTimer(scheduler, for: interval), latest: latest)
  }

  /// Returns an effect that sends at most one action per interval, among all effects with the same type as their id.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is canceled in flight.")
  public func throttle<S: Scheduler>(
    id: Any.Type,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: .zero))
      .throttled(CancelID(here: id), EffectTimer(scheduler, for: interval), latest: latest)
  }

  /// Returns an effect that starts after a delay.
  ///
  /// - Parameters:
  ///   - dueTime: The length of the delay.
  ///   - scheduler: The scheduler that measures the delay.
  ///   - options: The options to pass to the scheduler.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that waits and then runs this one.
  @available(*, deprecated, message: "Sleep inside of \"run\".")
  public func deferred<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect {
    deferred(
      EffectTimer(scheduler, for: dueTime, options: options),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Returns an effect that delays each action of this one.
  ///
  /// - Parameters:
  ///   - interval: The length of the delay.
  ///   - scheduler: The scheduler that measures the delay.
  ///   - options: The options to pass to the scheduler.
  /// - Returns: An effect that starts immediately and sends its actions later.
  @available(*, deprecated, message: "Sleep inside of \"run\".")
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: interval, options: options))
  }

  /// Returns an effect that sends each action of this one through a scheduler.
  ///
  /// A store handles actions on the main actor regardless of their origin. In a test, the actions wait for the test
  /// scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that sends the actions.
  ///   - options: The options to pass to the scheduler.
  /// - Returns: An effect whose actions wait for the scheduler.
  @available(*, deprecated, message: "Use the effect as it is.")
  public func receive<S: Scheduler>(
    on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: .zero, options: options))
  }

  /// Returns an effect that sends the scheduler's current time at regular intervals until the effect is canceled.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.timer, every: 1, on: mainQueue).map { _ in .tick }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id that cancels the timer. A second timer with the same id replaces the first.
  ///   - interval: The time between two ticks.
  ///   - tolerance: The maximum delay of a tick; `nil` for the scheduler's minimum.
  ///   - scheduler: The scheduler that measures the interval.
  ///   - options: The options to pass to the scheduler.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: An effect that sends the time of each tick.
  @available(*, deprecated, message: "Use \"run\", and the timer of a clock.")
  public static func timer<S: Scheduler>(
    id: some Hashable & Sendable,
    every interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil,
    on scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect where Action == S.SchedulerTimeType {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return timer(interval, tolerance, scheduler, options, at: location)
      .cancellable(id: id, cancelInFlight: true)
  }

  /// Returns an effect that sends the scheduler's current time at regular intervals, with a type as its id.
  @available(*, deprecated, message: "Use \"run\", and the timer of a clock.")
  public static func timer<S: Scheduler>(
    id: Any.Type,
    every interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil,
    on scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Effect where Action == S.SchedulerTimeType {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return timer(interval, tolerance, scheduler, options, at: location)
      .cancellable(id: id, cancelInFlight: true)
  }

  private static func timer<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride,
    _ tolerance: S.SchedulerTimeType.Stride?,
    _ scheduler: S,
    _ options: S.SchedulerOptions?,
    at location: IssueLocation
  ) -> Effect where Action == S.SchedulerTimeType {
    waiting(at: location) { send in
      let ticks = scheduler.timer(
        interval: interval,
        tolerance: tolerance ?? .zero,
        options: options
      )
      for await tick in ticks { await send(SentAction(action: tick)) }
    }
  }
}
