import ActionLog
import ReplayCommands
import ReplayEngine

extension CommandContext {
  /// Warns of ignored parts of the state that no log has.
  ///
  /// - Parameters:
  ///   - ignored: The parts, after a search in all logs.
  ///   - logs: The logs, used to suggest a path.
  package func warn(of ignored: UnmatchedIgnoredPaths, in logs: @autoclosure () -> [LogSlice]) {
    let missing = ignored.missing
    guard !missing.places.isEmpty else { return }
    let places = LogPaths(in: logs())
    for place in missing.places {
      complain(Wording.ignoresNothing(place, logs: missing.logs, places))
    }
  }
}

extension Wording {
  fileprivate static func ignoresNothing(
    _ ignored: UnmatchedIgnoredPaths.Missing,
    logs: Int,
    _ places: LogPaths?
  ) -> String {
    let typed = ignored.place.typed
    let source =
      switch ignored.place.source {
      case .option: "--ignore"
      case .settings: "\(Settings.name): 'ignore':"
      }
    return "\(source) \(typed): no state of"
      + " \(logs == 1 ? "the log" : "the \(logs) logs") has anything there"
      + (ignored.end.map {
        nearest($0.proposing(typed, from: places), name: writer(of: typed))
      } ?? "")
  }
}
