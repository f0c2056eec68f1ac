public import ActionLog

/// A filter that determines which actions a recording includes.
///
/// For an excluded action, the log contains its cause and its change, but not its value.
///
/// The paths are patterns that match paths in an action. `/timerTicked` matches every action of that case, and
/// `/rows/element/**/draft` matches every action with such a path.
///
/// ```swift
/// configuration.actions.exclude = ["/timerTicked"]
/// ```
public struct ActionFilter: Sendable, Hashable {
  /// The patterns that include an action, or an empty array to include all actions.
  public var include: [MaskPath]
  /// The patterns that exclude an action, even if `include` also matches it.
  public var exclude: [MaskPath]

  /// Creates a filter, which by default includes all actions.
  public init(include: [MaskPath] = [], exclude: [MaskPath] = []) {
    self.include = include
    self.exclude = exclude
  }

  package var isEmpty: Bool { include.isEmpty && exclude.isEmpty }

  /// Returns the description of an effect without the sent actions that the filter excludes.
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
