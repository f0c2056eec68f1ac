import ActionLog

/// The reason why a log can't be replayed at all.
///
/// ```swift
/// do {
///   verdicts = try Verdict.ofReplay(logAt: path) { _ in try feature.makeEngine() }
/// } catch let error as ReplayError where error == .noCheckpoint(kind: "action") {
///   print("the log does not say in which state it begins")
/// }
/// ```
public enum ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder contains no logs.
  case noLogs(folder: String)
  /// An event of this kind precedes the first checkpoint.
  case noCheckpoint(kind: String)
  /// The host has no feature with the log's name or state type, or none with the name that the user gave.
  case unknownFeature(String, stateType: String, known: [String])

  /// A message that states the problem and, where possible, its cause or the next step.
  public var description: String { Wording.describe(self) }
}

extension ReplayError {
  /// Reads a log to its end to find the reason why a host could not replay it.
  ///
  /// - Parameter events: A function that returns the next event of the log, or `nil` after the last one.
  /// - Throws: `ReplayError.noCheckpoint` if an event precedes the first checkpoint, or the error of an unreadable
  ///   line.
  package static func check(_ events: LogComparison.Events) throws {
    var hasState = false
    while let event = try events() {
      if case .checkpoint = event { hasState = true }
      guard hasState || !event.needsState else { throw noCheckpoint(kind: event.kind) }
    }
  }
}
