import ActionLog

/// The numbers that a log's actions have in its replay.
///
/// They are the log's own unless actions were left out of the log, or the replay has had more or fewer of the reducer's own.
/// Only the points are kept at which the difference changes.
struct ActionNumbers {
  private struct NumberedStretch {
    let recorded: Int
    /// `nil` where the log leaves numbers out.
    let replayed: Int?
  }

  private var stretches: [NumberedStretch] = []
  /// The numbers of actions that come later than in the log they were recorded in.
  private var late: [Int: Int] = [:]
  /// Effects whose name in the replay does not follow from their action's number.
  private var renamed: [EffectID: EffectID] = [:]
  private var last: Int
  /// Whether only actions that have come have a number: the log was made of another one, and may leave the next ones out.
  private let isFork: Bool

  /// Numbers of a log whose first checkpoint comes after this action.
  init(after seq: Int = 0, isFork: Bool = false) {
    last = seq
    self.isFork = isFork
  }

  /// Whether they are all the log's own.
  var areTheLogs: Bool { stretches.isEmpty && late.isEmpty }

  /// Whether effects have the names that the log gives them.
  private var keepNames: Bool { areTheLogs && renamed.isEmpty && !isFork }

  /// Notes an action; one that has no number in the log has the number 0.
  mutating func register(recorded: Int, replayed: Int) {
    guard recorded > last else {
      // A number that comes twice is a broken log; the first one counts.
      if recorded > 0, self.replayed(recorded) == nil { late[recorded] = replayed }
      return
    }
    if recorded > last &+ 1 {
      stretches.append(NumberedStretch(recorded: last &+ 1, replayed: nil))
    }
    let isExpected = recorded == last &+ 1 && expected(recorded) == replayed
    if !isExpected { stretches.append(NumberedStretch(recorded: recorded, replayed: replayed)) }
    last = recorded
  }

  /// Notes an action that the replay leaves out.
  mutating func register(missing recorded: Int) {
    guard recorded > last else { return }
    if expected(recorded) != nil {
      stretches.append(NumberedStretch(recorded: last &+ 1, replayed: nil))
    }
    last = recorded
  }

  /// Notes actions that have the same numbers in the log and in the replay.
  mutating func register(alike range: ClosedRange<Int>) {
    register(recorded: range.lowerBound, replayed: range.lowerBound)
    last = max(last, range.upperBound)
  }

  /// Stands in for the number of an action that the replay does not have.
  static let missing = 0

  /// The number in the replay; `nil` for one that the log leaves out.
  func replayed(_ recorded: Int) -> Int? {
    if !late.isEmpty, let number = late[recorded] { return number }
    if isFork, recorded > last { return nil }
    return expected(recorded)
  }

  /// The number that follows from the difference so far.
  private func expected(_ recorded: Int) -> Int? {
    let next = stretches.partitioningIndex { $0.recorded > recorded }
    guard next > 0 else { return recorded }
    let stretch = stretches[next - 1]
    return stretch.replayed.map { $0 &+ (recorded &- stretch.recorded) }
  }

  /// The name of an effect in the replay.
  ///
  /// One whose action the log leaves out gets a name that no effect has.
  func replayed(_ id: EffectID) -> EffectID {
    guard !keepNames else { return id }
    if let name = renamed[id] { return name }
    return EffectID(seq: replayed(id.seq) ?? .max, index: id.index)
  }

  /// Notes which of the effects that an action has returned is which of the recorded ones.
  ///
  /// Most often they are the same, one by one. One that is not there any more gets a name that no effect has: what it sent
  /// does not come from the effect that has taken its place.
  mutating func register(effects recorded: [EffectDescription], as replayed: [EffectDescription]) {
    guard !recorded.isEmpty else { return }
    let old = recorded.flatMap(\.flattened).filter { $0.id != nil }
    var new = replayed.flatMap(\.flattened).filter { $0.id != nil }
    let isSame =
      old.count <= new.count
      && zip(old, new).allSatisfy { $0.id?.index == $1.id?.index && $0.isLike($1) }
    guard !isSame else { return }
    for effect in old {
      guard let id = effect.id else { continue }
      let found =
        new.firstIndex { $0.isLike(effect) && $0.source == effect.source }
        ?? new.firstIndex { $0.isLike(effect) }
      renamed[id] =
        found.flatMap { new.remove(at: $0).id } ?? EffectID(seq: .max, index: id.index)
    }
  }

  /// An event as the replay names it.
  func replayed(_ effect: LogEvent.Effect) -> LogEvent.Effect {
    guard !keepNames else { return effect }
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
    call.id = replayed(call.id)
    return call
  }

  /// What sent an action, as the replay names it.
  func replayed(_ origin: LogEvent.Origin) -> LogEvent.Origin {
    guard !keepNames else { return origin }
    return switch origin {
    case .view, .parent: origin
    case .effect(let id, let via): .effect(replayed(id), via: via)
    case .reentrant(let seq): .reentrant(seq: replayed(seq) ?? Self.missing)
    }
  }
}

extension EffectDescription {
  /// Whether this is most likely the same effect of the code as another one; the line of its source may have moved.
  fileprivate func isLike(_ other: EffectDescription) -> Bool {
    operation == other.operation && name == other.name && cancelID?.type == other.cancelID?.type
      && isInternal == other.isInternal
  }
}
