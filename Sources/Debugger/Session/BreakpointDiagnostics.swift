import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Explains why a breakpoint probably never stops, if no step of the log matches it.
///
/// If the log is too long to scan immediately, no reasons are given.
@MainActor struct BreakpointDiagnostics {
  let log: DebuggedLog
  /// The state at the session's current step.
  let state: JSON?
  /// A closure that returns the actions, effects, and reads of the log, for suggestions.
  let survey: () -> LogVocabulary?

  func doubts(of target: Breakpoint.Target, _ text: String) -> [String] {
    switch target {
    case .condition(let condition): return doubts(of: condition, "--when")
    case .number(let seq):
      guard (try? log.step(at: seq))?.isOfAction != true, let last = try? log.last() else {
        return []
      }
      return [Wording.noSuchNumber(seq, last: last.seq)]
    case .action(let pattern):
      let isThere = { (step: LogStep) in step.action.map { pattern.isFound(in: $0.action) } ?? false
      }
      guard hasNone(where: isThere) else { return [] }
      return [Wording.noSuchAction(text, known: survey()?.actions ?? [])]
    case .effect(let name):
      guard hasNone(where: { $0.isAbout(effect: name) }) else { return [] }
      return [Wording.noSuchEffect(name, known: survey()?.effects ?? [])]
    case .read(let key):
      guard hasNone(where: { $0.reads.contains { $0.isOf(key) } }) else { return [] }
      return [Wording.noSuchRead(key, known: survey()?.reads ?? [])]
    case .change(let watch): return nothingToWatch(watch.place).map { [$0] } ?? []
    case .problem: return []
    }
  }

  func doubts(of condition: Condition, _ word: String) -> [String] {
    let unknown = condition.unknownMembers.map { Wording.unknownMember($0) }
    let doubts = (try? log.doubts(of: condition)) ?? []
    let places = doubts.isEmpty ? nil : log.slice.places
    return unknown + doubts.map { Wording.doubt($0, word, places) }
  }

  private func hasNone(where isThere: (LogStep) -> Bool) -> Bool {
    (try? log.hasNone(where: isThere)) ?? false
  }

  private func nothingToWatch(_ place: ValuePath) -> String? {
    // A later action may add the path.
    let states = [state, (try? log.last())?.after].compactMap(\.self)
    let ends = states.map { UnresolvedPath(place, in: $0) }
    guard let first = ends.first.flatMap(\.self), ends.allSatisfy({ $0 != nil }) else { return nil }
    return Wording.nothingToWatch(
      place,
      first.proposing("\(place)", from: log.slice.places)
    )
  }
}
