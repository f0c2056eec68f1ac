import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import Synchronization

/// A question that an assistant can ask.
struct Tool: Sendable {
  /// The kind of work.
  enum Worker: Sendable {
    /// The log alone answers.
    case lookup
    /// A host replays.
    case host
  }

  let name: String
  let title: String
  /// The question that it answers, and when to ask it.
  let description: String
  let worker: Worker
  /// Whether it writes into the folder for results.
  var writes = false
  let input: [Schema.Member]
  let output: [Schema.Member]
  let run: @Sendable (ToolCall) throws -> Answer

  /// The tool as clients see it.
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

  private static let next = Schema.Member.optional(
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

  /// All tools, in the order in which a person asks.
  static let all: [Tool] = [
    .listLogs, .summarizeLog, .replayLog, .listActions, .stateAt, .pictureAt, .whoChanged,
    .findFirst, .compareLogs, .minimizeLog, .exploreOrders, .whatIf, .writeTest,
  ]
}

/// A tool that works for a call.
struct ToolCall {
  let arguments: JSON.Object
  let desk: WorkDesk
  /// Requested when the client has cancelled the call, or has left.
  let interruption: Interruption
  let report: ProgressReport

  /// A new answer.
  func makeAnswer() -> AnswerBuilder { AnswerBuilder(budget: desk.setup.budget) }

  /// The log of the call.
  func log(_ name: String = "log") throws -> OpenLog {
    try desk.logs.log(arguments[name]?.string ?? "")
  }

  func text(_ name: String) -> String? { arguments[name]?.string }
  func number(_ name: String) -> Int? { arguments[name]?.int }
  func flag(_ name: String) -> Bool { arguments[name]?.bool ?? false }

  /// The places of the state that are not compared.
  ///
  /// - Throws: `ToolError` where one is no place.
  func ignoredPlaces() throws(ToolError) -> [JSON.Pointer] {
    var places: [JSON.Pointer] = []
    for text in arguments["ignore"]?.array?.compactMap(\.string) ?? [] {
      do throws(NotationSyntaxError) { places += try Place(parsing: text).patterns ?? [] } catch {
        throw .badArguments("'ignore': \(error)")
      }
    }
    return places
  }

  func place(_ name: String) throws(ToolError) -> Place? {
    guard let text = text(name) else { return nil }
    do throws(NotationSyntaxError) { return try Place(parsing: text) } catch {
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

  /// The end of a search.
  func deadline(_ name: String = "seconds") -> ContinuousClock.Instant {
    let seconds = arguments[name]?.number?.double ?? Self.usualSearch
    return .now + .seconds(min(max(seconds, 0.1), Self.longestSearch))
  }

  /// Seconds of a search: as long as people wait for an answer.
  private static let usualSearch = 20.0
  /// Seconds: clients give up on a call after some minutes.
  static let longestSearch = 600.0
}

extension ToolCall {
  /// The notation of values: short enough for a line.
  static var notation: Notation { Notation(limits: Notation.Limits(value: 240, text: 160)) }

  static var style: Style { Style(hasColor: false, notation: notation) }
}

/// The progress of a call, in words.
final class ProgressReport: Sendable {
  private let words = Mutex("")

  init() {}

  func show(_ text: String) { words.withLock { $0 = text } }

  var text: String { words.withLock { $0 } }
}

/// A call that helps next.
struct NextCall {
  let tool: String
  let arguments: JSON.Object
  /// The question that it answers.
  let why: String

  init(_ tool: String, _ arguments: JSON.Object, _ why: String) {
    (self.tool, self.arguments, self.why) = (tool, arguments, why)
  }

  /// Lists an action with everything about it.
  ///
  /// - Parameters:
  ///   - seq: The action.
  ///   - before: How many actions before it are listed, too.
  ///   - log: The log.
  ///   - why: The question that this answers.
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
  /// Ends the answer with the calls that help next.
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

  /// Seconds of microseconds.
  static func seconds(_ microseconds: Int) -> JSON {
    JSON.Number(Double(microseconds) / 1e6).map(JSON.number) ?? .null
  }
}
