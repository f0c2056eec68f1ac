import ActionLog
import ReplayEngine

/// The facts about the edited actions and effects, collected in one pass through the log.
struct EditScan {
  struct Action {
    let event: LogEvent.Action
    /// The effect through which the reducer itself sent the action, or `nil` for an action from outside.
    var sender: EffectID?
    /// The values that the reducer read for the action, in order.
    var reads: [LogEvent.Read] = []
  }

  struct ScannedEffect {
    /// Whether the effect is a `.send`.
    var sendsAtOnce = false
    /// The numbers of the actions that the effect sent.
    var actions: [Int] = []
    /// The event after which the effect can't send actions, or `nil` if the log has none.
    var turn: SendCutoff?
    /// The number of the last action before `turn`.
    var last = 0
  }

  /// The first event after which an effect can't send actions.
  enum SendCutoff {
    /// The effect finished, failed, or was canceled by anything other than an action.
    case event
    /// The action with this number canceled the effect.
    case action(Int)
  }

  private(set) var actions: [Int: Action] = [:]
  private(set) var effects: [EffectID: ScannedEffect] = [:]
  private(set) var excluded: Set<Int> = []
  /// The number of external changes after each action, keyed by the number of the action.
  private(set) var externals: [Int: Int] = [:]
  /// The events of each moved action, including the events of actions that the reducer sent in response to it.
  private(set) var moved: [Int: [LogEvent]] = [:]
  var samples = OmittedNotationParts()
  private(set) var last = 0

  private let seqs: Set<Int>
  private let ids: Set<EffectID>
  private let roots: Set<Int>
  private var rootOfMoved: [Int: Int] = [:]
  private var sends: Set<EffectID> = []

  /// Scans a log.
  ///
  /// - Throws: The errors that `events` throws.
  init(_ events: LogComparison.Events, for edits: [TimelineEdit]) throws {
    var seqs: Set<Int> = []
    var ids: Set<EffectID> = []
    var roots: Set<Int> = []
    for edit in edits {
      if let seq = edit.seq { seqs.insert(seq) }
      if case .reorder(let seq, let position) = edit {
        roots.insert(seq)
        seqs.insert(position.neighbor)
      }
      if case .answerEffect(let id, _) = edit { ids.insert(id) }
    }
    (self.seqs, self.ids, self.roots) = (seqs, ids, roots)
    while let event = try events() { scan(event) }
  }

  private mutating func scan(_ event: LogEvent) {
    switch event {
    case .checkpoint(let checkpoint):
      if actions.isEmpty, last == 0 {
        last = checkpoint.seq
        samples.add(value: checkpoint.state)
      }
      for effect in checkpoint.effects { registerEffect(effect) }
    case .action(let action): scan(action)
    case .read(let read):
      samples.add(value: read.value)
      actions[read.seq]?.reads.append(read)
      append(event, of: read.seq)
    case .change(let change):
      samples.add(patch: change.patch)
      for effect in change.effects { registerEffect(effect) }
      append(event, of: change.seq)
    case .excluded(let one):
      last = one.seq
      excluded.insert(one.seq)
      for effect in one.effects { registerEffect(effect) }
    case .effect(let turn): scan(turn)
    default: if event.isFromOutside, seqs.contains(last) { externals[last, default: 0] += 1 }
    }
  }

  private mutating func scan(_ action: LogEvent.Action) {
    last = action.seq
    samples.add(action: action.action)
    let id = action.origin.directEffect
    let sender = id.flatMap { sends.remove($0) }
    if seqs.contains(action.seq) { actions[action.seq] = Action(event: action, sender: sender) }
    if let id, sender == nil { effects[id]?.actions.append(action.seq) }
    if roots.contains(action.seq) {
      rootOfMoved[action.seq] = action.seq
    } else if let sender, let root = rootOfMoved[sender.seq] {
      rootOfMoved[action.seq] = root
    }
    append(.action(action), of: action.seq)
  }

  private mutating func append(_ event: LogEvent, of seq: Int) {
    if let root = rootOfMoved[seq] { moved[root, default: []].append(event) }
  }

  private mutating func registerEffect(_ effect: EffectDescription) {
    for leaf in effect.flattened {
      guard let id = leaf.id else { continue }
      if leaf.operation == .send { sends.insert(id) }
      if ids.contains(id), effects[id] == nil {
        effects[id] = ScannedEffect(sendsAtOnce: leaf.operation == .send)
      }
    }
  }

  private mutating func scan(_ turn: LogEvent.Effect) {
    guard effects[turn.id] != nil, effects[turn.id]?.turn == nil else { return }
    switch turn.event {
    case .started: return
    case .cancelled(by: .action(let seq), _): effects[turn.id]?.turn = .action(seq)
    case .finished, .failed, .cancelled: effects[turn.id]?.turn = .event
    }
    effects[turn.id]?.last = last
  }
}
