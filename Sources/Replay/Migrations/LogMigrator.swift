import ActionLog

/// A filter that migrates logs to the version of the code, event by event.
///
/// Patches are computed again from the migrated states.
package final class LogMigrator {
  package typealias Plan = (LogEvent.Header) throws -> MigrationPlan?

  private let plan: Plan
  /// Whether patches are converted to operations of RFC 6902, so that they contain no text splices.
  private let writesPlainPatches: Bool
  private var steps: [Migration] = []
  private var trace = MigrationPathUsage()
  private var seq = 0
  private var cursor = LogCursor()
  /// The migrated state, or `nil` if the recorded state is unknown.
  private var state: JSON?
  /// The reads that steps have added, which are returned after the current event.
  private var added: [LogEvent] = []
  /// The schema versions before and after the migration, or `nil` for a log of the code's version.
  private var versions: (from: Int, to: Int)?

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - writesPlainPatches: Whether patches contain only operations of RFC 6902.
  ///   - plan: A closure that returns the migration plan for a log with the given header.
  package init(writesPlainPatches: Bool = false, plan: @escaping Plan) {
    self.writesPlainPatches = writesPlainPatches
    self.plan = plan
  }

  /// Whether all events are returned unchanged, because no step applies to the log.
  private var isIdle: Bool { steps.isEmpty && !writesPlainPatches }

  /// The findings about the logs that precede the current log in the same input.
  private var earlier: [LogEvent.Finding] = []

  /// The findings about all logs: the original version of each migrated log, and the paths that no value contains.
  ///
  /// Only paths that a migration step names are reported.
  package var findings: [LogEvent.Finding] {
    guard let versions else { return earlier }
    return earlier + [.migration(Wording.migrated(from: versions.from, to: versions.to))]
      + trace.findings
  }

  /// Returns the next migrated event.
  ///
  /// - Parameter source: A closure that returns the next recorded event, or `nil` after the last one.
  /// - Returns: The migrated event, or `nil` after the last one.
  /// - Throws: `MigrationError`, and `LogCursor.BrokenPatch` for a patch that does not apply.
  package func next(_ source: () throws -> LogEvent?) throws -> LogEvent? {
    if !added.isEmpty { return added.removeFirst() }
    while let event = try source() {
      if let event = try migrated(event) { return event }
    }
    return nil
  }

  /// Migrates an event, or returns `nil` for a read that the code no longer makes.
  private func migrated(_ event: LogEvent) throws -> LogEvent? {
    if case .header(let header) = event { return .header(try open(header)) }
    guard !isIdle else { return event }
    seq = event.seq ?? seq
    try cursor.move(to: event)
    try cursor.apply()
    switch event {
    case .checkpoint(var checkpoint):
      let new = try migrated(state: checkpoint.state)
      state = new
      checkpoint.state = new
      checkpoint.effects = try checkpoint.effects.map { try migrated($0) }
      checkpoint.shared = places(checkpoint.shared)
      return .checkpoint(checkpoint)
    case .action(var action):
      action.shared = places(action.shared, of: action.action)
      action.action = try migrated(action: action.action)
      return .action(action)
    case .read(let read): return try migrated(read)
    case .call(var call):
      for step in steps { try apply(step, .call, step.call, to: &call) { "\($0.key)" } }
      return .call(call)
    case .gap:
      // The event after the gap is a checkpoint, which does not depend on the state before the gap.
      state = nil
      return event
    default:
      // Events without a change of the state contain no values of the feature.
      guard var change = event.stateChange else { return event }
      change.patch = try migrated(change.patch)
      change.effects = try change.effects.map { try migrated($0) }
      change.shared = places(change.shared)
      var event = event
      event.stateChange = change
      return event
    }
  }

  private func open(_ header: LogEvent.Header) throws -> LogEvent.Header {
    earlier = findings
    cursor = LogCursor()
    state = nil
    seq = 0
    trace = MigrationPathUsage()
    added = []
    let plan = try plan(header)
    steps = try plan?.steps(for: header) ?? []
    versions = nil
    var header = header
    if writesPlainPatches { header.requires.removeAll { $0 == LogEvent.splices } }
    if let plan, !steps.isEmpty {
      versions = (header.schemaVersion ?? 1, plan.version)
      header.schemaVersion = plan.version
    }
    return header
  }
}

extension LogMigrator {
  private func migrated(state: JSON) throws -> JSON {
    var state = state
    for step in steps { try apply(step, .state, step.state, to: &state) }
    return state
  }

  private func migrated(action: JSON) throws -> JSON {
    var action = action
    for step in steps { try apply(step, .action, step.action, to: &action) }
    return action
  }

