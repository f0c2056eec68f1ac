import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A log that is divided into units, so that subsets of its actions can be replayed.
///
/// A unit is an action from outside with all events that follow from it. If an effect sent the action, the unit's
/// parent is the unit that started the effect. If the action was sent while another unit's action was handled, the
/// other unit is the parent. A unit can't occur without its parent.
struct CausalLog: Sendable {
  /// An action from outside the reducer, with its consequences.
  struct RemovableAction: Sendable {
    /// The number of the unit's action in the log.
    let seq: Int
    /// The sender of the unit's action.
    let origin: LogEvent.Origin
    /// The payload of the unit's action.
    let action: JSON
    /// The index of the parent unit, or `nil` if the unit doesn't depend on another one.
    let parent: Int?
  }

  /// An event with the units that are required to replay it.
  struct CausalEvent: Sendable {
    let event: LogEvent
    /// The index of the unit that contains the event, or `nil` if every subset contains the event, as for the header.
    let unit: Int?
    /// The index of the unit that started the canceling effect, or `nil` if no effect caused the event.
    let other: Int?
  }

  private(set) var units: [RemovableAction] = []
  private(set) var events: [CausalEvent] = []

  private var unitOfAction: [Int: Int] = [:]
  private var sends: Set<EffectID> = []
  /// The operation and the child feature of each effect.
  private(set) var identities: [EffectID: EffectIdentity] = [:]

  /// Reads a log and divides it into units.
  ///
  /// The events before a gap are ignored, because the state after the gap doesn't follow from them.
  ///
  /// - Throws: The errors that `events` throws, such as `LogReadError`.
  init(_ events: LogComparison.Events) throws {
    while let event = try events() { assign(event) }
  }

  /// Divides the events of a log into units.
  init(_ events: [LogEvent]) {
    for event in events { assign(event) }
  }

  private mutating func assign(_ event: LogEvent) {
    switch event {
    case .header, .end: add(event, to: nil)
    case .checkpoint(let checkpoint):
      // Later checkpoints contain states that a subset might not reach.
      guard !self.events.contains(where: \.isCheckpoint) else { return }
      registerEffects(checkpoint.effects)
      add(event, to: nil)
    case .action(let action):
      unitOfAction[action.seq] = unit(of: action)
      add(event, to: unitOfAction[action.seq])
    case .change(let change):
      registerEffects(change.effects)
      add(event, to: unitOfAction[change.seq])
    case .read(let read): add(event, to: unitOfAction[read.seq])
    case .effect(let effect): add(event, to: unitOfAction[effect.id.seq], effect.event.cause)
    case .call(let call): add(event, to: unitOfAction[call.id.seq])
    case .external, .note: add(event, to: nil)
    case .excluded(let excluded):
      registerEffects(excluded.effects)
      add(event, to: nil)
    case .gap:
      units = []
      unitOfAction = [:]
      sends = []
      identities = [:]
      self.events.removeAll { !$0.isHeader }
    // Findings come from an earlier replay. Unknown events and withheld actions can't be replayed.
    case .withheld, .finding, .unknown: break
    }
  }

  private mutating func add(_ event: LogEvent, to unit: Int?, _ cause: EffectID? = nil) {
    events.append(
      CausalEvent(event: event, unit: unit, other: cause.flatMap { unitOfAction[$0.seq] })
    )
  }

  private mutating func registerEffects(_ effects: [EffectDescription]) {
    for (leaf, identity) in effects.identities {
      guard let id = leaf.id else { continue }
      if leaf.operation == .send { sends.insert(id) }
      identities[id] = identity
    }
  }

  /// Returns the index of the unit for an action.
  ///
  /// A new unit is added, unless the reducer sent the action through a `.send` effect. Such an action belongs to the
  /// unit that started the effect.
  private mutating func unit(of action: LogEvent.Action) -> Int? {
    let parent = action.origin.cause.flatMap { unitOfAction[$0] }
    if case .effect(let id, nil) = action.origin, sends.contains(id) { return parent }
    units.append(
      RemovableAction(seq: action.seq, origin: action.origin, action: action.action, parent: parent)
    )
    return units.count - 1
  }
}

