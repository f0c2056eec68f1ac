import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import Synchronization

/// A question that an assistant can ask.
struct Tool: Sendable {
  /// The kind of work.
  enum Worker: Sendable {
    /// Work that needs only the log.
    case lookup
    /// Work that needs a host for a replay.
    case host
  }

  let name: String
  let title: String
  /// A description for the model: the question that the tool answers, and when to ask it.
  let description: String
  let worker: Worker
  /// Whether the tool writes into the folder for results.
  var writes = false
  let input: [Schema.SchemaProperty]
  let output: [Schema.SchemaProperty]
  let run: @Sendable (ToolCall) throws -> Answer

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

/// A running call of a tool.
struct ToolCall {
  let arguments: JSON.Object
  let desk: WorkDesk
  /// Requested if the client has cancelled the call or disconnected.
  let interruption: Interruption
  let report: ProgressReport

  /// Returns an empty answer.
  func makeAnswer() -> AnswerBuilder { AnswerBuilder(budget: desk.setup.budget) }

  /// Returns the log of the call.
  func log(_ name: String = "log") throws -> OpenLog {
    try desk.logs.log(arguments[name]?.string ?? "")
  }

  func text(_ name: String) -> String? { arguments[name]?.string }
  func number(_ name: String) -> Int? { arguments[name]?.int }
  func flag(_ name: String) -> Bool { arguments[name]?.bool ?? false }

  /// Returns the paths of the state that are not compared.
  ///
  /// - Throws: `ToolError` for an invalid path.
  func ignoredPlaces() throws(ToolError) -> [JSON.Pointer] {
    var places: [JSON.Pointer] = []
    for text in arguments["ignore"]?.array?.compactMap(\.string) ?? [] {
      do throws(NotationSyntaxError) { places += try ValuePath(parsing: text).patterns ?? [] } catch
      {
        throw .badArguments("'ignore': \(error)")
      }
    }
    return places
  }

  func valuePath(_ name: String) throws(ToolError) -> ValuePath? {
    guard let text = text(name) else { return nil }
    do throws(NotationSyntaxError) { return try ValuePath(parsing: text) } catch {
      throw .badArguments("'\(name)': \(error)")
    }
  }

  func condition(_ name: String) throws(ToolError) -> Condition? {
    guard let text = text(name) else { return nil }
    do throws(JSONPath.SyntaxError) {
      return Condition(try JSONPath.Expression(parsing: text))
    } catch {
      throw .badArguments("'\(name)': \(error)")
    }
  }

  /// The options of replays for this call.
  var options: ReplayOptions {
    var options = desk.setup.options
    options.cancellation = interruption
    return options
  }

  /// The environment of a command that works for this call.
  var context: CommandContext { desk.setup.context(interruption) }

  /// Returns the end time of a search.
  func deadline(_ name: String = "seconds") -> ContinuousClock.Instant {
    let seconds = arguments[name]?.number?.double ?? Self.usualSearch
    return .now + .seconds(min(max(seconds, 0.1), Self.longestSearch))
  }

  /// The default duration of a search in seconds, about as long as users wait for an answer.
  private static let usualSearch = 20.0
  /// The maximum duration of a search in seconds.
  ///
  /// Clients cancel a call after some minutes.
  static let longestSearch = 600.0
}

extension ToolCall {
  /// The notation of values, which is short enough for one line.
  static var notation: Notation { Notation(limits: Notation.Limits(value: 240, text: 160)) }

  static var style: Style { Style(hasColor: false, notation: notation) }
}

/// The progress of a call as text.
final class ProgressReport: Sendable {
  private let words = Mutex("")

  init() {}

  func show(_ text: String) { words.withLock { $0 = text } }

  var text: String { words.withLock { $0 } }
}

/// A suggested next call.
struct NextCall {
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
  ) -> NextCall {
    NextCall(
      "list_actions",
      [
        "log": .string(log.name), "from": .int(max(seq - before, 0)), "to": .int(seq),
        "details": true,
      ],
      why
    )
  }
}

extension AnswerBuilder {
  /// Adds suggested calls at the end of the answer.
  mutating func suggest(_ calls: [NextCall]) {
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
