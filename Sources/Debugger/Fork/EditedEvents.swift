import ActionLog
import ReplayEngine

/// Applies edits to the events of a log, for a host to replay.
///
/// Actions keep their recorded numbers in any order, and inserted actions have the number 0. The replay renumbers the
/// actions, and drops events that can no longer occur.
struct EditedEvents {
  private let source: LogComparison.Events
  private let plan: EditPlan
  private var output: [LogEvent] = []
  private var given = 0
  private var sends: Set<EffectID> = []
  /// The `.send` effects whose actions come next in the log.
  private var pendingSends: Set<EffectID> = []
  /// The `.send` effects whose actions have not occurred.
  private var unsent: Set<EffectID> = []
  /// The `.send` effects whose actions may come next, because a preceding effect has ended.
  private var possibleSends: Set<EffectID> = []
  /// The number of the action whose change has not been read, or `nil` if there is none.
  private var open: Int?
  private var isLeavingOut = false
  /// The items to insert after the last action and after the actions that the last action sends immediately.
  private var waiting: [EditPlan.InsertedItem] = []
  /// The number of recorded external changes that come before the waiting items.
  private var externals = 0
  /// The number of actions that each effect has sent in the log.
  ///
  /// `kept` counts those in the output.
  private var recorded: [EffectID: Int] = [:]
  private var kept: [EffectID: Int] = [:]
  /// For each effect, the number of actions that occur later than in the log, or a negative number if they occur
  /// earlier.
  private var late: [EffectID: Int] = [:]
  /// The ends of effects that have not sent all of their late actions.
  private var heldEnds: [EffectID: LogEvent.Effect] = [:]
  /// The number of times that the open action has read each key.
  private var reads: [String: Int] = [:]
  private var at = 0
  private var last = 0
  private var isAtEnd = false
  /// The gap that ends the output, because the log has no state after the gap.
  private(set) var gap: LogEvent.Gap?

  /// Creates the edited events.
  ///
  /// - Parameters:
  ///   - source: A closure that returns the events of one log, starting at a checkpoint before the first edit.
  ///   - plan: The changes that the edits make.
  init(_ source: @escaping LogComparison.Events, _ plan: EditPlan) {
    self.source = source
    self.plan = plan
  }

  /// Returns the next event, or `nil` after the last one.
  ///
  /// - Throws: The errors that the source throws.
  mutating func next() throws -> LogEvent? {
    while given == output.count {
      guard !isAtEnd else { return nil }
      output.removeAll(keepingCapacity: true)
      given = 0
      rewrite(try source())
    }
    defer { given += 1 }
    return output[given]
  }

  private mutating func rewrite(_ event: LogEvent?) {
    switch event {
    case .header(let header)?: output.append(.header(header))
    case .checkpoint(let checkpoint)?:
      flush()
      for effect in checkpoint.effects { registerSends(effect) }
      last = max(last, checkpoint.seq)
      output.append(.checkpoint(checkpoint))
      // The events begin with this checkpoint, so the items after the checkpoint's action are inserted now.
      if isBeforeFirst { wait(for: checkpoint.seq) }
      isBeforeFirst = false
    case .action(let action)?: rewrite(action)
    case .read(let read)?: rewrite(read)
    case .change(let change)?:
      open = nil
      reads = [:]
      if isLeavingOut {
        isLeavingOut = false
      } else {
        for effect in change.effects { registerSends(effect) }
        output.append(.change(change))
      }
      wait(for: change.seq)
    case .effect(let turn)?: rewrite(turn)
    case .excluded(let excluded)?:
      close()
      flush()
      if let id = excluded.origin.directEffect { arrive(id) }
      add(plan.before[excluded.seq])
      last = excluded.seq
      at = excluded.at
      if !plan.removed.contains(excluded.seq) {
        for effect in excluded.effects { registerSends(effect) }
        output.append(.excluded(excluded))
      }
      wait(for: excluded.seq)
    case .gap(let gap)?:
      finish()
      self.gap = gap
      output.append(.end(LogEvent.End(seq: last, reason: "closed")))
    case .end(let end)?:
      finish()
      output.append(.end(end))
    case nil: finish()
    // Findings belong to an earlier replay. A withheld action is followed by the action itself.
    case .finding?, .withheld?: break
    case let event?:
      if event.isFromOutside { externals -= 1 }
      output.append(event)
    }
  }

