#if canImport(Combine)
public import Combine
#endif

// Effects that wait by a scheduler.

extension Effect {
  /// Waits before an effect begins, and begins to wait anew when the next one comes under the same id.
  ///
  /// ```swift
  /// return search(state.query).debounce(id: CancelID.search, for: .milliseconds(300), scheduler: mainQueue)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id, by which the effect can also be cancelled.
  ///   - dueTime: How long nothing else must come.
  ///   - scheduler: What measures the time.
  ///   - options: How the scheduler does it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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

  /// Waits before an effect begins, under a type as the id.
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

  /// Sends no more than one action in a time, whatever several effects under the same id send.
  ///
  /// ```swift
  /// return Effect.send(.saved).throttle(id: CancelID.save, for: 1, scheduler: mainQueue, latest: true)
  /// ```
  ///
  /// The first action is sent as soon as the scheduler comes to it. Of those that come too early one waits for the end of the
  /// time.
  ///
  /// - Parameters:
  ///   - id: The id, by which the effect can also be cancelled.
  ///   - interval: The least time between two actions.
  ///   - scheduler: What measures the time.
  ///   - latest: Whether the last action is the one that waits, rather than the first.
  /// - Returns: The effect.
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

  /// Sends no more than one action in a time, under a type as the id.
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

  /// Waits before an effect begins.
  ///
  /// - Parameters:
  ///   - dueTime: How long to wait.
  ///   - scheduler: What measures the time.
  ///   - options: How the scheduler does it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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

  /// The effect with each of its actions a time later.
  ///
  /// - Parameters:
  ///   - interval: The time.
  ///   - scheduler: What measures it.
  ///   - options: How the scheduler does it.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Sleep inside of \"run\".")
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: interval, options: options))
  }

  /// The effect with each of its actions sent when a scheduler comes to it.
  ///
  /// A store handles actions on the main actor, wherever they come from; in a test the actions wait for the test scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler.
  ///   - options: How it does it.
  /// - Returns: The effect.
  @available(*, deprecated, message: "Use the effect as it is.")
  public func receive<S: Scheduler>(
    on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Effect {
    delayed(EffectTimer(scheduler, for: .zero, options: options))
  }

  /// Sends the moment of a scheduler at an interval, until it is cancelled.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.timer, every: 1, on: mainQueue).map { _ in .tick }
  /// ```
  ///
  /// - Parameters:
  ///   - id: What it is cancelled by; a second timer under the same id takes the place of the first.
  ///   - interval: The time between two ticks.
  ///   - tolerance: How late a tick may be.
  ///   - scheduler: What measures the time.
  ///   - options: How it does it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effect.
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

  /// Sends the moment of a scheduler at an interval, under a type as the id.
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
