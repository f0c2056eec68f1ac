import ActionLog

/// The recorded events of one action: reads, effect events, the change, and the cancellations after the change.
///
/// A class, so that the events are shared and not copied while the action waits to be replayed.
final class RecordedAction {
  let at: Int
  /// The number of the action in the log, or `nil` if the log lacks the action.
  let seq: Int?
  /// The members of the action's line that this version does not know, which are preserved.
  let rest: JSON.Object
  let reads: [LogEvent.Read]
  let effects: [LogEvent.Effect]
  /// The events of cancellations that occurred while the reducer ran, but that no action caused.
  ///
  /// In the log, these events follow the action's change.
  let cancelled: [LogEvent.Effect]
  /// The events of cancellations that the action itself caused.
  ///
  /// The replay computes these cancellations. Only the times and unknown members of the recorded events are used.
  let ownCancelled: [LogEvent.Effect]
  /// The `send` effects whose actions the log omits.
  let unloggedSends: Set<EffectID>
  /// The recorded result of the reducer, or `nil` if the log lacks the result.
  let change: LogEvent.Change?
  private let end: ActionEnd

  private enum ActionEnd {
    case change
    /// The log ends in the middle of the action.
    case stop
    /// The log lacks the action's change and continues after a gap.
    case gap
    /// Another event follows in place of the action's change.
    case other
  }

  /// Creates an instance without events, for an action that the log lacks.
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
  ///   - action: The action, which has already been read.
  ///   - input: The recording, positioned after the action's line.
  ///   - notes: An array that receives the notes and calls among the events.
  /// - Throws: The error of a line that can't be read.
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

  /// Whether the log ends in the middle of the action.
  var isUnfinished: Bool { end == .stop }
  /// Whether the log lacks the action's change and continues after a gap.
  var isMissing: Bool { end == .gap }

  private static func unloggedSends(of effects: [EffectDescription]) -> Set<EffectID> {
    guard !effects.isEmpty else { return [] }
    return Set(
      effects.flatMap(\.flattened).compactMap {
        $0.operation == .send && $0.loggedAction == nil ? $0.id : nil
      }
    )
  }

  /// Reads the cancellations that occurred while the reducer ran.
  ///
  /// In the log, they follow the action's change.
  private static func cancelled(
    within seq: Int,
    from input: RecordedEvents,
    notes: inout [LogEvent]
  ) throws -> [LogEvent.Effect] {
    var cancelled: [LogEvent.Effect] = []
    while true {
      // The action is complete, so an error on the next line is not thrown until the replay requests that event.
      switch try? input.peek() {
      case .effect(let effect) where effect.isCancelledElsewhere && effect.id.seq < seq:
        cancelled.append(effect)
      // Calls may end on any thread, so their events can occur between these cancellations.
      case .call(let call) where call.id.seq < seq: notes.append(.call(call))
      default: return cancelled
      }
      _ = try input.next()
    }
  }
}

extension RecordedAction {
  /// Reads the cancellations by the action itself that come next in the recording.
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
  /// Whether the event reports an effect that was canceled by something other than an action.
  fileprivate var isCancelledElsewhere: Bool {
    switch event {
    case .cancelled(by: .action, _): false
    case .cancelled: true
    default: false
    }
  }
}
