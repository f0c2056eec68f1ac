import ActionLog

/// The numbers that a log's actions have in its replay.
///
/// They are the log's own unless actions were left out of the log, or the replay has had more or fewer of the reducer's own.
/// Only the points are kept at which the difference changes.
struct ActionNumbers {
  private struct Stretch {
    let recorded: Int
    /// `nil` where the log leaves numbers out.
    let replayed: Int?
  }

  private var stretches: [Stretch] = []
  private var last: Int

  /// Numbers of a log whose first checkpoint comes after this action.
  init(after seq: Int = 0) { last = seq }

  /// Whether they are all the log's own.
  var areTheLogs: Bool { stretches.isEmpty }

  /// Notes an action.
  mutating func note(recorded: Int, replayed: Int) {
    // A number that comes twice is a broken log; the first one counts.
    guard recorded > last else { return }
    if recorded > last &+ 1 { stretches.append(Stretch(recorded: last &+ 1, replayed: nil)) }
    let isExpected = recorded == last &+ 1 && self.replayed(recorded) == replayed
    if !isExpected { stretches.append(Stretch(recorded: recorded, replayed: replayed)) }
    last = recorded
  }

  /// Notes an action that the replay leaves out.
  mutating func note(missing recorded: Int) {
    guard recorded > last else { return }
    if replayed(recorded) != nil { stretches.append(Stretch(recorded: last &+ 1, replayed: nil)) }
    last = recorded
  }

  /// Notes actions that have the same numbers in the log and in the replay.
  mutating func note(alike range: ClosedRange<Int>) {
    note(recorded: range.lowerBound, replayed: range.lowerBound)
    last = max(last, range.upperBound)
  }

  /// Stands in for the number of an action that the replay does not have.
  static let missing = 0

  /// The number in the replay; `nil` for one that the log leaves out.
  func replayed(_ recorded: Int) -> Int? {
    var low = 0
    var high = stretches.count
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].recorded <= recorded { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return recorded }
    let stretch = stretches[low - 1]
    return stretch.replayed.map { $0 &+ (recorded &- stretch.recorded) }
  }

  /// The name of an effect in the replay.
  ///
  /// One whose action the log leaves out gets a name that no effect has.
  func replayed(_ id: EffectID) -> EffectID {
    guard !stretches.isEmpty else { return id }
    return EffectID(seq: replayed(id.seq) ?? .max, index: id.index)
  }

  /// An event as the replay names it.
  func replayed(_ effect: LogEvent.Effect) -> LogEvent.Effect {
    guard !stretches.isEmpty else { return effect }
    var effect = effect
    effect.id = replayed(effect.id)
    if case .cancelled(by: .effect(let id), let dropping) = effect.event {
      effect.event = .cancelled(by: .effect(replayed(id)), dropping: dropping)
    }
    return effect
  }

  /// A call as the replay names its effect; `nil` when that belongs to an action which the replay does not have.
  func replayed(_ call: LogEvent.Call) -> LogEvent.Call? {
    guard let seq = replayed(call.id.seq), seq != Self.missing || call.id.seq == seq else {
      return nil
    }
    var call = call
    call.id = EffectID(seq: seq, index: call.id.index)
    return call
  }

  /// What sent an action, as the replay names it.
  func replayed(_ origin: LogEvent.Origin) -> LogEvent.Origin {
    guard !stretches.isEmpty else { return origin }
    return switch origin {
    case .view, .parent: origin
    case .effect(let id, let via): .effect(replayed(id), via: via)
    case .reentrant(let seq): .reentrant(seq: replayed(seq) ?? Self.missing)
    }
  }
}
