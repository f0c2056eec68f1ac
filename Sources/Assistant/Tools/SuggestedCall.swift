import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import Synchronization

/// A suggested next call.
struct SuggestedCall {
  let tool: String
  let arguments: JSON.Object
  /// The question that the call answers.
  let why: String

  init(_ tool: String, _ arguments: JSON.Object, _ why: String) {
    (self.tool, self.arguments, self.why) = (tool, arguments, why)
  }

  /// Returns a call that lists an action in detail.
  ///
  /// - Parameters:
  ///   - seq: The number of the action.
  ///   - before: The number of earlier actions to list.
  ///   - log: The log.
  ///   - why: The question that the call answers.
  /// - Returns: The call.
  static func details(
    of seq: Int,
    before: Int = 0,
    in log: OpenLog,
    _ why: String = Wording.whyDetails
  ) -> SuggestedCall {
    SuggestedCall(
      "list_actions",
      [
        "log": .string(log.name), "from": .int(max(seq - before, 0)), "to": .int(seq),
        "details": true,
      ],
      why
    )
  }
}
