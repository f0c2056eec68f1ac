import ActionLog
import ReplayEngine

/// The changes that edits make to the events of a log, by action.
struct EditPlan {
  /// An event to insert, or recorded events to move.
  enum InsertedItem {
    /// Recorded events that are moved to this position.
    case moved([LogEvent])
    /// An inserted action.
    case action(JSON, origin: LogEvent.Origin, of: TimelineEdit)
    /// A lifecycle event of an effect.
    case turn(EffectID, LogEvent.Effect.Event)
    /// An external change of the state, which may add a key to a dictionary.
    case set(JSON.Patch.Operation)
  }

  /// A replaced read value.
  struct ReadOverride {
    let key: String
    let index: Int
    let value: JSON
  }

  /// The number of the first action that may differ from the recording.
  private(set) var first = Int.max
  /// The numbers of the actions that are dropped or moved.
  private(set) var removed: Set<Int> = []
  private(set) var replaced: [Int: JSON] = [:]
  private(set) var answers: [Int: [ReadOverride]] = [:]
  private(set) var before: [Int: [InsertedItem]] = [:]
  private(set) var after: [Int: [InsertedItem]] = [:]
  /// The items to insert before the recorded end of each effect.
  private(set) var beforeTurn: [EffectID: [InsertedItem]] = [:]
  private(set) var atEnd: [InsertedItem] = []
  /// The effects whose recorded end is dropped.
  private(set) var endless: Set<EffectID> = []
  /// The edit of each edited action, keyed by the number of the action.
  private(set) var editOfAction: [Int: TimelineEdit] = [:]

  /// Returns whether an action is moved.
  func moves(_ seq: Int) -> Bool {
    if case .reorder? = editOfAction[seq] { true } else { false }
  }

  /// Returns the number of recorded external changes after an action.
  ///
  /// These changes come before the items that edits insert after the action.
  func externals(after seq: Int) -> Int { scan.externals[seq] ?? 0 }

  let edits: [TimelineEdit]
  private let scan: EditScan
  private let state: (Int) throws -> JSON

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - edits: The edits to apply.
  ///   - scan: The facts about the edited actions in the log.
  ///   - state: A closure that returns the recorded state after the action with a number.
  /// - Throws: `EditError`, or the errors that `state` throws.
  init(_ edits: [TimelineEdit], _ scan: EditScan, state: @escaping (Int) throws -> JSON) throws {
    self.edits = edits
    self.scan = scan
    self.state = state
    for edit in edits { try add(edit) }
  }

  private mutating func add(_ edit: TimelineEdit) throws {
    switch edit {
    case .skip(let seq):
      if !scan.excluded.contains(seq) { _ = try own(seq, edit) }
      try claim(seq, edit)
      remove(seq)
    case .replace(let seq, let value):
      let action = try own(seq, edit)
      try claim(seq, edit)
      replaced[seq] = try Self.reading(edit) {
        try value.action(over: action.event.action, scan.samples)
      }
      includeAction(seq)
    case .change(let seq, let place, let value): try change(seq, place, value, edit)
    case .insert(let value, let seq):
      try check(seq, edit)
      let action = try Self.reading(edit) { try value.action(over: nil, scan.samples) }
      after[seq, default: []].append(.action(action, origin: .view, of: edit))
      includeAction(seq + 1)
    case .reorder(let seq, let position): try reorder(seq, position, edit)
    case .answerRead(let seq, let key, let index, let value):
      let action = try known(seq, edit)
      let reads = action.reads.filter { $0.key == key }
      guard reads.indices.contains(index) else {
        throw EditError.noRead(edit, known: action.reads.map(\.key))
      }
      let new = try Self.reading(edit) { try value.value(over: reads[index].value, scan.samples) }
      answers[seq, default: []].append(ReadOverride(key: key, index: index, value: new))
      includeAction(seq)
    case .answerEffect(let id, let answer): try self.overrideEffect(id, answer, edit)
    case .set(let place, let value, let seq): try set(place, value, seq, edit)
    }
  }

  private mutating func includeAction(_ seq: Int) { first = min(first, seq) }

  private mutating func remove(_ seq: Int) {
    removed.insert(seq)
    includeAction(seq)
  }

  /// Registers the edit of an action.
  ///
  /// - Throws: `EditError.twice` if another edit already concerns the action.
  private mutating func claim(_ seq: Int, _ edit: TimelineEdit) throws(EditError) {
    if let other = editOfAction[seq] { throw .twice(other, edit) }
    editOfAction[seq] = edit
  }

  /// Runs a parser, and converts its errors to `EditError`.
  private static func reading(
    _ edit: TimelineEdit,
    _ body: () throws -> JSON
  ) throws(EditError) -> JSON {
    do { return try body() } catch let error as InexactNotationError {
      throw .inexact(edit, error)
    } catch {
      throw .unreadable(edit, "\(error)")
    }
  }
}

// MARK: - Actions

extension EditPlan {
  /// Checks that the log reaches the action with a number.
  ///
  /// The number 0 stands for the start of the log.
  private func check(_ seq: Int, _ edit: TimelineEdit) throws(EditError) {
    guard seq >= 0, seq <= scan.last else {
      throw .noSuchAction(edit, seq, last: scan.last)
    }
  }

  private func known(_ seq: Int, _ edit: TimelineEdit) throws(EditError) -> EditScan.Action {
    if let action = scan.actions[seq] { return action }
    guard !scan.excluded.contains(seq) else { throw .excluded(edit, seq) }
    throw .noSuchAction(edit, seq, last: scan.last)
  }

