extension Messages {
  // MARK: State

  static func stateMismatch<State>(expected: State, actual: State) -> String {
    """
    A state change does not match expectation: …

    \(difference(expected, actual))
    """
  }

  static func unexpectedChange<State>(from expected: State, to actual: State) -> String {
    """
    State was not expected to change, but a change occurred: …

    \(difference(expected, actual))
    """
  }

  static let noChange = """
    Expected state to change, but no change occurred.

    The closure of the assertion leaves the state as it was. If no change is expected, omit it.
    """

  static func assertionThrew(_ error: any Error) -> String {
    "Threw error: \(error)"
  }

  /// Returns the differences between two values, as lines of text.
  static func difference<Value>(_ expected: Value, _ actual: Value) -> String {
    guard let difference = diff(expected, actual, format: .proportional) else {
      return String(customDumping: actual).indentedByFour
    }
    return """
      \(difference.indentedByFour)

      (Expected: −, Actual: +)
      """
  }

  static func sharedChangesAtEnd(_ changes: [UnassertedSharedChange]) -> String {
    let differences = changes.map { change in
      """
      \(change.name): …

      \(difference(change.before, change.after))
      """
    }
    return """
      Test store finished before asserting against changes to shared state.

      Assert them where they happen, or with "assert" at the end of the test. Unasserted changes: …

      \(differences.joined(separator: "\n\n"))
      """
  }

  // MARK: Actions

  static func sentToDismissedStore<Action>(_ action: Action) -> String {
    """
    Can't send action to dismissed test store.

    The feature has dismissed itself, and the action was not sent: …

    \(String(customDumping: action).indentedByFour)
    """
  }

  static func receivedBeforeSending<Action>(_ actions: [Action]) -> String {
    """
    Must handle \(actions.count) received \(plural("action", actions.count)) before sending an action.

    Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled actions: …

    \(valueList(actions))
    """
  }

  static func receivedAtEnd<Action>(_ actions: [Action]) -> String {
    """
    The store received \(actions.count) unexpected \(plural("action", actions.count)) by the end of \
    this test.

    Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled actions: …

    \(valueList(actions))
    """
  }

  static func receivedNothing<State, Action>(
    _ expected: String,
    _ action: Action?,
    running: [TestStepRecord<State, Action>.RunningAction],
    others: [Action],
    limit: Duration
  ) -> String {
    let found =
      others.isEmpty
      ? "received none"
      : "received only \(others.count) other \(plural("action", others.count))"
    let after = running.isEmpty ? "" : " after \(limit)"
    var paragraphs = ["Expected to receive \(expected), but \(found)\(after)."]
    if let action {
      paragraphs[0] += " Expected: …"
      paragraphs.append(valueList([action]))
    }
    if !others.isEmpty { paragraphs += ["Received: …", valueList(others)] }
    if running.isEmpty {
      paragraphs.append(
        """
        No effect is running that could send it. Was the effect canceled, or has it ended without \
        sending?
        """
      )
    } else {
      paragraphs += ["These effects are still running: …", lines(of: running), waitingAdvice]
    }
    return paragraphs.joined(separator: "\n\n")
  }

  static func receivedAnother(_ mismatch: String, comesLater: Bool) -> String {
    """
    Received unexpected action\(comesLater ? " before this one" : ""): …

    \(mismatch)
    """
  }

  static func notMatching<Action>(_ expected: String, _ action: Action) -> String {
    """
    Expected \(expected), but received: …

    \(String(customDumping: action).indentedByFour)
    """
  }

  static let anAction = "an action"
  static let matchingCase = "an action matching the case path"
  static let matchingPredicate = "an action matching the predicate"

  // MARK: Effects

  static func effectsRunning<State, Action>(
    _ running: [TestStepRecord<State, Action>.RunningAction],
    limit: Duration
  ) -> String {
    let count = running.flatMap(\.lines).count
    return """
      Expected effects to finish, but \(count) \(count == 1 ? "is" : "are") still running after \(limit): …

      \(lines(of: running))

      \(waitingAdvice)
      """
  }

  static func effectsRunningAtEnd<State, Action>(
    _ running: TestStepRecord<State, Action>.RunningAction
  ) -> String {
    let names = running.effects.compactMap(\.name).map { "\"\($0)\"" }.joined(separator: ", ")
    let places = running.effects.map(\.location.place).joined(separator: ", ")
    return """
      An effect\(names.isEmpty ? "" : " \(names)") returned for this action is still running. It must \
      complete before the end of the test. …

      \(String(customDumping: running.action).indentedByFour)

      It was started at \(places).

      Receive the actions that it sends, advance the test clock that it sleeps on, cancel it through \
      the task of its "send", or leave it running on purpose with "skipInFlightEffects".
      """
  }

  // The list is empty if the task waits only for the dismissal of a presented feature.
  static func taskRunning(_ effects: [String], limit: Duration) -> String {
    guard !effects.isEmpty else {
      return """
        Expected task to finish, but it is still running after \(limit): a feature that its action \
        has presented is still there.

        Dismiss the feature, or cancel the task.
        """
    }
    return """
      Expected task to finish, but it is still running after \(limit): …

      \(effects.joined(separator: "\n").indentedByFour)

      \(waitingAdvice)
      """
  }

  /// Describes a running effect by its source location, its name, and the action that started it.
  static func running(_ effect: EffectRegistry.RunningEffect?, of action: Any) -> String {
    let starter = "started by \(ActionLabel.whole(action))"
    guard let effect else { return "an effect, \(starter)" }
    let name = effect.name.map { " \"\($0)\"" } ?? ""
    return "\(effect.location.place)\(name), \(starter)"
  }

  private static func lines<State, Action>(
    of running: [TestStepRecord<State, Action>.RunningAction]
  ) -> String {
    running.flatMap(\.lines).joined(separator: "\n").indentedByFour
  }

  private static let waitingAdvice = """
    If an effect sleeps on a test clock, advance the clock. If it needs more time, give a longer \
    "timeout". If it never ends, cancel it.
    """

  // MARK: Skipping

  static func skipped(_ message: String) -> String {
    """
    Skipped assertions: …

    \(message)
    """
  }

  static func skippedActions<Action>(_ actions: [Action]) -> String {
    """
    \(actions.count) received \(plural("action", actions.count)) skipped: …

    \(valueList(actions))
    """
  }

  static func skippedEffects<State, Action>(
    _ running: [TestStepRecord<State, Action>.RunningAction]
  ) -> String {
    let count = running.flatMap(\.lines).count
    return """
      \(count) running \(plural("effect", count)) skipped: …

      \(lines(of: running))
      """
  }

  static let nothingReceivedToSkip = """
    There were no received actions to skip. Remove "skipReceivedActions", or give it "strict: false".
    """

  static let noEffectsToSkip = """
    There were no running effects to skip. Remove "skipInFlightEffects", or give it "strict: false".
    """

  // MARK: Text

  private static func valueList<Value>(_ values: [Value]) -> String {
    let text =
      values.count == 1 ? String(customDumping: values[0]) : String(customDumping: values)
    return text.indentedByFour
  }

  private static func plural(_ noun: String, _ count: Int) -> String {
    count == 1 ? noun : noun + "s"
  }
}

extension TestStepRecord.RunningAction {
  /// The text that describes the running effects, one line for each effect.
  var lines: [String] {
    effects.isEmpty
      ? [Messages.running(nil, of: action)] : effects.map { Messages.running($0, of: action) }
  }
}
