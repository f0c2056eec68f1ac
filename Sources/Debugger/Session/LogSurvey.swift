import ActionLog
import LogTools
import ReplayEngine

/// The actions and effects that a log has, as people type them.
struct LogSurvey {
  /// The cases of its actions: `.path[].report.reload`.
  let actions: [String]
  /// The names of its effects, or their places in the source.
  let effects: [String]
  /// Whether all of the log was looked through.
  let isWhole: Bool

  /// Steps that are looked through: a person is waiting.
  private static let mostSteps = 20_000

  /// Looks through a log.
  ///
  /// - Throws: `LogReadError`.
  init(of log: DebuggedLog) throws(LogReadError) {
    var actions: Set<String> = []
    var effects: Set<String> = []
    var step = try log.first()
    var count = 0
    while let current = step, count < Self.mostSteps {
      if let action = current.action { actions.insert(Notation().casePath(action.action)) }
      for effect in current.effects.flatMap(\.flattened) where effect.operation == .run {
        if let name = effect.name ?? effect.source?.split(separator: "/").last.map(String.init) {
          effects.insert(name)
        }
      }
      step = try log.step(after: current.id)
      count += 1
    }
    self.actions = actions.sorted()
    self.effects = effects.sorted()
    isWhole = step == nil
  }
}

extension DebuggedLog {
  /// Whether the log has no such action; `nil` when it is too long to say at once.
  package func hasNone(of pattern: ActionPattern, most: Int = 20_000) throws(LogReadError) -> Bool?
  {
    var step = try first()
    var count = 0
    while let current = step {
      if let action = current.action, pattern.matches(action.action) { return false }
      count += 1
      guard count < most else { return nil }
      step = try self.step(after: current.id)
    }
    return true
  }
}
