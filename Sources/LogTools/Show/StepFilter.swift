import ActionLog
import ReplayCommands
import ReplayEngine

/// Selects the actions that satisfy all given criteria.
struct StepFilter {
  /// The criteria for an action.
  ///
  /// If a criterion has several values, an action must match one of them.
  struct Criteria {
    var actions: [ActionPattern] = []
    /// The names of effects.
    ///
    /// The action must start one of these effects, be sent by one, or be followed by an event of one.
    var effects: [String] = []
    var origins: [OriginPattern] = []
    /// The paths that select actions by their changes.
    ///
    /// The action must change a value at one of these paths.
    var changes: [ValuePath] = []
    var condition: Condition?
    var since: LogPosition?
    var until: LogPosition?
  }

  /// The sender that an action must have.
  enum OriginPattern: Hashable {
    case view
    case parent
    case anyEffect
    /// An effect of the action with this number, or code that ran while that action was handled.
    case action(Int)
    /// An effect with this name, number, source location, or cancellation id.
    case effect(String)
  }

  /// The criteria that later events can satisfy.
  private struct PendingCriteria: OptionSet {
    let rawValue: Int
    static let effect = PendingCriteria(rawValue: 1)
    static let change = PendingCriteria(rawValue: 2)
    static let condition = PendingCriteria(rawValue: 4)
  }

  private let criteria: Criteria
  private let watches: [PathWatch]
  private var contexts = ConditionContextBuilder()
  /// The criteria that the current action has not satisfied yet.
  private var open: PendingCriteria = []
  /// Whether the current action fails a criterion that later events can't change.
  private(set) var isRuledOut = true
  /// The case paths of actions in the log, collected until an action matches.
  private(set) var casePaths: Set<String> = []
  private var hasNamedAction = false
  /// Whether a requested effect, or an action from a requested sender, has occurred.
  private var hasNamedEffect = false

  /// The maximum number of stored case paths, because more would not improve a suggestion.
  private static let mostPaths = 1000

  init(_ criteria: Criteria) {
    self.criteria = criteria
    watches = criteria.changes.map { PathWatch($0) }
  }

  /// Whether the events so far satisfy all criteria for the current action.
  var isMet: Bool { !isRuledOut && open.isEmpty }

  /// Starts a step.
  ///
  /// - Parameters:
  ///   - event: The first event of the step. The filter can select recorded, withheld, and excluded actions, and
  ///     external changes. Any other event only ends the previous step.
  ///   - effects: The effects that have started before the event.
  mutating func startStep(_ event: LogEvent, _ effects: LabeledEffects) {
    open = []
    if !criteria.effects.isEmpty { open.insert(.effect) }
    if !watches.isEmpty { open.insert(.change) }
    if criteria.condition != nil { open.insert(.condition) }
    guard let beginning = event.beginning else {
      isRuledOut = true
      return
    }
    let isSenderRight = beginning.origin.map { isFrom($0, effects) } ?? criteria.origins.isEmpty
    hasNamedEffect = hasNamedEffect || isSenderRight && !criteria.origins.isEmpty
    let isRightAction = isNamed(event)
    isRuledOut = !isSenderRight || !isInTime(beginning.seq, beginning.at) || !isRightAction
  }

  /// Updates the criteria with an event of the current action, and applies the event to the cursor.
  ///
  /// - Parameters:
  ///   - event: The event to which the cursor has moved.
  ///   - cursor: The cursor, with the state before the event.
  ///   - effects: The effects that have started, including those that start with the event.
  /// - Throws: `LogCursor.BrokenPatch` if the event's patch does not fit the state.
  mutating func apply(
    _ event: LogEvent,
    _ cursor: inout LogCursor,
    _ effects: LabeledEffects
  ) throws(LogCursor.BrokenPatch) {
    if open.contains(.effect), isNamed(event, effects) {
      open.remove(.effect)
      hasNamedEffect = true
    }
    let touched = open.contains(.change) ? watches.filter { $0.isTouched(by: event) } : []
    let before = touched.map { $0.items(in: cursor.state) }
    if let condition = criteria.condition {
      if let context = try contexts.consume(event, &cursor), context.action != nil,
        condition.holds(in: context)
      {
        open.remove(.condition)
      }
    }
    try cursor.apply()
    for (watch, before) in zip(touched, before) {
      let after = watch.items(in: cursor.state)
      if !watch.changes(from: before, to: after, in: nil).isEmpty { open.remove(.change) }
    }
  }

