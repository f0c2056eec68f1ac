import ActionLog
import ReplayCommands
import ReplayEngine

extension CommandContext {
  /// Warns about ignored paths that no log contains.
  ///
  /// - Parameters:
  ///   - ignored: The ignored paths, after all logs have been searched.
  ///   - logs: The logs from which a similar path is suggested as a correction.
  package func warn(of ignored: UnmatchedIgnoredPaths, in logs: @autoclosure () -> [LogSlice]) {
    let missing = ignored.missing
    guard !missing.places.isEmpty else { return }
    let places = StatePathSuggestions(in: logs())
    for place in missing.places {
      complain(Wording.ignoresNothing(place, logs: missing.logs, places))
    }
  }
}

extension Wording {
  fileprivate static func ignoresNothing(
    _ ignored: UnmatchedIgnoredPaths.Missing,
    logs: Int,
    _ places: StatePathSuggestions?
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
