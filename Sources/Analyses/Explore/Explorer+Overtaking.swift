import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

extension Explorer {
  /// Returns the first action in the recorded order that overwrites the result of a newer effect.
  ///
  /// Each candidate is confirmed by a replay without the newer effect's action. If the older effect's action still
  /// writes the same value, it does not depend on the newer result and has overwritten it.
  ///
  /// - Parameter causes: The log with its causal dependencies.
  /// - Returns: The overwriting action, or `nil` if no replay confirms one.
  /// - Throws: `LogCursor.BrokenPatch` if a patch of the replay does not fit.
  func recordedOvertaking(_ causes: CausalLog) throws -> OvertakingRaces.RecordedRace? {
    for recorded in log.overtaking.recorded where !isTimeUp() {
      if try leavesSameValue(recorded, causes) { return recorded }
    }
    return nil
  }

  private func leavesSameValue(
    _ recorded: OvertakingRaces.RecordedRace,
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
    // If the replay fails, overtaking is not confirmed.
    guard let outcome = try? replayer.replay(events) else { return false }
    var rest = outcome.events[...]
    var contexts = ConditionContextReader { rest.popFirst() }
    while let context = try contexts.next() {
      guard context.action?.originalSeq == recorded.seq else { continue }
      return context.state[recorded.place.pointer] == recorded.value
    }
    return false
  }
}
