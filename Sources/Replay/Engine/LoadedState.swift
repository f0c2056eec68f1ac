public import ActionLog

/// The state that a feature took over from a log.
public struct LoadedState: Sendable, Equatable {
  /// The state as the feature has it; `nil` when it is the recorded one, member for member.
  public var state: JSON?
  /// What the log and the code have not in common.
  public var drift: [SchemaDrift]

  /// A state.
  public init(state: JSON? = nil, drift: [SchemaDrift] = []) {
    self.state = state
    self.drift = drift
  }
}
