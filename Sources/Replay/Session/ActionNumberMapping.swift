import ActionLog

/// The mapping from action numbers in a log to those in its replay.
///
/// The numbers differ if the log or the replay lacks actions that the other one has. The mapping stores the points at
/// which the difference changes.
struct ActionNumberMapping {
  private struct NumberedStretch {
    let recorded: Int
    /// The first number in the replay, or `nil` if the recorded numbers have no counterparts.
    let replayed: Int?
  }

  private var stretches: [NumberedStretch] = []
  /// The replay's numbers of actions whose numbers in the log are out of order, by those numbers.
  private var late: [Int: Int] = [:]
  /// The replay's IDs of effects for which the ID does not follow from their action's number, by their recorded IDs.
  private var renamed: [EffectID: EffectID] = [:]
  private var last: Int
  /// Whether the events come from another timeline, so that the replay may lack actions that follow in the log.
  ///
  /// If so, only past actions have a known number in the replay.
  private let isFork: Bool

  /// Creates the mapping for a log whose first checkpoint follows action `seq`.
  init(after seq: Int = 0, isFork: Bool = false) {
    last = seq
    self.isFork = isFork
  }

  /// Whether all actions so far have the same numbers in the log and in the replay.
  var areTheLogs: Bool { stretches.isEmpty && late.isEmpty }

  /// Whether effects have the same IDs in the log and in the replay.
  private var keepNames: Bool { areTheLogs && renamed.isEmpty && !isFork }

  /// Records the number that a recorded action has in the replay.
  ///
  /// A `recorded` number of 0 is ignored.
  mutating func register(recorded: Int, replayed: Int) {
    guard recorded > last else {
      // In a damaged log, a number may be repeated. The first occurrence counts.
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

  /// Records the number of a recorded action that has no counterpart in the replay.
  mutating func register(missing recorded: Int) {
    guard recorded > last else { return }
    if expected(recorded) != nil {
      stretches.append(NumberedStretch(recorded: last &+ 1, replayed: nil))
    }
    last = recorded
  }

  /// The placeholder for the number of an action that the replay lacks.
  static let missing = 0

  /// Returns an action's number in the replay, or `nil` if the action has no known counterpart.
  func replayed(_ recorded: Int) -> Int? {
    if !late.isEmpty, let number = late[recorded] { return number }
    if isFork, recorded > last { return nil }
    return expected(recorded)
  }

  /// Computes an action's number in the replay from the stretch that contains the action.
  ///
  /// Returns `nil` if the actions of the stretch have no counterparts.
  private func expected(_ recorded: Int) -> Int? {
    let next = stretches.partitioningIndex { $0.recorded > recorded }
    guard next > 0 else { return recorded }
    let stretch = stretches[next - 1]
    return stretch.replayed.map { $0 &+ (recorded &- stretch.recorded) }
  }

  /// Returns the ID that an effect of the log has in the replay.
  ///
  /// If the replay lacks the effect's action, returns an ID that belongs to no effect.
  func replayed(_ id: EffectID) -> EffectID {
    guard !keepNames else { return id }
    if let name = renamed[id] { return name }
    return EffectID(seq: replayed(id.seq) ?? .max, index: id.index)
  }

  /// Matches the recorded effects of an action with the effects that the action returns in the replay.
  ///
  /// Usually they correspond one by one. A recorded effect without a counterpart gets an ID that belongs to no effect,
  /// so that its actions are not attributed to another effect.
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

  /// Returns an effect event with the IDs that its effects have in the replay.
  func replayed(_ effect: LogEvent.Effect) -> LogEvent.Effect {
    guard !keepNames else { return effect }
    var effect = effect
    effect.id = replayed(effect.id)
    if case .cancelled(by: .effect(let id), let dropping) = effect.event {
      effect.event = .cancelled(by: .effect(replayed(id)), dropping: dropping)
    }
    return effect
  }

  /// Returns a call with the ID that its effect has in the replay, or `nil` if the replay lacks the effect's action.
  func replayed(_ call: LogEvent.Call) -> LogEvent.Call? {
    guard let seq = replayed(call.id.seq), seq != Self.missing || call.id.seq == seq else {
      return nil
    }
    var call = call
    call.id = replayed(call.id)
    return call
  }

  /// Returns the origin of an action with the numbers that the replay has.
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
  /// Returns whether two descriptions probably refer to the same effect in the code, although its source line may have
  /// moved.
  fileprivate func isLike(_ other: EffectDescription) -> Bool {
    operation == other.operation && name == other.name && cancelID?.type == other.cancelID?.type
      && isInternal == other.isInternal
  }
}
