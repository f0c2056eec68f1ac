import ReplayDebugger

/// A way through the log that a client has asked for.
struct ExecutionRequest {
  /// How it goes.
  enum Kind: String {
    case resume = "continue"
    case reverseResume = "reverseContinue"
    case next, stepIn, stepOut, stepBack
  }

  let kind: Kind
  /// The number of the request.
  let request: Int
  /// When it began, in seconds, and where.
  let start: (time: Double, seq: Int)
  /// The last report of its progress; `nil` when there was none.
  var report: (id: String, time: Double)?

  /// Goes on from where the session stands.
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

  /// Whether it leads to the same place when it is interrupted and begun again: other ways depend on where they began.
  var canBeContinued: Bool { kind == .resume || kind == .reverseResume }

  /// How much of the log it has passed, in percent of what it may pass.
  func percentage(at seq: Int, last: Int) -> Double {
    let (passed, all) =
      kind == .reverseResume || kind == .stepBack
      ? (start.seq - seq, start.seq) : (seq - start.seq, last - start.seq)
    return all > 0 ? min(max(Double(passed) / Double(all) * 100, 0), 100) : 0
  }
}
