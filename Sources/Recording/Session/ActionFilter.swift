public import ActionLog

/// The actions that a recording holds.
///
/// Of the others it holds cause and change.
///
/// The paths are patterns of places in an action. `/timerTicked` matches every action of that case, `/rows/element/**/draft`
/// every action with such a place.
///
/// ```swift
/// configuration.actions.exclude = ["/timerTicked"]
/// ```
public struct ActionFilter: Sendable, Hashable {
  /// An action is written if it has one of these places; empty for all actions.
  public var include: [MaskPath]
  /// An action with one of these places is not written.
  public var exclude: [MaskPath]

  /// A filter.
  public init(include: [MaskPath] = [], exclude: [MaskPath] = []) {
    self.include = include
    self.exclude = exclude
  }

  package var isEmpty: Bool { include.isEmpty && exclude.isEmpty }

  /// The description of an effect without the actions that the log is to leave out.
  func applied(to effect: EffectDescription) -> EffectDescription {
    var effect = effect
    if let action = effect.action, !admits(action.unmarked) { effect.action = nil }
    effect.effects = effect.effects.map { applied(to: $0) }
    return effect
  }

  func admits(_ action: JSON) -> Bool {
    (include.isEmpty || action.has(anyOf: include)) && !action.has(anyOf: exclude)
  }
}
