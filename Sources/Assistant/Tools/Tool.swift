import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import Synchronization

/// A question that an assistant can ask.
struct Tool: Sendable {
  /// The kind of work.
  enum WorkKind: Sendable {
    /// Work that needs only the log.
    case lookup
    /// Work that needs a host for a replay.
    case host
  }

  let name: String
  let title: String
  /// A description for the model: the question that the tool answers, and when to ask it.
  let description: String
  let worker: WorkKind
  /// Whether the tool writes into the folder for results.
  var writes = false
  let input: [Schema.SchemaProperty]
  let output: [Schema.SchemaProperty]
  let run: @Sendable (ToolCall) throws -> ToolResult

  /// The tool in the format of the protocol.
  var json: JSON {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": Schema.object("", input).json,
      "outputSchema": Schema.object("", output + [Self.next]).json,
      "annotations": [
        "readOnlyHint": .bool(!writes), "destructiveHint": false, "openWorldHint": false,
      ],
    ]
  }

  private static let next = Schema.SchemaProperty.optional(
    "next",
    .list(
      "suggested next calls",
      of: .object(
        "",
        [
          .required("tool", .text("")), .required("arguments", .any("")),
          .required("why", .text("")),
        ]
      )
    )
  )

  /// All tools, in the order in which users typically need them.
  static let all: [Tool] = [
    .listLogs, .summarizeLog, .replayLog, .listActions, .stateAt, .pictureAt, .whoChanged,
    .findFirst, .compareLogs, .minimizeLog, .exploreOrders, .whatIf, .writeTest,
  ]
}

/// The progress of a call as text.
final class ProgressReport: Sendable {
  private let words = Mutex("")

  init() {}

  func show(_ text: String) { words.withLock { $0 = text } }

  var text: String { words.withLock { $0 } }
}

extension ToolResultBuilder {
  /// Adds suggested calls at the end of the answer.
  mutating func suggest(_ calls: [SuggestedCall]) {
    guard !calls.isEmpty else { return }
    self["next"] = .array(
      calls.map {
        ["tool": .string($0.tool), "arguments": .object($0.arguments), "why": .string($0.why)]
      }
    )
    say(Wording.next)
    quote(
      calls.map { call in
        let arguments = call.arguments.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        return "\(call.tool)(\(arguments))  \(call.why)"
      }
    )
  }
}

extension JSON {
  static func int(_ number: Int) -> JSON { .number(JSON.Number(number)) }

  /// Converts microseconds to seconds.
  static func seconds(_ microseconds: Int) -> JSON {
    JSON.Number(Double(microseconds) / 1e6).map(JSON.number) ?? .null
  }
}
