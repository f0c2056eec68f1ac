import ActionLog
import ReplayEngine

/// Tracks the slices that may have caused later actions.
struct TraceCauses {
  private struct Sender {
    /// The start of the slice for the action that started the effect.
    let slice: TraceTime
    /// Whether the effect only sends one action.
    let isSend: Bool
  }

  /// An arrow from an action to an action that it caused.
  ///
  /// Each arrow has a unique number, because a viewer ends a flow at the first end with its number.
  struct Flow {
    let number: Int
    /// The time at which the arrow starts.
    let start: TraceTime
  }

  private var senders: [EffectID: Sender] = [:]
  /// The numbers and slices of the latest actions.
  ///
  /// A limited number suffices, because an action that is sent while another one is handled follows it closely.
  private var recent: [(seq: Int, slice: TraceTime)] = []
  private static let mostRecent = 1024

  /// Stores the slice for an action, as the possible cause of later actions.
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

  /// Removes an effect after its end, because it sends no more actions.
  mutating func forget(_ turn: LogEvent.Effect) {
    switch turn.event {
    case .finished, .failed: senders[turn.id] = nil
    // After a cancellation, actions that the effect sent earlier can still follow.
    case .started, .cancelled: break
    }
  }

  /// Returns the arrow to an action from the action that caused it.
  ///
  /// - Parameters:
  ///   - origin: The sender of the action.
  ///   - next: Returns a unique number for the arrow.
  /// - Returns: The arrow, or `nil` if the trace does not contain the causing action.
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
