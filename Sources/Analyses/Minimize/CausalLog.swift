import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A log divided into actions from outside with their causes, so that subsets of them can be replayed.
///
/// A unit is one action from outside with all events that follow from it. Its parent is the unit that started the
/// effect which sent it, or during which it was sent. A unit can't occur without its parent.
struct CausalLog: Sendable {
  /// An action from outside with its consequences.
  struct Unit: Sendable {
    /// The number of its action.
    let seq: Int
    /// The sender of its action.
    let origin: LogEvent.Origin
    /// The value of its action.
    let action: JSON
    /// The index of the unit without which it can't occur.
    let parent: Int?
  }

  /// An event, and the units that it requires.
  struct CausalEvent: Sendable {
    let event: LogEvent
    /// The unit of the event; `nil` for the header, the first checkpoint and the end.
    let unit: Int?
    /// A second required unit: that of the effect which caused the event.
    let other: Int?
  }

  private(set) var units: [Unit] = []
  private(set) var events: [CausalEvent] = []

  private var unitOfAction: [Int: Int] = [:]
  private var sends: Set<EffectID> = []
  /// The operation and child feature of each effect.
  private(set) var identities: [EffectID: EffectIdentity] = [:]

  /// Reads a log.
  ///
  /// The events before and after a gap can't be replayed together. Only those after the last gap are included.
  ///
  /// - Throws: The errors of `events`.
  init(_ events: LogComparison.Events) throws {
    while let event = try events() { assign(event) }
  }

  private mutating func assign(_ event: LogEvent) {
    switch event {
    case .header, .end: add(event, to: nil)
    case .checkpoint(let checkpoint):
      // Later checkpoints would contradict the states of a subset.
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
    // Findings belong to another replay. Unknown events and withheld actions can't be replayed.
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

  /// Returns the unit of an action: a new one, unless the reducer itself sent the action.
  private mutating func unit(of action: LogEvent.Action) -> Int? {
    let parent = action.origin.cause.flatMap { unitOfAction[$0] }
    if case .effect(let id, nil) = action.origin, sends.contains(id) { return parent }
    units.append(
      Unit(seq: action.seq, origin: action.origin, action: action.action, parent: parent)
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
  /// The effect that caused the event.
  fileprivate var cause: EffectID? {
    if case .cancelled(by: .effect(let id), _) = self { id } else { nil }
  }
}

extension CausalLog {
  /// The indexes of all units.
  var all: Set<Int> { Set(units.indices) }

  /// Returns a unit with all units that it transitively depends on.
  func causes(of unit: Int) -> Set<Int> {
    var causes: Set<Int> = [unit]
    var next = units[unit].parent
    while let parent = next, causes.insert(parent).inserted { next = units[parent].parent }
    return causes
  }

  /// Removes units and those that depend on them.
  func without(_ removed: some Sequence<Int>, of kept: Set<Int>) -> Set<Int> {
    var left = kept.subtracting(removed)
    // A parent precedes the units that depend on it.
    for unit in left.sorted() {
      if let parent = units[unit].parent, !left.contains(parent) { left.remove(unit) }
    }
    return left
  }
}

extension CausalLog {
  /// A subset of a log's units, optionally with changed actions.
  struct Subset: Sendable, Hashable {
    /// The included units.
    var units: Set<Int>
    /// The changed actions, by unit.
    var actions: [Int: JSON] = [:]
  }

  /// Returns the events to replay.
  ///
  /// Numbers refer to the original log. The replay renumbers actions, and derives the new ids of effects from the gaps.
  func events(of subset: Subset) -> [LogEvent] { selection(of: subset).map(\.event) }

  /// An event of a subset.
  struct Selected {
    let event: LogEvent
    /// A number that identifies the same event in different subsets.
    let mark: Int
  }

  /// Returns the events to replay with their marks.
  func selection(of subset: Subset) -> [Selected] {
    var sent: [EffectID: Int] = [:]
    var selected: [Selected] = []
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
        selected.append(Selected(event: .action(action), mark: mark))
      case .effect(var effect):
        var mark = index
        if case .finished(let count) = effect.event, let missing = sent[effect.id] {
          effect.event = .finished(sent: count + missing)
          mark = index ^ missing << 32
        }
        selected.append(Selected(event: .effect(effect), mark: mark))
      default: selected.append(Selected(event: event.event, mark: index))
      }
    }
    return selected
  }
}

extension CausalLog.CausalEvent {
  /// The effect that sent the action, if the event is one.
  fileprivate var sender: EffectID? {
    if case .action(let action) = event { action.origin.directEffect } else { nil }
  }
}

extension Set<Int> {
  /// Returns whether an event's unit is included; true for an event without one.
  fileprivate func contains(_ unit: Int?) -> Bool {
    unit.map { contains($0) } ?? true
  }
}

/// Replays subsets of a log in separate hosts.
struct SubsetReplayer: Sendable {
  typealias Outcome = EventReplayer.ReplayedEvents

  let log: CausalLog
  let hosts: HostPool
  var options = ReplayOptions()

  /// Replays a subset of the log.
  ///
  /// - Throws: `HostFailure`, `StreamError`.
  func replay(_ subset: CausalLog.Subset) throws -> Outcome {
    try EventReplayer(hosts: hosts, options: options).replay(log.events(of: subset))
  }
}
