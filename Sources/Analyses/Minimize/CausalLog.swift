import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A log as the actions that came from outside and their causes, so that a subset of them can be replayed.
///
/// A unit is one action from outside, with all events that follow from it. It depends on the unit that started the effect
/// which sent it, or during which it was sent: without that unit it could not have come.
struct CausalLog: Sendable {
  /// One action from outside.
  struct Unit: Sendable {
    /// The number of its action.
    let seq: Int
    /// The sender.
    let origin: LogEvent.Origin
    /// The action itself.
    let action: JSON
    /// The unit without which it could not have come.
    let parent: Int?
  }

  /// An event, and the units that it needs.
  struct CausalEvent: Sendable {
    let event: LogEvent
    /// The unit that the event belongs to; `nil` for the header, the first checkpoint and the end.
    let unit: Int?
    /// A second unit that it needs: that of the effect which caused it.
    let other: Int?
  }

  private(set) var units: [Unit] = []
  private(set) var events: [CausalEvent] = []

  private var unitOfAction: [Int: Int] = [:]
  private var sends: Set<EffectID> = []
  /// What the effects of the log do, and for which child.
  private(set) var identities: [EffectID: EffectIdentity] = [:]

  /// Reads a log.
  ///
  /// The events before a gap cannot be replayed together with those after it, so only those after the last gap are taken.
  ///
  /// - Throws: What `events` throws.
  init(_ events: LogComparison.Events) throws {
    while let event = try events() { assign(event) }
  }

  private mutating func assign(_ event: LogEvent) {
    switch event {
    case .header, .end: add(event, to: nil)
    case .checkpoint(let checkpoint):
      // Another one in between would disagree as soon as something before it is left out.
      guard !self.events.contains(where: \.isCheckpoint) else { return }
      register(checkpoint.effects)
      add(event, to: nil)
    case .action(let action):
      unitOfAction[action.seq] = unit(of: action)
      add(event, to: unitOfAction[action.seq])
    case .change(let change):
      register(change.effects)
      add(event, to: unitOfAction[change.seq])
    case .read(let read): add(event, to: unitOfAction[read.seq])
    case .effect(let effect): add(event, to: unitOfAction[effect.id.seq], effect.event.cause)
    case .call(let call): add(event, to: unitOfAction[call.id.seq])
    case .external, .note: add(event, to: nil)
    case .excluded(let excluded):
      register(excluded.effects)
      add(event, to: nil)
    case .gap:
      units = []
      unitOfAction = [:]
      sends = []
      identities = [:]
      self.events.removeAll { !$0.isHeader }
    // Findings belong to a replay, and neither unknown events can be replayed nor actions that are not in the log.
    case .withheld, .finding, .unknown: break
    }
  }

  private mutating func add(_ event: LogEvent, to unit: Int?, _ cause: EffectID? = nil) {
    events.append(
      CausalEvent(event: event, unit: unit, other: cause.flatMap { unitOfAction[$0.seq] })
    )
  }

  private mutating func register(_ effects: [EffectDescription]) {
    for (leaf, identity) in effects.identities {
      guard let id = leaf.id else { continue }
      if leaf.operation == .send { sends.insert(id) }
      identities[id] = identity
    }
  }

  /// The unit that an action belongs to: one of its own, unless the reducer sent it.
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
  /// The effect that caused it.
  fileprivate var cause: EffectID? {
    if case .cancelled(by: .effect(let id), _) = self { id } else { nil }
  }
}

extension CausalLog {
  /// All units.
  var all: Set<Int> { Set(units.indices) }

  /// A unit, and those without which it could not have come.
  func causes(of unit: Int) -> Set<Int> {
    var causes: Set<Int> = [unit]
    var next = units[unit].parent
    while let parent = next, causes.insert(parent).inserted { next = units[parent].parent }
    return causes
  }

  /// Some units without others and the units that depend on these.
  func without(_ removed: some Sequence<Int>, of kept: Set<Int>) -> Set<Int> {
    var left = kept.subtracting(removed)
    // Parents come before the units that depend on them.
    for unit in left.sorted() {
      if let parent = units[unit].parent, !left.contains(parent) { left.remove(unit) }
    }
    return left
  }
}

extension CausalLog {
  /// A subset of a log's units, with some of their actions changed.
  struct Subset: Sendable, Hashable {
    /// The units that are kept.
    var units: Set<Int>
    /// Actions that differ from the recorded ones, by their unit.
    var actions: [Int: JSON] = [:]
  }

  /// The events to be replayed.
  ///
  /// Numbers are those of the log. A replay counts anew, and derives the new ids of effects from the actions that are missing.
  func events(of subset: Subset) -> [LogEvent] { selection(of: subset).map(\.event) }

  /// An event of a subset.
  struct Selected {
    let event: LogEvent
    /// The same for the same event in two subsets.
    let mark: Int
  }

  /// The events to be replayed, with what tells them apart.
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
  /// The effect that sent the action, when the event is one.
  fileprivate var sender: EffectID? {
    if case .action(let action) = event { action.origin.directEffect } else { nil }
  }
}

extension Set<Int> {
  /// Whether an event's unit, if it has one, is kept.
  fileprivate func contains(_ unit: Int?) -> Bool {
    unit.map { contains($0) } ?? true
  }
}

/// Replays subsets of a log, each in a host of its own.
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
