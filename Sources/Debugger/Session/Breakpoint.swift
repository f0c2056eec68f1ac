import ActionLog
import LogTools
import ReplayEngine

/// A reason to stop while a session goes on, forth or back.
package struct Breakpoint: Sendable {
  /// What it stops at.
  package enum Target: Sendable {
    /// The action with a number.
    case number(Int)
    /// Such actions.
    case action(ActionPattern)
    /// Steps that start an effect, come from it or end it: an effect by its name, its number, or the id by which it is cancelled.
    case effect(String)
    /// Actions whose reducer reads a value, by its key.
    case read(String)
    /// Actions for which a condition holds.
    case condition(Condition)
    /// Steps that change the values at a place.
    case change(PlaceWatch)
    /// Steps with a problem of a kind.
    case problem(LogStep.ProblemKind)
  }

  /// Its number, from 1.
  package let number: Int
  package let target: Target
  /// What it is, as it was typed.
  package let text: String
  /// Whether it is deleted when it stops the session.
  package let isTemporary: Bool
  /// A condition that must hold as well.
  package var condition: (text: String, condition: Condition)?
  /// The message that a logpoint reports; `nil` for a breakpoint that stops.
  package let message: LogMessage?
  /// The lines that are carried out where it stops.
  package var commands: [String] = []
  /// How many times more it is passed.
  package var ignoreCount = 0
  /// How often it was met.
  package var hits = 0
  package var isEnabled = true

  package init(
    number: Int,
    _ target: Target,
    text: String,
    isTemporary: Bool = false,
    condition: (text: String, condition: Condition)? = nil,
    message: LogMessage? = nil
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
  /// Why it would stop at a step; `nil` when it would not.
  package func hit(at step: LogStep) -> Stop.Hit? {
    guard step.kind != .start else { return nil }
    var changes: [PlaceWatch.WatchedChange] = []
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

extension PlaceWatch {
  /// The changes that a step makes at the place.
  package func changes(at step: LogStep) -> [WatchedChange] {
    guard step.kind != .start, step.events.contains(where: { isTouched(by: $0) }) else { return [] }
    return changes(from: items(in: step.before), to: items(in: step.after), in: step.after)
  }
}

extension LogEvent.Read {
  /// Whether a person means this read: by its key, or the beginning of it up to a dot.
  func isOf(_ name: String) -> Bool { key == name || key.hasPrefix(name + ".") }
}

extension LogStep {
  /// Whether it starts an effect, comes from it, or has a turn or a call of it.
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

/// Why a session stopped, and where.
package struct Stop {
  /// The reason for which the session stopped.
  package enum Reason: String, Sendable {
    /// The number of steps that was asked for.
    case step
    /// A breakpoint or a watched place.
    case breakpoint
    /// The end of the effects of an action.
    case finished
    /// The step that was asked for.
    case arrived
    /// The start of the log.
    case start
    /// The end of the log.
    case end
    /// A line that is no event, which hides what comes after it.
    case damaged
    /// The user, on the way.
    case interrupted
  }

  /// A breakpoint that was met.
  package struct Hit: Sendable {
    package let number: Int
    package let target: Breakpoint.Target
    /// What it is, as it was typed.
    package let text: String
    /// The changes of a watched place.
    package let changes: [PlaceWatch.WatchedChange]
    package let isTemporary: Bool
    /// The lines that are carried out there.
    package let commands: [String]
    /// The message of a logpoint; `nil` for a breakpoint that stops.
    package let message: String?
    /// The step at which it was met.
    package let step: StepID
  }

  package let reason: Reason
  /// The breakpoints that were met at the step.
  package let hits: [Hit]
  /// The step.
  package let step: LogStep
  /// The actions that are missing on the way to it, without a gap that says so.
  package var passedMissing: [ClosedRange<Int>] = []

  /// The command of a breakpoint that keeps its stop from being printed.
  private static let silent = "silent"

  /// Whether the stop is not printed.
  var isSilent: Bool { hits.contains { $0.commands.first == Self.silent } }

  /// The lines that its breakpoints have for it.
  package var commands: [String] { hits.flatMap(\.commands).filter { $0 != Self.silent } }
}
