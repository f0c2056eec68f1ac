public import ActionLog

/// What a reducer made of one action.
public struct StepOutcome: Sendable, Equatable {
  /// What turns the state before the action into the state after it.
  public var patch: JSON.Patch {
    get { logged.patch }
    set { logged = .patch(newValue) }
  }
  /// The effects that the reducer returned, described; a merge around all of them is left out.
  ///
  /// The feature's own leaves carry ids, `<seq>.<n>`, in the order of the tree. A `send` carries its action.
  public var effects: [EffectDescription]
  /// What the reducer asked its dependencies for, with the answers it was given.
  public var reads: [LogEvent.Read]
  /// What was noticed besides: reads that were not recorded, recorded reads that nobody asked for.
  public var findings: [LogEvent.Finding]
  /// The patch, which may still be text.
  package var logged: LoggedPatch

  /// An outcome.
  public init(
    patch: JSON.Patch = JSON.Patch(),
    effects: [EffectDescription] = [],
    reads: [LogEvent.Read] = [],
    findings: [LogEvent.Finding] = []
  ) {
    logged = .patch(patch)
    self.effects = effects
    self.reads = reads
    self.findings = findings
  }
}
