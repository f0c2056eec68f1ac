import ActionLog
import ComposableRecorder

/// The parts of a state that were presented at the start of a log or segment.
///
/// The log lacks the library's data about them. With the next action that reaches them, the library treats them as new
/// and returns one additional effect.
struct UnpresentedParts {
  /// Whether top-level parts are waiting.
  ///
  /// Any action reaches them.
  private var waitsAtTop = false
  /// The number of waiting nested parts.
  private var inner = 0

  /// Creates a value without parts.
  init() {}

  /// Creates a value for the parts of a state that was read.
  init(_ parts: PresentedParts) {
    waitsAtTop = parts.outer > 0
    inner = parts.inner
  }

  /// Returns whether the effects of an action are not known.
  ///
  /// - Parameters:
  ///   - effects: The effects in the replay.
  ///   - recorded: The effects in the log.
  /// - Returns: Whether the effects in the log replace those in the replay.
  mutating func hides(_ effects: [EffectDescription], _ recorded: [EffectDescription]) -> Bool {
    if waitsAtTop {
      waitsAtTop = false
      return true
    }
    guard inner > 0, effects.map(\.name) != recorded.map(\.name) else { return false }
    inner -= 1
    return true
  }
}
