import ActionLog

/// One of the two compared logs, positioned at a step, with the state before that step.
struct ComparedLogCursor {
  private var steps: LoggedSteps
  private var cursor = LogCursor()
  /// The current step, or `nil` after the last step.
  private(set) var step: LoggedSteps.LoggedStep?
  private(set) var index = -1
  /// Whether a checkpoint has restored an unknown state since the last comparison of states.
  var hasNewState = false

  init(_ events: @escaping LogComparison.Events) { steps = LoggedSteps(events) }

  /// The state at the current position, or `nil` if the log does not contain it.
  var state: JSON? { cursor.state }

  /// Reads the next step and applies the checkpoints before it.
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

  /// Applies the change of the current step to the state.
  ///
  /// - Parameter seq: The action number for the difference.
  /// - Returns: A difference if the patch does not fit the state; otherwise, an empty array.
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
