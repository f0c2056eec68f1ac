public import ActionLog

/// Which actions a recording holds; of the others it says what caused them and what came of them.
///
/// The paths are patterns of places in an action: `/timerTicked` is met by every action of that case, `/rows/element/**/draft`
/// by whatever has such a place.
public struct ActionFilter: Sendable, Hashable {
  /// What an action must have one of to be written; empty for all.
  public var include: [MaskPath]
  /// What keeps an action from being written.
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
