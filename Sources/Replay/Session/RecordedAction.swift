import ActionLog

/// The recorded events of one action, from its line to its change.
struct RecordedAction {
  private(set) var at = 0
  /// The action's number in the log; `nil` when the log does not have it.
  private(set) var seq: Int?
  /// Members of the action that this version does not know, which are kept.
  private(set) var rest = JSON.Object()
  private(set) var reads: [LogEvent.Read] = []
  private(set) var effects: [LogEvent.Effect] = []
  /// Effects that something other than an action cancelled while the reducer ran, logged before the action's own effects began.
  private(set) var cancelled: [LogEvent.Effect] = []
  /// The sent actions that the log leaves out.
  private(set) var unloggedSends: Set<EffectID> = []
  /// What the reducer made of the action, when the log has it.
  private(set) var change: LogEvent.Change?
  /// Whether the log stops before the change.
  private(set) var isUnfinished = false
  /// Whether the change is missing from the log, which continues after a gap.
  private(set) var isMissing = false

  /// An action that the log does not have.
  init() {}

  /// Reads the events of an action.
  ///
  /// - Parameters:
  ///   - action: The action, which has been read.
  ///   - input: The recording, after the action's line.
  ///   - notes: Receives the notes and calls among the events.
  /// - Throws: What the recording throws.
  init(
    _ action: LogEvent.Action,
    from input: RecordedEvents,
    notes: inout [LogEvent]
  ) throws {
    at = action.at
    seq = action.seq
    rest = action.rest
    while true {
      switch try input.peek() {
      case .read(let read) where read.seq == action.seq: reads.append(read)
      case .effect(let effect): effects.append(effect)
      case .finding, .unknown: break
      case .note(let note): notes.append(.note(note))
      case .call(let call): notes.append(.call(call))
      case .gap:
        isMissing = true
        return
      case .change(let change):
        take(change)
        _ = try input.next()
        try takeCancelled(from: input, notes: &notes)
        return
      case nil, .header:
        isUnfinished = true
        return
      default: return
      }
      _ = try input.next()
    }
  }

  private mutating func take(_ change: LogEvent.Change) {
    for effect in change.effects.flatMap(\.flattened)
    where effect.operation == .send && effect.action == nil {
      if let id = effect.id { unloggedSends.insert(id) }
    }
    self.change = change
  }

  /// Reads the cancellations after an action's change that happened while its reducer ran.
  private mutating func takeCancelled(
    from input: RecordedEvents,
    notes: inout [LogEvent]
  ) throws {
    // An action that is not read as an event can still be replayed without one.
    while !input.isBeforeAction {
      switch try input.peek() {
      case .effect(let effect) where effect.isCancelledElsewhere && effect.id.seq < seq ?? 0:
        cancelled.append(effect)
      // Calls end on any thread, also between these.
      case .call(let call) where call.id.seq < seq ?? 0: notes.append(.call(call))
      default: return
      }
      _ = try input.next()
    }
  }
}

extension LogEvent.Effect {
  /// Whether something other than an action's effects cancelled the effect.
  fileprivate var isCancelledElsewhere: Bool {
    switch event {
    case .cancelled(by: .action, _): false
    case .cancelled: true
    default: false
    }
  }
}
