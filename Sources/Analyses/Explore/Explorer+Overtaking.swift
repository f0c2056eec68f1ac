import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

extension Explorer {
  /// The first answer of the recorded order that replaces the one of a newer effect.
  ///
  /// The log is replayed without the newer answer: the older one replaces it if it leaves the same value then.
  ///
  /// - Parameter causes: The log, with what follows from what.
  /// - Returns: The answer; `nil` where none replaces another one, or no replay shows it.
  /// - Throws: `LogCursor.BrokenPatch`.
  func recordedOvertaking(_ causes: CausalLog) throws -> Overtaking.Recorded? {
    for recorded in log.overtaking.recorded where !isTimeUp() {
      if try leavesSameValue(recorded, causes) { return recorded }
    }
    return nil
  }

  private func leavesSameValue(
    _ recorded: Overtaking.Recorded,
    _ causes: CausalLog
  ) throws -> Bool {
    guard let newer = causes.units.firstIndex(where: { $0.seq == recorded.newer }) else {
      return false
    }
    let subset = CausalLog.Subset(units: causes.without([newer], of: causes.all))
    let events = causes.events(of: subset).map { event in
      guard case .action(var action) = event else { return event }
      action.originalSeq = action.seq
      return .action(action)
    }
    // Where the host fails, nothing is shown.
    guard let outcome = try? replayer.replay(events) else { return false }
    var rest = outcome.events[...]
    var contexts = ActionContexts { rest.popFirst() }
    while let context = try contexts.next() {
      guard context.action?.originalSeq == recorded.seq else { continue }
      return context.state[recorded.place.pointer] == recorded.value
    }
    return false
  }
}
