import ActionLog

/// One of the two compared logs, at a step, with the state before that step.
struct AlignedSide {
  private var steps: LoggedSteps
  private var cursor = LogCursor()
  /// The current step; `nil` after the last one.
  private(set) var step: LoggedSteps.LoggedStep?
  private(set) var index = -1
  /// Whether a checkpoint has restored a state that was unknown before it.
  var hasNewState = false

  init(_ events: @escaping LogComparison.Events) { steps = LoggedSteps(events) }

  /// The state; `nil` if the log does not contain it.
  var state: JSON? { cursor.state }

  /// Moves to the next step and skips checkpoints.
  mutating func prepare() throws {
    step = nil
    index += 1
    while let item = try steps.next() {
      switch item {
      case .step(let step):
        self.step = step
        return
      case .checkpoint(let checkpoint):
        let isKnown = cursor.state != nil
        try? cursor.move(to: .checkpoint(checkpoint))
        try? cursor.apply()
        if !isKnown { hasNewState = true }
      }
    }
  }

  /// Applies the change of the step to the state.
  ///
  /// - Returns: A difference if the change does not fit the state.
  mutating func apply(of seq: Int) -> [LogDifference] {
    guard let update = step?.update else { return [] }
    do throws(LogCursor.BrokenPatch) {
      try cursor.move(to: update)
      try cursor.apply()
      return []
    } catch {
      return [
        LogDifference(
          seq: seq,
          cause: .sequence,
          subject: error.error.operation.path.description,
          message: "the patch does not fit the state: \(error.error)"
        )
      ]
    }
  }
}
