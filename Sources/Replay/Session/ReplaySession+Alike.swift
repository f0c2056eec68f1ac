import ActionLog

/// Actions that come out as they were recorded: nobody has to look at their events.
///
/// That is nearly all of nearly all logs, and making and aligning events takes longer than reducing.
extension ReplaySession {
  /// Replays actions for as long as nothing comes of each but its recorded patch, and gives no events of them.
  ///
  /// The events of the one that comes out in another way are the next ones.
  ///
  /// - Returns: The actions that came out as recorded; `nil` when none did.
  mutating func passAlike() throws -> LogComparison.PassedActions? {
    guard isQuiet, var engine, var source = input.takeSource() else { return nil }
    guard source.nextPlainLines() != nil else {
      input.putBack(source)
      return nil
    }
    pending = []
    let first = seq &+ 1
    var steps = PlainSteps(
      source,
      behind: seq,
      until: until,
      effects: effects,
      recordedSends: recordedSends
    )
    // What works on something is its one owner, so that it is changed where it is.
    self.engine = nil
    effects = SimulatedEffects()
    let outcome: Result<StepOutcome, any Error>
    do { outcome = .success(try engine.advance(&steps) ?? StepOutcome()) } catch {
      outcome = .failure(error)
    }
    let end = steps.finish()
    self.engine = engine
    effects = end.effects
    input.putBack(end.source)
    take(end.passed, from: first)
    if end.isOpen { try conclude(outcome) }
    return end.passed.seq < first ? nil : end.passed
  }

  /// Leads the session on through actions that came out as recorded.
  private mutating func take(_ passed: LogComparison.PassedActions, from first: Int) {
    guard passed.seq >= first else { return }
    seq = passed.seq
    numbers.note(alike: first...seq)
    do throws(PatchedState.Failure) { try state?.append(passed.patches) } catch { state = nil }
  }

  /// Gives the events of the action that came out in another way.
  private mutating func conclude(_ outcome: Result<StepOutcome, any Error>) throws {
    guard case .action(let action)? = try input.next() else { return }
    let recorded = try recordedAction(action)
    // What the line of its change hides was thought to be there.
    let outcome = outcome.map { $0.leavingOutReads(isUnfinished: recorded.isUnfinished) }
    seq = action.seq
    numbers.note(alike: seq...seq)
    output.append(.action(action))
    conclude(Step(action, recorded), outcome)
  }

  /// Whether all patches were those of the recording, with which the replay is compared.
  var isBesideRecording: Bool {
    input.comparison != .nowhere && !isResyncing && divergedStates == nil && drift.places.isEmpty
      && numbers.areTheLogs
  }

  /// Whether the replay stands between actions.
  private var isQuiet: Bool {
    guard isBesideRecording, given == output.count, !isStopped, !isAfterGap, !effects.hasProduced
    else { return false }
    return pending.allSatisfy(\.isDrain)
  }
}

extension StepOutcome {
  /// The outcome of an action within which the recording may end: then reads may be missing.
  fileprivate func leavingOutReads(isUnfinished: Bool) -> StepOutcome {
    guard isUnfinished else { return self }
    var outcome = self
    outcome.findings.removeAll { $0.code == .unrecordedRead }
    return outcome
  }
}

extension ReplaySession.WorkItem {
  fileprivate var isDrain: Bool {
    if case .drain = self { true } else { false }
  }
}
