import ActionLog
import ReplayEngine

/// The events of a log with edits applied, for a host to replay.
///
/// Actions keep the numbers that they were recorded with, in whatever order they come, and those that were not recorded have the
/// number 0: the replay counts anew, and leaves out what cannot come any more.
struct EditedEvents {
  private let source: LogComparison.Events
  private let plan: EditPlan
  private var output: [LogEvent] = []
  private var given = 0
  private var sends: Set<EffectID> = []
  /// The sends whose action the log has next.
  private var pendingSends: Set<EffectID> = []
  /// Sends whose action has not come.
  private var unsent: Set<EffectID> = []
  /// Sends whose action may come next, because an effect before them has ended.
  private var possibleSends: Set<EffectID> = []
  /// The action whose change is to come.
  private var open: Int?
  private var isLeavingOut = false
  /// What comes after the last action and all that this one sent itself.
  private var waiting: [EditPlan.InsertedItem] = []
  /// The changes from outside that the log has before that.
  private var externals = 0
  /// How many actions an effect has sent, in the log and here.
  private var recorded: [EffectID: Int] = [:]
  private var kept: [EffectID: Int] = [:]
  /// How many actions of an effect come later than in the log; less than 0 for those that come earlier.
  private var late: [EffectID: Int] = [:]
  /// The ends of effects that still send such an action.
  private var heldEnds: [EffectID: LogEvent.Effect] = [:]
  /// How often the open action has read each key.
  private var reads: [String: Int] = [:]
  private var at = 0
  private var last = 0
  private var isAtEnd = false
  /// The gap at which the events end: no state leads over it.
  private(set) var gap: LogEvent.Gap?

  /// - Parameters:
  ///   - source: The events of one log, from a checkpoint before the first edit on.
  ///   - plan: The edits.
  init(_ source: @escaping LogComparison.Events, _ plan: EditPlan) {
    self.source = source
    self.plan = plan
  }

  /// The next event; `nil` after the last one.
  ///
  /// - Throws: What the source throws.
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
      // The events begin with it, so what comes after its action comes now.
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
    // Findings belong to a replay; a withheld action follows as itself.
    case .finding?, .withheld?: break
    case let event?:
      if event.isFromOutside { externals -= 1 }
      output.append(event)
    }
  }

  /// Whether the first checkpoint is yet to come.
  private var isBeforeFirst = true

  /// Takes up what comes after an action.
  private mutating func wait(for seq: Int) {
    waiting += plan.after[seq] ?? []
    externals = plan.externals(after: seq)
  }

  /// Ends an action whose change never comes.
  private mutating func close() {
    guard let open else { return }
    wait(for: open)
    self.open = nil
    reads = [:]
  }

  /// Takes note that the action of a send has come.
  private mutating func arrive(_ id: EffectID) {
    pendingSends.remove(id)
    possibleSends.remove(id)
    unsent.remove(id)
  }

  /// Whether the recorded store had nothing to do here.
  private var isSettled: Bool { pendingSends.isEmpty && possibleSends.isEmpty }

  private mutating func finish() {
    close()
    pendingSends = []
    flush()
    add(plan.atEnd)
    isAtEnd = true
  }

  /// Gives what waits, unless the reducer's own actions come first.
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
      // Nothing that the reducer sent waits when the view sends something.
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

  /// Gives an action with its number in the log.
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

  /// A read with the answer that it gets.
  private mutating func answered(_ read: LogEvent.Read) -> LogEvent.Read {
    guard let answers = plan.answers[read.seq] else { return read }
    let index = reads[read.key, default: 0]
    reads[read.key] = index + 1
    var read = read
    // The last one that was given counts.
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
      // Its start is the only thing that a log has of a send.
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

  /// Gives the end of an effect, once all of its actions have come.
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
    // What follows it may not come.
    case .cancelled: possibleSends = possibleSends.filter { $0.seq != turn.id.seq }
    }
  }
}

// MARK: - What the log does not have there

extension EditedEvents {
  /// The member of an action that was not recorded, with the edit that has inserted it.
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
    // What follows does not belong to it.
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
  /// The event with the number of actions that the effect has sent.
  fileprivate func counting(_ sent: Int) -> Self {
    if case .finished = self { .finished(sent: sent) } else { self }
  }
}

extension EffectDescription {
  /// The sends that follow at once, and not after something that runs.
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
  /// The places of an action that hold a shared value, without those that another action in its place does not have or has
  /// another value at.
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