  /// Applies the change of one migration step to a value.
  ///
  /// - Throws: `MigrationError.refused` if the step throws an error.
  private func apply<Value>(
    _ step: Migration,
    _ part: MigrationPathUsage.ValueKind,
    _ change: Migration.Change<Value>,
    to value: inout Value,
    describe: (Value) -> String = { "\($0)" }
  ) throws {
    do { try trace.run(step.version, part) { try change(&value) } } catch {
      throw MigrationError.refused(
        describe(value),
        from: step.version,
        seq: seq,
        reason: "\(error)"
      )
    }
  }

  private func migrated(_ event: LogEvent.Read) throws -> LogEvent? {
    var reads = [Migration.Read(key: event.key, value: event.value)]
    for step in steps {
      reads = try reads.flatMap { read -> [Migration.Read] in
        var read = read
        try apply(step, .read, step.read, to: &read) { "\($0.key): \($0.value)" }
        // The step that added a read does not process it, but later steps do.
        let own = read.isRemoved ? [] : [Migration.Read(key: read.key, value: read.value)]
        return own + read.added
      }
    }
    let events = reads.map { read -> LogEvent in
      var migrated = LogEvent.Read(seq: event.seq, key: read.key, value: read.value)
      migrated.rest = event.rest
      return .read(migrated)
    }
    added += events.dropFirst()
    return events.first
  }

  private func migrated(_ patch: JSON.Patch) throws -> JSON.Patch {
    guard let new = state, let old = cursor.state, !patch.isEmpty else { return patch }
    let next = try migrated(state: old)
    state = next
    let isKept = steps.isEmpty && !patch.operations.contains { $0.isSplice }
    return isKept ? patch : JSON.Patch(from: new, to: next)
  }

  private func migrated(_ effect: EffectDescription) throws -> EffectDescription {
    var effect = effect
    effect.action = try effect.action.map { try migrated(action: $0) }
    effect.effects = try effect.effects.map { try migrated($0) }
    // The names of the library's own effects do not belong to the app.
    if !effect.isInternal, effect.name != nil || effect.input != nil {
      var input = Migration.Input(name: effect.name, value: effect.input ?? .null)
      for step in steps {
        try apply(step, .input, step.input, to: &input) { "\($0.name ?? ""): \($0.value)" }
      }
      effect.name = input.name
      effect.input = effect.input == nil && input.value.isNull ? nil : input.value
    }
    if var id = effect.cancelID {
      for step in steps { try apply(step, .cancelID, step.cancelID, to: &id) { "\($0.json)" } }
      effect.cancelID = id
    }
    return effect
  }

  /// Returns the migrated paths of shared values in the state.
  ///
  /// Migration steps don't report which values they move. Each path is therefore marked in a copy of the state, and the
  /// mark is located after the migration. A path stays unchanged if the steps can't process a mark at that path.
  private func places(_ shared: JSON?) -> JSON? {
    guard let elements = shared?.array, let state = cursor.state else { return shared }
    return .array(elements.map { relocate($0, "at", in: state) { try migrated(state: $0) } })
  }

  /// Returns the migrated paths of shared values in an action, and of the same values in the state before the action.
  private func places(_ shared: JSON?, of action: JSON) -> JSON? {
    guard let elements = shared?.array else { return shared }
    return .array(
      elements.map { element in
        let element = relocate(element, "at", in: action) { try migrated(action: $0) }
        guard let state = cursor.state else { return element }
        return relocate(element, "from", in: state) { try migrated(state: $0) }
      }
    )
  }

  private func relocate(
    _ element: JSON,
    _ name: String,
    in value: JSON,
    _ migrated: (JSON) throws -> JSON
  ) -> JSON {
    guard var object = element.object,
      let old = object[name]?.string.flatMap({ try? JSON.Pointer(parsing: $0) })
    else { return element }
    let mark: JSON = ["$place": .string(old.description)]
    var marked = value
    guard (try? JSON.Patch([.replace(old, mark)]).apply(to: &marked)) != nil,
      let new = (try? migrated(marked)).flatMap({ $0.pointer(to: mark) })
    else { return element }
    object[name] = .string(new.description)
    return .object(object)
  }
}

extension JSON {
  /// Returns the path at which this value contains the given value, or `nil` if there is none.
  fileprivate func pointer(to value: JSON) -> Pointer? {
    if self == value { return Pointer() }
    let parts: [(String, JSON)] =
      switch self {
      case .object(let object): object.map { ($0.key, $0.value) }
      case .array(let elements): elements.enumerated().map { ("\($0.offset)", $0.element) }
      default: []
      }
    for (token, part) in parts {
      if let rest = part.pointer(to: value) { return Pointer([token] + rest.tokens) }
    }
    return nil
  }
}
