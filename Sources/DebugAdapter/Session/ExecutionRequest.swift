import ReplayDebugger

/// An execution request in progress.
struct ExecutionRequest {
  /// The kind of execution.
  ///
  /// The raw value is the command of the request.
  enum Kind: String {
    case resume = "continue"
    case reverseResume = "reverseContinue"
    case next, stepIn, stepOut, stepBack
  }

  let kind: Kind
  /// The number of the request.
  let request: Int
  /// The time in seconds and the number of the action at which the execution started.
  let start: (time: Double, seq: Int)
  /// The last progress report, or `nil` if there was none.
  var report: (id: String, time: Double)?

  /// Continues from the session's current step.
  func go(_ session: DebugSession) throws -> Stop {
    switch kind {
    case .resume: try session.resume()
    case .reverseResume: try session.reverseResume()
    case .next: try session.next()
    case .stepIn: try session.step()
    case .stepOut: try session.finish()
    case .stepBack: try session.reverseStep()
    }
  }

  /// Whether the execution reaches the same step if it is interrupted and started again.
  ///
  /// The result of other kinds, such as `next`, depends on the step at which they started.
  var canBeContinued: Bool { kind == .resume || kind == .reverseResume }

  /// Returns the progress in percent, relative to the number of actions up to the end or the start of the log.
  func percentage(at seq: Int, last: Int) -> Double {
    let (passed, all) =
      kind == .reverseResume || kind == .stepBack
      ? (start.seq - seq, start.seq) : (seq - start.seq, last - start.seq)
    return all > 0 ? min(max(Double(passed) / Double(all) * 100, 0), 100) : 0
  }
}
