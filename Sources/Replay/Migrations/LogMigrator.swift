import ActionLog

/// Migrates logs to the version of the code, event by event: a filter.
///
/// Patches are computed anew, between the migrated states.
package struct LogMigrator {
  package typealias Plan = (LogEvent.Header) throws -> MigrationPlan?

  private let plan: Plan
  /// Whether splices of texts become replacements.
  private let writesPlainPatches: Bool
  private var steps: [Migration] = []
  private var seq = 0
  private var cursor = LogCursor()
  /// The migrated state; `nil` where the recorded one is not known.
  private var state: JSON?

  /// A filter.
  ///
  /// - Parameters:
  ///   - writesPlainPatches: Whether patches have only the operations of RFC 6902.
  ///   - plan: The plan for the log with this header.
  init(writesPlainPatches: Bool = false, plan: @escaping Plan) {
    self.writesPlainPatches = writesPlainPatches
    self.plan = plan
  }

  /// Makes a source of migrated events.
  package static func events(
    _ source: @escaping LogComparison.Events,
    _ writesPlainPatches: Bool = false,
    plan: @escaping Plan
  ) -> LogComparison.Events {
    var migrator = LogMigrator(writesPlainPatches: writesPlainPatches, plan: plan)
    return { try source().map { try migrator.migrated($0) } }
  }

  /// Whether the log has the version of the code, so that its events stay what they are.
  private var isIdle: Bool { steps.isEmpty && !writesPlainPatches }

  /// An event as the version of the code has it.
  ///
  /// - Throws: `MigrationError`, and `LogCursor.BrokenPatch` for a patch that does not fit.
  mutating func migrated(_ event: LogEvent) throws -> LogEvent {
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
    case .gap:
      // The next event is a checkpoint, which does not depend on the state before the gap.
      state = nil
      return event
    default:
      // The rest holds neither states nor actions.
      guard var change = event.stateChange else { return event }
      change.patch = try migrated(change.patch)
      change.effects = try change.effects.map { try migrated($0) }
      change.shared = places(change.shared)
      var event = event
      event.stateChange = change
      return event
    }
  }

  private mutating func open(_ header: LogEvent.Header) throws -> LogEvent.Header {
    cursor = LogCursor()
    state = nil
    seq = 0
    let plan = try plan(header)
    steps = try plan?.steps(for: header) ?? []
    var header = header
    if writesPlainPatches { header.requires.removeAll { $0 == LogEvent.splices } }
    if let plan, !steps.isEmpty { header.schemaVersion = plan.version }
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
    guard let new = state, let old = cursor.state, !patch.isEmpty else { return patch }
    let next = try migrated(state: old)
    state = next
    let isKept = steps.isEmpty && !patch.operations.contains { $0.isSplice }
    return isKept ? patch : JSON.Patch(from: new, to: next)
  }

  /// The places of the shared values after the steps.
  ///
  /// The steps do not tell what they move, so each place is marked and the mark searched. A place where the steps need
  /// another value than a mark stays as it is.
  private func places(_ shared: JSON?) -> JSON? {
    guard let elements = shared?.array, let state = cursor.state else { return shared }
    return .array(elements.map { place($0, "at", in: state) { try migrated(state: $0) } })
  }

  /// The places in an action, and those in the state before it.
  private func places(_ shared: JSON?, of action: JSON) -> JSON? {
    guard let elements = shared?.array else { return shared }
    return .array(
      elements.map { element in
        let element = place(element, "at", in: action) { try migrated(action: $0) }
        guard let state = cursor.state else { return element }
        return place(element, "from", in: state) { try migrated(state: $0) }
      }
    )
  }

  private func place(
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

  private func migrated(_ effect: EffectDescription) throws -> EffectDescription {
    var effect = effect
    effect.action = try effect.action.map { try migrated(action: $0) }
    effect.effects = try effect.effects.map { try migrated($0) }
    return effect
  }
}

extension JSON {
  /// The place of a value in this one; `nil` when it is not there.
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