  /// Returns the action with a number.
  ///
  /// - Throws: `EditError` if the log lacks the action, or if the reducer itself sent it.
  private func own(_ seq: Int, _ edit: TimelineEdit) throws(EditError) -> EditScan.Action {
    let action = try known(seq, edit)
    if let sender = action.sender { throw .sentByReducer(edit, seq, sender) }
    return action
  }

  private mutating func change(
    _ seq: Int,
    _ place: ValuePath,
    _ value: ValueLiteral,
    _ edit: TimelineEdit
  ) throws(EditError) {
    let recorded = try own(seq, edit).event.action
    // Several edits may change different parts of one action.
    if let other = editOfAction[seq] {
      guard case .change = other else { throw .twice(other, edit) }
    }
    editOfAction[seq] = edit
    let action = replaced[seq] ?? recorded
    let pointer = try pointer(place, in: action, edit)
    let new = try Self.reading(edit) { try value.value(over: action[pointer], scan.samples) }
    replaced[seq] = action.replacing(pointer, with: new)
    includeAction(seq)
  }

  private func pointer(
    _ place: ValuePath,
    in value: JSON,
    _ edit: TimelineEdit
  ) throws(EditError) -> JSON.Pointer {
    switch place.resolve(in: value) {
    case .found(let pointers) where pointers.count == 1: return pointers[0]
    case .found(let pointers):
      throw .ambiguous(edit, place, pointers.map { Notation().pathText($0, in: value) })
    case .ambiguous(_, let ids): throw .ambiguous(edit, place, ids)
    case .missing(let path, _, let step):
      throw .nothing(edit, place, UnresolvedPath(path.appending(step), in: value))
    }
  }

  private mutating func reorder(
    _ seq: Int,
    _ position: TimelineEdit.Position,
    _ edit: TimelineEdit
  ) throws(EditError) {
    let action = try own(seq, edit)
    try claim(seq, edit)
    let neighbor = position.neighbor
    guard neighbor != seq else { throw .toItself(edit) }
    let cause = action.event.origin.cause
    switch position {
    case .before:
      // Items can't be placed between an action and the actions that it sends immediately.
      let target = try own(neighbor, edit)
      if let cause, neighbor <= cause { throw .beforeCause(edit, cause: cause) }
      before[target.event.seq, default: []].append(.moved(scan.moved[seq] ?? []))
      includeAction(neighbor)
    case .after:
      try check(neighbor, edit)
      if let cause, neighbor < cause { throw .beforeCause(edit, cause: cause) }
      after[neighbor, default: []].append(.moved(scan.moved[seq] ?? []))
      includeAction(neighbor + 1)
    }
    for case .action(let action) in scan.moved[seq] ?? [] { remove(action.seq) }
  }
}

// MARK: - Effects and the state

extension EditPlan {
  private mutating func overrideEffect(
    _ id: EffectID,
    _ answer: TimelineEdit.EffectOutputOverride,
    _ edit: TimelineEdit
  ) throws(EditError) {
    guard let effect = scan.effects[id] else { throw .noEffect(edit, id) }
    guard !effect.sendsAtOnce else { throw .sendsAtOnce(edit, id) }
    let turn: LogEvent.Effect.Event
    switch answer {
    case .sends(let value):
      guard effect.actions.count <= 1 else { throw .sentMore(edit, id, effect.actions) }
      let action = try Self.reading(edit) { try value.action(over: nil, scan.samples) }
      if let seq = effect.actions.first {
        try claim(seq, edit)
        replaced[seq] = action
        return includeAction(seq)
      }
      return insert(.action(action, origin: .effect(id), of: edit), beforeEndOf: effect, id)
    case .fails(let error):
      turn = .failed(try Self.reading(edit) { try error.value(over: nil, scan.samples) })
    case .isCancelled: turn = .cancelled(by: .task)
    case .sendsNothing: turn = .finished(sent: 0)
    }
    for seq in effect.actions { try claim(seq, edit) }
    if let seq = effect.actions.first {
      before[seq, default: []].append(.turn(id, turn))
    } else {
      insert(.turn(id, turn), beforeEndOf: effect, id)
    }
    for seq in effect.actions { remove(seq) }
    // The operation of a canceled effect still returns.
    if answer != .isCancelled { endless.insert(id) }
  }

  private mutating func insert(
    _ item: InsertedItem,
    beforeEndOf effect: EditScan.ScannedEffect,
    _ id: EffectID
  ) {
    switch effect.turn {
    case .event:
      beforeTurn[id, default: []].append(item)
      // A checkpoint after the same action may come after the end of the effect.
      includeAction(effect.last)
    case .action(let seq):
      before[seq, default: []].append(item)
      includeAction(seq)
    case nil:
      atEnd.append(item)
      includeAction(scan.last)
    }
  }

  private mutating func set(
    _ place: ValuePath,
    _ value: ValueLiteral,
    _ seq: Int,
    _ edit: TimelineEdit
  ) throws {
    try check(seq, edit)
    let state = try state(seq)
    let samples = scan.samples
    func new(_ old: JSON?) throws(EditError) -> JSON {
      try Self.reading(edit) { try value.value(over: old, samples) }
    }
    if let key = place.newKey(in: state) {
      after[seq, default: []].append(.set(.add(key, try new(nil))))
    } else {
      let pointer = try pointer(place, in: state, edit)
      after[seq, default: []].append(.set(.replace(pointer, try new(state[pointer]))))
    }
    includeAction(seq + 1)
  }
}
