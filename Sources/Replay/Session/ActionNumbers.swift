import ActionLog

/// The mapping from action numbers in a log to those in its replay.
///
/// The numbers differ if actions were omitted from the log, or if the replay has more or fewer actions of the reducer
/// itself. The mapping stores the points at which the difference changes.
struct ActionNumbers {
  private struct NumberedStretch {
    let recorded: Int
    /// The first number in the replay, or `nil` if the log omits these numbers.
    let replayed: Int?
  }

  private var stretches: [NumberedStretch] = []
  /// The numbers of actions that occur later than in the original recording.
  private var late: [Int: Int] = [:]
  /// Effects whose ID in the replay does not follow from their action's number.
  private var renamed: [EffectID: EffectID] = [:]
  private var last: Int
  /// Whether only past actions have a number.
  ///
  /// The log was derived from another one and may omit the following actions.
  private let isFork: Bool

  /// Creates the mapping for a log whose first checkpoint follows an action.
  init(after seq: Int = 0, isFork: Bool = false) {
    last = seq
    self.isFork = isFork
  }

  /// Whether all numbers are those of the log.
  var areTheLogs: Bool { stretches.isEmpty && late.isEmpty }

  /// Whether effects keep their IDs in the log.
  private var keepNames: Bool { areTheLogs && renamed.isEmpty && !isFork }

  /// Records an action.
  ///
  /// An action without a number in the log has the number 0.
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

  /// Records an action that the replay omits.
  mutating func register(missing recorded: Int) {
    guard recorded > last else { return }
    if expected(recorded) != nil {
      stretches.append(NumberedStretch(recorded: last &+ 1, replayed: nil))
    }
    last = recorded
  }

  /// Records actions that have the same numbers in the log and in the replay.
  mutating func register(alike range: ClosedRange<Int>) {
    register(recorded: range.lowerBound, replayed: range.lowerBound)
    last = max(last, range.upperBound)
  }

  /// The placeholder for the number of an action that the replay does not have.
  static let missing = 0

  /// Returns the number in the replay, or `nil` for an action that the log omits.
  func replayed(_ recorded: Int) -> Int? {
    if !late.isEmpty, let number = late[recorded] { return number }
    if isFork, recorded > last { return nil }
    return expected(recorded)
  }

  /// Returns the number that results from the difference so far.
  private func expected(_ recorded: Int) -> Int? {
    let next = stretches.partitioningIndex { $0.recorded > recorded }
    guard next > 0 else { return recorded }
    let stretch = stretches[next - 1]
    return stretch.replayed.map { $0 &+ (recorded &- stretch.recorded) }
  }

  /// Returns the ID of an effect in the replay.
  ///
  /// If the log omits the effect's action, the result is an ID that no effect has.
  func replayed(_ id: EffectID) -> EffectID {
    guard !keepNames else { return id }
    if let name = renamed[id] { return name }
    return EffectID(seq: replayed(id.seq) ?? .max, index: id.index)
  }

  /// Matches the effects that an action has returned with the recorded ones.
  ///
  /// Usually they correspond one by one. An effect that no longer exists gets an ID that no effect has, so that its
  /// actions are not attributed to another effect.
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

  /// Converts the IDs of an effect event to those of the replay.
  func replayed(_ effect: LogEvent.Effect) -> LogEvent.Effect {
    guard !keepNames else { return effect }
    var effect = effect
    effect.id = replayed(effect.id)
    if case .cancelled(by: .effect(let id), let dropping) = effect.event {
      effect.event = .cancelled(by: .effect(replayed(id)), dropping: dropping)
    }
    return effect
  }

  /// Converts the effect ID of a call to that of the replay.
  ///
  /// Returns `nil` if the replay does not have the effect's action.
  func replayed(_ call: LogEvent.Call) -> LogEvent.Call? {
    guard let seq = replayed(call.id.seq), seq != Self.missing || call.id.seq == seq else {
      return nil
    }
    var call = call
    call.id = replayed(call.id)
    return call
  }

  /// Converts the origin of an action to the numbers of the replay.
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
  /// Whether the description probably refers to the same effect in the code.
  ///
  /// Its source line may have moved.
  fileprivate func isLike(_ other: EffectDescription) -> Bool {
    operation == other.operation && name == other.name && cancelID?.type == other.cancelID?.type
      && isInternal == other.isInternal
  }
}
