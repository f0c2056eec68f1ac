import ActionLog
import LogTools
import ReplayEngine

/// Actions, and values within the states behind them, to be looked up by one reading of a log.
struct ValueLookup {
  var actions: Set<Int>
  var places: [Int: Set<JSON.Pointer>] = [:]

  /// What was found.
  struct Answer {
    var actions: [Int: JSON] = [:]
    var values: [Int: [JSON.Pointer: JSON]] = [:]
  }

  /// Reads a log as far as it is needed.
  ///
  /// - Throws: `LogReadError`, `ReplayError.brokenPatch`.
  func look(into log: LogSlice) throws -> Answer {
    var answer = Answer()
    guard let last = actions.union(places.keys).max() else { return answer }
    var timeline = Timeline(try log.events())
    while let entry = try timeline.next() {
      switch entry.event {
      case .action(let action) where actions.contains(action.seq):
        answer.actions[action.seq] = action.action
      case .change(let change):
        guard let state = entry.stateAfter, let wanted = places[change.seq] else { break }
        for place in wanted {
          if let value = state[place] { answer.values[change.seq, default: [:]][place] = value }
        }
      default: break
      }
      if case .change(let change) = entry.event, change.seq >= last { break }
    }
    return answer
  }
}
