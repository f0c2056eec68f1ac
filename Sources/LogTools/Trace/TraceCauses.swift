import ActionLog
import ReplayEngine

/// Stores the slices that can be causes of later actions.
struct TraceCauses {
  private struct Sender {
    /// The start of the slice of the action that started the effect.
    let slice: TraceTime
    /// Whether the effect sends a single action.
    let isSend: Bool
  }

  /// An arrow to an action.
  ///
  /// Each arrow has its own number, because viewers end a flow at its first end.
  struct Flow {
    let number: Int
    /// The time at which it starts.
    let start: TraceTime
  }

  private var senders: [EffectID: Sender] = [:]
  /// The slices of the last actions by number.
  ///
  /// An action that the app sends while another one is handled follows closely.
  private var recent: [(seq: Int, slice: TraceTime)] = []
  private static let mostRecent = 1024

  /// Stores the slice of an action and the effects that it starts.
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

  /// Removes an effect that has returned, because it sends no more actions.
  mutating func forget(_ turn: LogEvent.Effect) {
    switch turn.event {
    case .finished, .failed: senders[turn.id] = nil
    // Actions that the effect sent before still arrive.
    case .started, .cancelled: break
    }
  }

  /// Returns the arrow to an action with a given origin.
  ///
  /// - Parameters:
  ///   - origin: The sender of the action.
  ///   - next: Returns the number of a new flow.
  /// - Returns: The arrow; `nil` if the trace does not contain the cause of the action.
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
