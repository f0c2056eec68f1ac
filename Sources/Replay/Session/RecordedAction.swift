import ActionLog

/// The recorded events of one action, from its line to its change.
///
/// One object, which waits with the step that it belongs to.
final class RecordedAction {
  let at: Int
  /// The action's number in the log; `nil` when the log does not have it.
  let seq: Int?
  /// Members of the action that this version does not know, which are kept.
  let rest: JSON.Object
  let reads: [LogEvent.Read]
  let effects: [LogEvent.Effect]
  /// Effects that something other than an action cancelled while the reducer ran, logged before the action's own effects began.
  let cancelled: [LogEvent.Effect]
  /// The cancellations by the action itself, which the replay finds by itself: for their times and unknown members.
  let ownCancelled: [LogEvent.Effect]
  /// The sent actions that the log leaves out.
  let unloggedSends: Set<EffectID>
  /// What the reducer made of the action, when the log has it.
  let change: LogEvent.Change?
  private let end: ActionEnd

  private enum ActionEnd {
    case change
    /// The log stops before the change.
    case stop
    /// The change is missing from the log, which continues after a gap.
    case gap
    /// The log goes on without a change.
    case other
  }

  /// An action that the log does not have.
  init() {
    at = 0
    seq = nil
    rest = JSON.Object()
    reads = []
    effects = []
    cancelled = []
    ownCancelled = []
    unloggedSends = []
    change = nil
    end = .other
  }

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
    var reads: [LogEvent.Read] = []
    var effects: [LogEvent.Effect] = []
    var end: ActionEnd?
    var change: LogEvent.Change?
    while end == nil {
      switch try input.peek() {
      case .change(let own):
        change = own
        end = .change
      case .read(let read) where read.seq == action.seq: reads.append(read)
      case .effect(let effect): effects.append(effect)
      case .finding, .unknown: break
      case .note(let note): notes.append(.note(note))
      case .call(let call): notes.append(.call(call))
      case .gap: end = .gap
      case nil, .header: end = .stop
      default: end = .other
      }
      if end == nil || end == .change { _ = try input.next() }
    }
    self.reads = reads
    self.effects = effects
    self.change = change
    self.end = end ?? .other
    unloggedSends = RecordedAction.unloggedSends(of: change?.effects ?? [])
    cancelled =
      change == nil
      ? [] : try RecordedAction.cancelled(within: action.seq, from: input, notes: &notes)
    ownCancelled =
      change == nil ? [] : try RecordedAction.cancelled(by: action.seq, from: input)
  }

  /// Whether the log stops before the change.
  var isUnfinished: Bool { end == .stop }
  /// Whether the change is missing from the log, which continues after a gap.
  var isMissing: Bool { end == .gap }

  private static func unloggedSends(of effects: [EffectDescription]) -> Set<EffectID> {
    guard !effects.isEmpty else { return [] }
    return Set(
      effects.flatMap(\.flattened).compactMap {
        $0.operation == .send && $0.loggedAction == nil ? $0.id : nil
      }
    )
  }

  /// Reads the cancellations after an action's change that happened while its reducer ran.
  private static func cancelled(
    within seq: Int,
    from input: RecordedEvents,
    notes: inout [LogEvent]
  ) throws -> [LogEvent.Effect] {
    var cancelled: [LogEvent.Effect] = []
    while true {
      // An error waits until the replay asks for what stands in its place: the action itself is whole.
      switch try? input.peek() {
      case .effect(let effect) where effect.isCancelledElsewhere && effect.id.seq < seq:
        cancelled.append(effect)
      // Calls end on any thread, also between these.
      case .call(let call) where call.id.seq < seq: notes.append(.call(call))
      default: return cancelled
      }
      _ = try input.next()
    }
  }
}

extension RecordedAction {
  /// Reads the cancellations by the action itself that come next.
  private static func cancelled(
    by seq: Int,
    from input: RecordedEvents
  ) throws -> [LogEvent.Effect] {
    var cancelled: [LogEvent.Effect] = []
    while case .effect(let effect) = try? input.peek(),
      case .cancelled(by: .action(seq), _) = effect.event
    {
      cancelled.append(effect)
      _ = try input.next()
    }
    return cancelled
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
