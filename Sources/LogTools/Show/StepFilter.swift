import ActionLog
import ReplayEngine

/// Which actions are shown: those that meet all criteria that were given.
struct StepFilter {
  /// What is asked of an action; of several values of one kind, one is enough.
  struct Criteria {
    var actions: [ActionPattern] = []
    /// Names of effects that it starts, that sent it, or that take a turn or make a call after it.
    var effects: [String] = []
    var origins: [OriginPattern] = []
    /// Places whose values it changes.
    var changes: [ValuePath] = []
    var condition: Condition?
    var since: LogPosition?
    var until: LogPosition?
  }

  /// A sender of actions.
  enum OriginPattern: Hashable {
    case view
    case parent
    case anyEffect
    /// An action: one of its effects, or a call while it was handled.
    case action(Int)
    /// The effects of a name.
    case effect(String)
  }

  /// The criteria that become known only after the action itself.
  private struct Open: OptionSet {
    let rawValue: Int
    static let effect = Open(rawValue: 1)
    static let change = Open(rawValue: 2)
    static let condition = Open(rawValue: 4)
  }

  private let criteria: Criteria
  private let watches: [PlaceWatch]
  private var contexts = ActionContextBuilder()
  /// What the current action does not meet yet.
  private var open: Open = []
  /// Whether the current action cannot be shown any more, whatever follows.
  private(set) var isRuledOut = true
  /// The paths of cases that the log has, as long as no action was one of those that are asked for.
  private(set) var casePaths: Set<String> = []
  private var hasNamedAction = false
  /// Whether an effect was one of those that are asked for.
  private var hasNamedEffect = false

  /// More paths are no help.
  private static let mostPaths = 1000

  init(_ criteria: Criteria) {
    self.criteria = criteria
    watches = criteria.changes.map { PlaceWatch($0) }
  }

  /// Whether the current action meets all criteria so far.
  var isMet: Bool { !isRuledOut && open.isEmpty }

  /// Begins with something that has a place in the order of the actions; nothing else is ever shown.
  ///
  /// - Parameters:
  ///   - event: An action that was recorded, withheld or left out, or a change from outside; any other event ends the last one.
  ///   - effects: The effects before it.
  mutating func startStep(_ event: LogEvent, _ effects: KnownEffects) {
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

  /// Takes an event of the current action, to which the cursor has moved, and applies it.
  ///
  /// - Throws: `LogCursor.BrokenPatch`.
  mutating func apply(
    _ event: LogEvent,
    _ cursor: inout LogCursor,
    _ effects: KnownEffects
  ) throws(LogCursor.BrokenPatch) {
    if open.contains(.effect), isNamed(event, effects) {
      open.remove(.effect)
      hasNamedEffect = true
    }
    let touched = open.contains(.change) ? watches.filter { $0.isTouched(by: event) } : []
    let before = touched.map { $0.items(in: cursor.state) }
    if let condition = criteria.condition {
      if let context = try contexts.advance(event, &cursor), context.action != nil,
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

  /// Whether the event is one of the actions that are asked for, if any are.
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

  /// The path of the log that was most likely meant by each action that is asked for and that no action was.
  var meantActions: [(typed: String, meant: String)] {
    guard !hasNamedAction else { return [] }
    return criteria.actions.compactMap { pattern in
      Suggestion.closestPath(to: pattern.description, among: casePaths.sorted())
        .map { (pattern.description, $0) }
    }
  }

  /// The effect of the log that was most likely meant by each name that is asked for and that no effect has.
  func meantEffects(_ effects: KnownEffects) -> [(typed: String, meant: String)] {
    guard !hasNamedEffect else { return [] }
    let senders = criteria.origins.compactMap { origin -> String? in
      if case .effect(let name) = origin { name } else { nil }
    }
    return (criteria.effects + senders).compactMap { name in
      Suggestion.closest(to: name, among: effects.labels.sorted()).map { (name, $0) }
    }
  }

  private func isInTime(_ seq: Int, _ at: Int) -> Bool {
    let isSince =
      switch criteria.since {
      case .action(let first): seq >= first
      case .time(let first): at >= first.microseconds
      // Nothing that has been recorded comes after it.
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

  private func isFrom(_ origin: LogEvent.Origin, _ effects: KnownEffects) -> Bool {
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

  /// Whether an event is about one of the effects.
  private func isNamed(_ event: LogEvent, _ effects: KnownEffects) -> Bool {
    switch event {
    case .withheld: return false
    case .effect(let turn): return isNamed(turn.id, effects)
    case .call(let call): return isNamed(call.id, effects)
    default:
      if case .effect(let id, _) = event.beginning?.origin, isNamed(id, effects) { return true }
      return event.stateChange?.effects.contains { isNamed($0, effects) } ?? false
    }
  }

  private func isNamed(_ effect: EffectDescription, _ effects: KnownEffects) -> Bool {
    effect.id.map { isNamed($0, effects) } ?? false
      || effect.effects.contains { isNamed($0, effects) }
  }

  private func isNamed(_ id: EffectID, _ effects: KnownEffects) -> Bool {
    criteria.effects.contains { effects.isNamed(id, $0) }
  }
}