  /// Whether the first checkpoint has not been read.
  private var isBeforeFirst = true

  /// Prepares to insert the items that follow an action.
  private mutating func wait(for seq: Int) {
    waiting += plan.after[seq] ?? []
    externals = plan.externals(after: seq)
  }

  /// Ends an action that has no change.
  private mutating func close() {
    guard let open else { return }
    wait(for: open)
    self.open = nil
    reads = [:]
  }

  /// Registers that the action of a `.send` effect has occurred.
  private mutating func arrive(_ id: EffectID) {
    pendingSends.remove(id)
    possibleSends.remove(id)
    unsent.remove(id)
  }

  /// Whether the recorded store was idle at this point.
  private var isSettled: Bool { pendingSends.isEmpty && possibleSends.isEmpty }

  private mutating func finish() {
    close()
    pendingSends = []
    flush()
    add(plan.atEnd)
    isAtEnd = true
  }

  /// Outputs the waiting items, unless the reducer sends actions first.
  private mutating func flush() {
    guard !waiting.isEmpty, pendingSends.isEmpty else { return }
    let items = waiting
    waiting = []
    add(items)
  }

  private mutating func registerSends(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      guard let id = leaf.id else { continue }
      sends.insert(id)
      unsent.insert(id)
    }
    pendingSends.formUnion(effect.immediateSends)
  }
}

// MARK: - Actions

extension EditedEvents {
  private mutating func rewrite(_ action: LogEvent.Action) {
    close()
    isLeavingOut = false
    let id = action.origin.directEffect
    let isOwn = id.map { sends.contains($0) } ?? false
    if !isOwn {
      // The store is idle when the view sends an action.
      if action.origin == .view { pendingSends = [] }
      flush()
    }
    add(plan.before[action.seq])
    (open, last, at) = (action.seq, action.seq, action.at)
    let isSettled = self.isSettled
    if let id {
      if isOwn { arrive(id) } else { recorded[id, default: 0] += 1 }
    }
    guard !plan.removed.contains(action.seq) else {
      if let id, !isOwn, plan.moves(action.seq) { late[id, default: 0] += 1 }
      isLeavingOut = true
      return
    }
    give(action, isSettled: isSettled)
  }

  /// Outputs an action under its recorded number.
  private mutating func give(_ action: LogEvent.Action, isSettled: Bool) {
    var action = action
    if let other = plan.replaced[action.seq] {
      action.shared = action.shared.flatMap { $0.sharedPlaces(keptFrom: action.action, in: other) }
      action.action = other
    }
    action.isSettled = isSettled
    action.originalSeq = action.seq
    if let id = action.origin.directEffect, !sends.contains(id) { kept[id, default: 0] += 1 }
    output.append(.action(action))
  }

  private mutating func rewrite(_ read: LogEvent.Read) {
    guard !isLeavingOut else { return }
    output.append(.read(answered(read)))
  }

  /// Returns a read with the value that an edit supplies, or the read itself if no edit replaces its value.
  private mutating func answered(_ read: LogEvent.Read) -> LogEvent.Read {
    guard let answers = plan.answers[read.seq] else { return read }
    let index = reads[read.key, default: 0]
    reads[read.key] = index + 1
    var read = read
    // If several edits match, the last one applies.
    for answer in answers where answer.key == read.key && answer.index == index {
      read.value = answer.value
    }
    return read
  }

  private mutating func rewrite(_ turn: LogEvent.Effect) {
    if open == nil {
      if case .cancelled = turn.event {} else if externals <= 0 { flush() }
    }
    if sends.contains(turn.id) {
      // The start is the only event that a log contains for a `.send` effect.
      if case .started = turn.event { pendingSends.insert(turn.id) }
      return give(turn)
    }
    switch turn.event {
    case .started, .cancelled(by: .action, _): break
    case .finished, .failed, .cancelled: add(plan.beforeTurn[turn.id])
    }
    switch turn.event {
    case .finished, .failed:
      if plan.endless.contains(turn.id) { return }
      if late[turn.id, default: 0] > 0 {
        heldEnds[turn.id] = turn
        return
      }
    case .started, .cancelled: break
    }
    give(turn)
  }