  /// Returns whether an event matches one of the requested action patterns, or whether no pattern was requested.
  private mutating func isNamed(_ event: LogEvent) -> Bool {
    guard !criteria.actions.isEmpty else { return true }
    guard case .action(let action) = event else { return false }
    let isNamed = criteria.actions.contains { $0.isFound(in: action.action) }
    hasNamedAction = hasNamedAction || isNamed
    if !hasNamedAction, casePaths.count < Self.mostPaths {
      casePaths.insert(Notation().casePath(action.action))
    }
    return isNamed
  }

  /// The requested action patterns, each with the most similar case path in the log.
  ///
  /// A pattern without a similar path is omitted. The array is empty if an action matched.
  var meantActions: [(typed: String, meant: String)] {
    guard !hasNamedAction else { return [] }
    return criteria.actions.compactMap { pattern in
      SpellingSuggestion.closestPath(to: pattern.description, among: casePaths.sorted())
        .map { (pattern.description, $0) }
    }
  }

  /// Returns the requested effect names, each with the most similar label in the log.
  ///
  /// A name without a similar label is omitted. The array is empty if an effect matched.
  func meantEffects(_ effects: LabeledEffects) -> [(typed: String, meant: String)] {
    guard !hasNamedEffect else { return [] }
    let senders = criteria.origins.compactMap { origin -> String? in
      if case .effect(let name) = origin { name } else { nil }
    }
    return (criteria.effects + senders).compactMap { name in
      SpellingSuggestion.closest(to: name, among: effects.labels.sorted()).map { (name, $0) }
    }
  }

  private func isInTime(_ seq: Int, _ at: Int) -> Bool {
    let isSince =
      switch criteria.since {
      case .action(let first): seq >= first
      case .time(let first): at >= first.microseconds
      // No action follows the end of a log.
      case .end: false
      case nil: true
      }
    let isUntil =
      switch criteria.until {
      case .action(let last): seq <= last
      case .time(let last): at <= last.lastMicrosecond
      case .end, nil: true
      }
    return isSince && isUntil
  }

  private func isFrom(_ origin: LogEvent.Origin, _ effects: LabeledEffects) -> Bool {
    criteria.origins.isEmpty
      || criteria.origins.contains { pattern in
        switch (pattern, origin) {
        case (.view, .view), (.parent, .parent), (.anyEffect, .effect): true
        case (.action(let seq), _): origin.cause == seq
        case (.effect(let name), .effect(let id, _)): effects.isNamed(id, name)
        default: false
        }
      }
  }

  /// Returns whether an event belongs to a requested effect, was sent by it, or starts it.
  private func isNamed(_ event: LogEvent, _ effects: LabeledEffects) -> Bool {
    switch event {
    case .withheld: return false
    case .effect(let turn): return isNamed(turn.id, effects)
    case .call(let call): return isNamed(call.id, effects)
    default:
      if case .effect(let id, _) = event.beginning?.origin, isNamed(id, effects) { return true }
      return event.stateChange?.effects.contains { isNamed($0, effects) } ?? false
    }
  }

  private func isNamed(_ effect: EffectDescription, _ effects: LabeledEffects) -> Bool {
    effect.id.map { isNamed($0, effects) } ?? false
      || effect.effects.contains { isNamed($0, effects) }
  }

  private func isNamed(_ id: EffectID, _ effects: LabeledEffects) -> Bool {
    criteria.effects.contains { effects.isNamed(id, $0) }
  }
}