extension CausalLog.CausalEvent {
  fileprivate var isHeader: Bool {
    if case .header = event { true } else { false }
  }

  fileprivate var isCheckpoint: Bool {
    if case .checkpoint = event { true } else { false }
  }
}

extension LogEvent.Effect.Event {
  /// The effect that canceled another effect, or `nil` if the event is not such a cancellation.
  fileprivate var cause: EffectID? {
    if case .cancelled(by: .effect(let id), _) = self { id } else { nil }
  }
}

extension CausalLog {
  /// The indexes of all units.
  var all: Set<Int> { Set(units.indices) }

  /// Returns the unit, its parent, and all further ancestors.
  func causes(of unit: Int) -> Set<Int> {
    var causes: Set<Int> = [unit]
    var next = units[unit].parent
    while let parent = next, causes.insert(parent).inserted { next = units[parent].parent }
    return causes
  }

  /// Returns `kept` without the removed units and without units that depend on them.
  func without(_ removed: some Sequence<Int>, of kept: Set<Int>) -> Set<Int> {
    var left = kept.subtracting(removed)
    // Parents come before the units that depend on them, so one pass is enough.
    for unit in left.sorted() {
      if let parent = units[unit].parent, !left.contains(parent) { left.remove(unit) }
    }
    return left
  }
}

extension CausalLog {
  /// A subset of a log's units, in which actions can be replaced.
  struct Subset: Sendable, Hashable {
    /// The indexes of the units in the subset.
    var units: Set<Int>
    /// The actions that replace the actions of units, keyed by the index of the unit.
    var actions: [Int: JSON] = [:]
  }

  /// Returns the events of a subset, in the order in which they are replayed.
  ///
  /// The events keep their original numbers. The replay renumbers actions, and adjusts the ids of effects accordingly.
  func events(of subset: Subset) -> [LogEvent] { selection(of: subset).map(\.event) }

  /// An event in a subset, with a mark by which subsets are compared.
  struct SelectedEvent {
    let event: LogEvent
    /// A number that is equal in two subsets if they contain the same event.
    let mark: Int
  }

  /// Returns the events of a subset with their marks.
  func selection(of subset: Subset) -> [SelectedEvent] {
    var sent: [EffectID: Int] = [:]
    var selected: [SelectedEvent] = []
    for (index, event) in events.enumerated() {
      guard subset.units.contains(event.unit), subset.units.contains(event.other) else {
        if let id = event.sender { sent[id, default: 0] -= 1 }
        continue
      }
      switch event.event {
      case .action(var action):
        var mark = index
        if let unit = event.unit, units[unit].seq == action.seq,
          let other = subset.actions[unit]
        {
          action.action = other
          mark = index ^ other.hashValue
        }
        selected.append(SelectedEvent(event: .action(action), mark: mark))
      case .effect(var effect):
        var mark = index
        if case .finished(let count) = effect.event, let missing = sent[effect.id] {
          effect.event = .finished(sent: count + missing)
          mark = index ^ missing << 32
        }
        selected.append(SelectedEvent(event: .effect(effect), mark: mark))
      default: selected.append(SelectedEvent(event: event.event, mark: index))
      }
    }
    return selected
  }
}

extension CausalLog.CausalEvent {
  /// The effect that sent the action, or `nil` if the event is not an action of an effect.
  fileprivate var sender: EffectID? {
    if case .action(let action) = event { action.origin.directEffect } else { nil }
  }
}

extension Set<Int> {
  /// Returns whether the set contains an event's unit, or whether the event has no unit.
  fileprivate func contains(_ unit: Int?) -> Bool {
    unit.map { contains($0) } ?? true
  }
}

/// Replays subsets of a log in host processes.
struct SubsetReplayer: Sendable {
  typealias Outcome = EventReplayer.ReplayedEvents

  let log: CausalLog
  let hosts: HostPool
  var options = ReplayOptions()

  /// Replays a subset of the log's units.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func replay(_ subset: CausalLog.Subset) throws -> Outcome {
    try EventReplayer(hosts: hosts, options: options).replay(log.events(of: subset))
  }
}
