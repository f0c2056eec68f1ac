import ActionLog
import LogTools
import ReplayEngine

/// A breakpoint, watchpoint, or logpoint, which applies to moves in both directions.
package struct Breakpoint: Sendable {
  /// The steps that a breakpoint matches.
  package enum Target: Sendable {
    /// The action with a number.
    case number(Int)
    /// Actions that match a pattern.
    case action(ActionPattern)
    /// Steps that start an effect, that the effect sends, or that end the effect.
    ///
    /// The effect is given by its name, its id, or its cancellation id.
    case effect(String)
    /// Actions whose reducer reads the value with a key.
    case read(String)
    /// Actions for which a condition holds.
    case condition(Condition)
    /// Steps that change the values at a path.
    case change(PathWatch)
    /// Steps with a kind of problem.
    case problem(LogStep.ProblemKind)
  }

  /// The number of the breakpoint, counted from 1.
  package let number: Int
  package let target: Target
  /// The target as the user typed it.
  package let text: String
  /// Whether the breakpoint is deleted at its first stop.
  package let isTemporary: Bool
  /// A condition that must also hold for a match, or `nil` if there is none.
  package var condition: (text: String, condition: Condition)?
  /// The message of a logpoint, or `nil` for a breakpoint that stops.
  package let message: LogpointMessage?
  /// The lines to run at each stop.
  package var commands: [String] = []
  /// The number of matches that are still to be ignored.
  package var ignoreCount = 0
  /// The number of matches so far.
  package var hits = 0
  package var isEnabled = true

  package init(
    number: Int,
    _ target: Target,
    text: String,
    isTemporary: Bool = false,
    condition: (text: String, condition: Condition)? = nil,
    message: LogpointMessage? = nil
  ) {
    self.number = number
    self.target = target
    self.text = text
    self.isTemporary = isTemporary
    self.condition = condition
    self.message = message
  }
}

extension Breakpoint {
  /// Returns the match at a step, or `nil` if the breakpoint doesn't match.
  package func hit(at step: LogStep) -> Stop.Hit? {
    guard step.kind != .start else { return nil }
    var changes: [PathWatch.WatchedChange] = []
    switch target {
    case .number(let seq): guard step.id == StepID(seq: seq) else { return nil }
    case .action(let pattern):
      guard let action = step.action, pattern.isFound(in: action.action) else { return nil }
    case .effect(let name): guard step.isAbout(effect: name) else { return nil }
    case .read(let key): guard step.reads.contains(where: { $0.isOf(key) }) else { return nil }
    case .condition(let condition):
      guard step.kind != .resumed, let context = step.context, condition.holds(in: context) else {
        return nil
      }
    case .change(let watch):
      changes = watch.changes(at: step)
      if changes.isEmpty { return nil }
    case .problem(let problem): guard step.report(of: problem) != nil else { return nil }
    }
    if let condition {
      guard let context = step.context, condition.condition.holds(in: context) else { return nil }
    }
    return Stop.Hit(
      number: number,
      target: target,
      text: text,
      changes: changes,
      isTemporary: isTemporary,
      commands: commands,
      message: message?.text(at: step),
      step: step.id
    )
  }
}

extension PathWatch {
  /// Returns the changes that a step makes at the watched path.
  package func changes(at step: LogStep) -> [WatchedChange] {
    guard step.kind != .start, step.events.contains(where: { isTouched(by: $0) }) else { return [] }
    return changes(from: items(in: step.before), to: items(in: step.after), in: step.after)
  }
}

extension LogEvent.Read {
  /// Returns whether a name is the key of the read, or the components of the key before a dot.
  func isOf(_ name: String) -> Bool { key == name || key.hasPrefix(name + ".") }
}

extension LogStep {
  /// Returns whether the step starts an effect, was sent by it, or contains a lifecycle event or a call of it.
  package func isAbout(effect name: String) -> Bool {
    if case .effect(let id, _) = origin, start.known.isNamed(id, name) { return true }
    var isFound = false
    forEachEvent { entry, _, known in
      func isNamed(_ id: EffectID?) -> Bool { id.map { known.isNamed($0, name) } ?? false }
      switch entry.event {
      case .effect(let turn): isFound = isFound || isNamed(turn.id)
      case .call(let call): isFound = isFound || isNamed(call.id)
      default:
        let started = entry.event.stateChange?.effects ?? []
        isFound = isFound || started.flatMap(\.flattened).contains { isNamed($0.id) }
      }
    }
    return isFound
  }
}
