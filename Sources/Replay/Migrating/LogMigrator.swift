import ActionLog

/// Brings logs to the version of the code, event by event: a filter.
///
/// Patches are made anew, between the states that the steps make of the recorded ones.
struct LogMigrator {
  private let source: LogComparison.Events
  private let plan: (LogEvent.Header) throws -> MigrationPlan?
  private var steps: [Migration] = []
  private var seq = 0
  /// The state as it was recorded and as it is now; `nil` as long as nothing is to be done.
  private var states: (old: JSON, new: JSON)?

  /// A filter over events.
  ///
  /// - Parameters:
  ///   - source: The recorded events.
  ///   - plan: The plan for the log with this header.
  init(
    _ source: @escaping LogComparison.Events,
    plan: @escaping (LogEvent.Header) throws -> MigrationPlan?
  ) {
    self.source = source
    self.plan = plan
  }

  /// Makes a source of migrated events.
  static func events(
    _ source: @escaping LogComparison.Events,
    plan: @escaping (LogEvent.Header) throws -> MigrationPlan?
  ) -> LogComparison.Events {
    var migrator = LogMigrator(source, plan: plan)
    return { try migrator.next() }
  }

  /// The next event; `nil` behind the last one.
  ///
  /// - Throws: What the source throws, `MigrationError`, and `CommandError` for a patch that does not fit.
  mutating func next() throws -> LogEvent? {
    guard let event = try source() else { return nil }
    if case .header(let header) = event { return .header(try open(header)) }
    guard !steps.isEmpty else { return event }
    seq = event.seq ?? seq
    switch event {
    case .checkpoint(var checkpoint):
      let new = try migrated(state: checkpoint.state)
      states = (checkpoint.state, new)
      checkpoint.state = new
      checkpoint.effects = try checkpoint.effects.map { try migrated($0) }
      return .checkpoint(checkpoint)
    case .action(var action):
      action.action = try migrated(action: action.action)
      return .action(action)
    case .change(var change):
      change.patch = try migrated(change.patch)
      change.effects = try change.effects.map { try migrated($0) }
      return .change(change)
    default: return event
    }
  }

  private mutating func open(_ header: LogEvent.Header) throws -> LogEvent.Header {
    states = nil
    seq = 0
    let plan = try plan(header)
    steps = try plan?.steps(for: header) ?? []
    guard let plan, !steps.isEmpty else { return header }
    var header = header
    header.schemaVersion = plan.version
    return header
  }
}

extension LogMigrator {
  private func migrated(state: JSON) throws -> JSON {
    try migrated(state) { $0.state }
  }

  private func migrated(action: JSON) throws -> JSON {
    try migrated(action) { $0.action }
  }

  private func migrated(
    _ value: JSON,
    _ part: (Migration) -> (inout JSON) throws -> Void
  ) throws -> JSON {
    var value = value
    for step in steps {
      do { try part(step)(&value) } catch {
        throw MigrationError.refused("\(value)", from: step.version, seq: seq, reason: "\(error)")
      }
    }
    return value
  }

  private mutating func migrated(_ patch: JSON.Patch) throws -> JSON.Patch {
    guard var (old, new) = states, !patch.isEmpty else { return patch }
    states = nil
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &old) } catch {
      throw CommandError.brokenPatch(seq: seq, problem: "\(error)")
    }
    let next = try migrated(state: old)
    let result = JSON.Patch(from: new, to: next)
    new = next
    states = (old, new)
    return result
  }

  private func migrated(_ effect: EffectDescription) throws -> EffectDescription {
    var effect = effect
    effect.action = try effect.action.map { try migrated(action: $0) }
    effect.effects = try effect.effects.map { try migrated($0) }
    return effect
  }
}
