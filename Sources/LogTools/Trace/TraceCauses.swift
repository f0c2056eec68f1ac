import ActionLog
import ReplayEngine

/// Knows the slices that later actions come from, as long as any can come from them.
struct TraceCauses {
  private struct Sender {
    /// The start of the slice of the action that has started the effect.
    let slice: TraceTime
    /// Whether the effect sends a single action.
    let isSend: Bool
  }

  /// An arrow to an action: each has a number of its own, because viewers end a flow with its first end.
  struct Flow {
    let number: Int
    /// Where it starts.
    let start: TraceTime
  }

  private var senders: [EffectID: Sender] = [:]
  /// The slices of the last actions, by number: an action that the app sends while another one is handled follows closely.
  private var recent: [(seq: Int, slice: TraceTime)] = []
  private static let mostRecent = 1024

  /// Notes the slice of an action, with the effects that it starts.
  mutating func record(_ seq: Int, _ slice: TraceTime, _ effects: [EffectDescription]) {
    let place = abs(seq % Self.mostRecent)
    while recent.count <= place { recent.append((-1, .zero)) }
    recent[place] = (seq, slice)
    for effect in effects { add(effect, slice) }
  }

  private mutating func add(_ effect: EffectDescription, _ slice: TraceTime) {
    if let id = effect.id, effect.operation == .run || effect.operation == .send {
      senders[id] = Sender(slice: slice, isSend: effect.operation == .send)
    }
    for part in effect.effects { add(part, slice) }
  }

  /// Forgets an effect that has returned: no action comes from it any more.
  mutating func forget(_ turn: LogEvent.Effect) {
    switch turn.event {
    case .finished, .failed: senders[turn.id] = nil
    // What was on its way arrives.
    case .started, .cancelled: break
    }
  }

  /// The arrow to an action of this origin.
  ///
  /// - Parameters:
  ///   - origin: The sender of the action.
  ///   - next: Gives the number of a new flow.
  /// - Returns: The arrow; `nil` where nothing in the trace has caused the action.
  mutating func flow(to origin: LogEvent.Origin, next: () -> Int) -> Flow? {
    switch origin {
    case .view, .parent: return nil
    case .reentrant(let seq):
      let place = abs(seq % Self.mostRecent)
      guard place < recent.count, recent[place].seq == seq else { return nil }
      return Flow(number: next(), start: recent[place].slice)
    case .effect(let id, _):
      guard let sender = senders[id] else { return nil }
      if sender.isSend { senders[id] = nil }
      return Flow(number: next(), start: sender.slice)
    }
  }
}
