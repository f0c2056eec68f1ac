import ActionLog
import ComposableRecorder

/// The parts of a state that were presented when a log, or a segment of it, began.
///
/// What the library keeps of them is not in the log. It takes them for new with the next action that reaches them, and returns one
/// effect more than was recorded.
struct UnpresentedParts {
  /// Whether parts at the top wait, which any action reaches.
  private var waitsAtTop = false
  /// How many parts within others wait.
  private var inner = 0

  /// None.
  init() {}

  /// Those of a state that was read.
  init(_ parts: PresentedParts) {
    waitsAtTop = parts.outer > 0
    inner = parts.inner
  }

  /// Whether the effects of an action are not known.
  ///
  /// - Parameters:
  ///   - effects: Its effects in the replay.
  ///   - recorded: Those in the log.
  /// - Returns: Whether those in the log stand in for them.
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
