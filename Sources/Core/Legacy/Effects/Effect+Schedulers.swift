#if canImport(Combine)
public import Combine
#endif

// Effects that wait on a scheduler.

extension Effect {
  /// Delays the start of an effect, and restarts the delay when another effect with the same id arrives.
  ///
  /// ```swift
  /// return search(state.query).debounce(id: CancelID.search, for: .milliseconds(300), scheduler: mainQueue)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id, which can also cancel the effect.
  ///   - dueTime: The time that must pass without another effect.
  ///   - scheduler: The scheduler that measures the time.
  ///   - options: The options of the scheduler.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The debounced effect.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
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

  /// Delays the start of an effect, with a type as the id.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
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

  /// Sends at most one action per interval, among all effects with the same id.
  ///
  /// ```swift
  /// return Effect.send(.saved).throttle(id: CancelID.save, for: 1, scheduler: mainQueue, latest: true)
  /// ```
  ///
  /// The effect sends the first action as soon as the scheduler runs it. If more actions arrive during the interval, it
  /// sends one of them at the end of the interval.
  ///
  /// - Parameters:
  ///   - id: The id, which can also cancel the effect.
  ///   - interval: The minimum time between two actions.
  ///   - scheduler: The scheduler that measures the time.
  ///   - latest: Whether to send the last action of an interval instead of the first.
  /// - Returns: The throttled effect.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
  public func throttle<S: Scheduler>(
    id: some Hashable & Sendable,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: .zero))
      .throttled(CancelID(here: id), EffectTimer(scheduler, for: interval), latest: latest)
  }

  /// Sends at most one action per interval, with a type as the id.
  @available(*, deprecated, message: "Sleep inside of a \"run\" that is cancelled in flight.")
  public func throttle<S: Scheduler>(
    id: Any.Type,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: .zero))
      .throttled(CancelID(here: id), EffectTimer(scheduler, for: interval), latest: latest)
  }

  /// Delays the start of an effect.
  ///
  /// - Parameters:
  ///   - dueTime: The length of the delay.
  ///   - scheduler: The scheduler that measures the time.
  ///   - options: The options of the scheduler.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The delayed effect.
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

  /// Delays each action of an effect.
  ///
  /// - Parameters:
  ///   - interval: The length of the delay.
  ///   - scheduler: The scheduler that measures the time.
  ///   - options: The options of the scheduler.
  /// - Returns: The delayed effect.
  @available(*, deprecated, message: "Sleep inside of \"run\".")
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: interval, options: options))
  }

  /// Sends each action of an effect through a scheduler.
  ///
  /// A store handles actions on the main actor regardless of their origin. In a test, the actions wait for the test
  /// scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that sends the actions.
  ///   - options: The options of the scheduler.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Use the effect as it is.")
  public func receive<S: Scheduler>(
    on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: .zero, options: options))
  }

  /// Sends the scheduler's current time at regular intervals until it is cancelled.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.timer, every: 1, on: mainQueue).map { _ in .tick }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id that cancels the timer. A second timer with the same id replaces the first.
  ///   - interval: The time between two ticks.
  ///   - tolerance: The maximum delay of a tick.
  ///   - scheduler: The scheduler that measures the time.
  ///   - options: The options of the scheduler.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect, which sends the time of each tick.
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

  /// Sends the scheduler's current time at regular intervals, with a type as the id.
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
