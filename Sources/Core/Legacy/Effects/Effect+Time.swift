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
    let wait = Effect.run(
      operation: { _ in try await clock.sleep(for: dueTime, tolerance: nil) },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    return .concatenate(wait, self).cancellable(id: id, cancelInFlight: true)
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
