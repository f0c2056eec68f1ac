public import ActionLog

/// A recorded action of which nothing came but a patch: no read, no effect.
///
/// That is most of most logs.
public struct PlainStep: Sendable, Equatable {
  /// The action.
  public var input: StepInput
  /// What the reducer made of the state when the action was recorded.
  public var patch: JSON.Patch { logged.patch }
  /// The patch, which may still be text.
  package var logged: LoggedPatch

  /// An action with its patch.
  public init(_ input: StepInput, patch: JSON.Patch) {
    self.init(input, logged: .patch(patch))
  }

  /// An action with its patch, which may still be text.
  package init(_ input: StepInput, logged: LoggedPatch) {
    self.input = input
    self.logged = logged
  }
}

extension StepOutcome {
  /// Whether this is what was recorded.
  package func isRecorded(by step: PlainStep) -> Bool {
    effects.isEmpty && reads.isEmpty && findings.isEmpty && logged == step.logged
  }
}