  /// Outputs the end of an effect after all of the effect's actions have occurred.
  private mutating func giveHeldEnd(of id: EffectID) {
    guard late[id, default: 0] <= 0, var turn = heldEnds.removeValue(forKey: id) else { return }
    turn.at = max(turn.at, at)
    give(turn)
  }

  private mutating func give(_ turn: LogEvent.Effect) {
    var turn = turn
    if case .finished(let count) = turn.event {
      let difference = recorded[turn.id, default: 0] - kept[turn.id, default: 0]
      turn.event = .finished(sent: max(0, count - difference))
    }
    if open == nil { turn.isSettled = isSettled }
    at = turn.at
    output.append(.effect(turn))
    switch turn.event {
    case .started: break
    case .finished, .failed: possibleSends.formUnion(unsent.filter { $0.seq == turn.id.seq })
    // The following parts of the concatenation may not start.
    case .cancelled: possibleSends = possibleSends.filter { $0.seq != turn.id.seq }
    }
  }
}

// MARK: - Inserted and moved events

extension EditedEvents {
  /// The name of the member that marks an inserted action and contains the edit.
  static let insertedMember = "inserted"

  private mutating func add(_ items: [EditPlan.InsertedItem]?) {
    for item in items ?? [] {
      switch item {
      case .moved(let events): move(events)
      case .action(let action, let origin, let edit): insert(action, origin, edit)
      case .turn(let id, let event):
        give(LogEvent.Effect(id: id, event: event.counting(kept[id, default: 0]), at: at))
      case .set(let operation):
        let patch = JSON.Patch([operation])
        output.append(.external(LogEvent.External(seq: last, at: at, patch: patch)))
      }
    }
  }

  private mutating func insert(_ json: JSON, _ origin: LogEvent.Origin, _ edit: TimelineEdit) {
    var action = LogEvent.Action(seq: 0, at: at, origin: origin, action: json)
    action.isSettled = isSettled
    action.rest[Self.insertedMember] = edit.json
    if let id = origin.directEffect { kept[id, default: 0] += 1 }
    output.append(.action(action))
    // The empty change ends the action, so that following events don't belong to it.
    output.append(.change(LogEvent.Change(seq: 0, patch: JSON.Patch(), effects: [])))
  }

  private mutating func move(_ events: [LogEvent]) {
    reads = [:]
    var isFirst = true
    var senders: Set<EffectID> = []
    for event in events {
      switch event {
      case .action(let action):
        if let id = action.origin.directEffect {
          if sends.contains(id) {
            arrive(id)
          } else {
            late[id, default: 0] -= 1
            senders.insert(id)
          }
        }
        give(action, isSettled: isFirst)
        isFirst = false
        reads = [:]
      case .read(let read): output.append(.read(answered(read)))
      case .change(let change):
        for effect in change.effects { registerSends(effect) }
        output.append(event)
      default: output.append(event)
      }
    }
    reads = [:]
    for id in senders.sorted() { giveHeldEnd(of: id) }
  }
}

extension LogEvent.Effect.Event {
  /// Returns the event with another number of sent actions.
  fileprivate func counting(_ sent: Int) -> Self {
    if case .finished = self { .finished(sent: sent) } else { self }
  }
}

extension EffectDescription {
  /// The `.send` effects that deliver their actions immediately, because they don't wait for a running effect.
  fileprivate var immediateSends: [EffectID] {
    switch operation {
    case .send: id.map { [$0] } ?? []
    case .merge: effects.flatMap(\.immediateSends)
    case .concatenate:
      effects.prefix { !$0.runs }.flatMap(\.immediateSends)
        + (effects.first(where: \.runs)?.immediateSends ?? [])
    case .run, .cancel: []
    }
  }

  private var runs: Bool { flattened.contains { $0.operation == .run } }
}

extension JSON {
  /// Returns the entries for shared values that the new action has at the same paths, or `nil` if there are none.
  fileprivate func sharedPlaces(keptFrom old: JSON, in new: JSON) -> JSON? {
    let places = (array ?? []).filter { place in
      guard let at = place["at"]?.string.flatMap({ try? Pointer(parsing: $0) }) else {
        return false
      }
      return old[at] != nil && old[at] == new[at]
    }
    guard !places.isEmpty else { return Optional<JSON>.none }
    return .array(places)
  }
}
