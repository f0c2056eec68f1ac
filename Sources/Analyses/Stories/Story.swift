import ActionLog
import ReplayEngine

/// A log taken apart into what came from outside, so that parts of it can be left out, moved or changed.
///
/// A unit is one action from outside, with all that the reducer made of it. It depends on the unit that started the effect
/// which sent it, or within which it was sent: without that one it could not have come.
struct Story: Sendable {
  /// One action from outside.
  struct Unit: Sendable {
    /// The number of its action.
    let seq: Int
    /// What sent it.
    let origin: LogEvent.Origin
    /// The action itself.
    let action: JSON
    /// The unit without which it could not have come.
    let parent: Int?
  }

  /// An event, and the units that it needs.
  struct Event: Sendable {
    let event: LogEvent
    /// The unit that the event belongs to; `nil` for the header, the first checkpoint and the end.
    let unit: Int?
    /// A second unit that it needs: that of the effect which caused it.
    let other: Int?
  }

  private(set) var units: [Unit] = []
  private(set) var events: [Event] = []

  private var unitOfAction: [Int: Int] = [:]
  private var sends: Set<EffectID> = []

  /// Reads a log.
  ///
  /// What stands before a gap cannot be replayed together with what stands behind it: the story begins behind the last one.
  ///
  /// - Throws: What `events` throws.
  init(_ events: LogComparison.Events) throws {
    while let event = try events() { take(event) }
  }

  private mutating func take(_ event: LogEvent) {
    switch event {
    case .header, .end: add(event, to: nil)
    case .checkpoint(let checkpoint):
      // Another one in between would disagree as soon as something before it is left out.
      guard !self.events.contains(where: \.isCheckpoint) else { return }
      for effect in checkpoint.effects { note(effect) }
      add(event, to: nil)
    case .action(let action):
      unitOfAction[action.seq] = unit(of: action)
      add(event, to: unitOfAction[action.seq])
    case .change(let change):
      for effect in change.effects { note(effect) }
      add(event, to: unitOfAction[change.seq])
    case .read(let read): add(event, to: unitOfAction[read.seq])
    case .effect(let effect): add(event, to: unitOfAction[effect.id.seq], effect.event.cause)
    case .external, .note: add(event, to: nil)
    case .excluded(let excluded):
      for effect in excluded.effects { note(effect) }
      add(event, to: nil)
    case .gap:
      units = []
      unitOfAction = [:]
      sends = []
      self.events.removeAll { !$0.isHeader }
    // Findings are a replay's own, and what is not known cannot be replayed.
    case .finding, .unknown: break
    }
  }

  private mutating func add(_ event: LogEvent, to unit: Int?, _ cause: EffectID? = nil) {
    events.append(Event(event: event, unit: unit, other: cause.flatMap { unitOfAction[$0.seq] }))
  }

  private mutating func note(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      if let id = leaf.id { sends.insert(id) }
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

extension Story.Event {
  fileprivate var isHeader: Bool {
    if case .header = event { true } else { false }
  }

  fileprivate var isCheckpoint: Bool {
    if case .checkpoint = event { true } else { false }
  }
}

extension LogEvent.Effect.Event {
  /// The effect that brought it about.
  fileprivate var cause: EffectID? {
    if case .cancelled(by: .effect(let id), _) = self { id } else { nil }
  }
}

extension Story {
  /// All units.
  var all: Set<Int> { Set(units.indices) }

  /// What is left of some units without others, and without what depends on these.
  func without(_ removed: some Sequence<Int>, of kept: Set<Int>) -> Set<Int> {
    var left = kept.subtracting(removed)
    // Parents stand before what depends on them.
    for unit in left.sorted() {
      if let parent = units[unit].parent, !left.contains(parent) { left.remove(unit) }
    }
    return left
  }
}
