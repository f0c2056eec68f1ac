import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// Wording for `dap`.
extension RequestError {
  /// The complete message of the error, with placeholders.
  var text: MessageTemplate {
    switch self {
    case .badMessage(let member, let expected, let found):
      MessageTemplate(
        format: member.isEmpty
          ? "the message is {found}; expected {expected}"
          : "'{member}' of the message is {found}; expected {expected}",
        variables: (member.isEmpty ? [] : [("member", member)])
          + [("found", Wording.found(found)), ("expected", expected)]
      )
    case .malformed(let problem):
      MessageTemplate(
        format: "the message is not JSON: {problem}",
        variables: [("problem", problem)]
      )
    case .badArgument(let name, let expected, let found):
      MessageTemplate(
        format: "the argument '{name}' is {found}; expected {expected}",
        variables: [("name", name), ("found", Wording.found(found)), ("expected", expected)]
      )
    case .unknownCommand(let command, let known):
      MessageTemplate(
        format: "the debug adapter has no request '{command}'{suggestion}",
        variables: [
          ("command", Wording.shortened(command)),
          ("suggestion", Wording.suggestion(for: command, among: known)),
        ]
      )
    case .outOfOrder(let command, let expected):
      MessageTemplate(
        format: "'{command}' comes at the wrong time; {expected}",
        variables: [("command", command), ("expected", expected)]
      )
    case .notStopped(let command):
      MessageTemplate(
        format: "'{command}' needs a log that stands still; pause it first",
        variables: [("command", command)]
      )
    case .cancelled: MessageTemplate(format: "the request was canceled")
    case .noSuchThread(let id):
      MessageTemplate(
        format: "there is no thread {id}; a log has the thread {thread} alone",
        variables: [("id", String(id)), ("thread", String(DebugAdapter.thread))]
      )
    case .noSuchFrame(let id):
      MessageTemplate(
        format: "there is no frame {id}; ask for 'stackTrace' after each stop",
        variables: [("id", String(id))]
      )
    case .noSuchReference(let reference):
      MessageTemplate(
        format: "no variables have the reference {reference}; ask for 'scopes' after each stop",
        variables: [("reference", String(reference))]
      )
    case .noSuchVariable(let name):
      MessageTemplate(
        format: "there is no variable '{name}' here",
        variables: [("name", Wording.shortened(name))]
      )
    case .noSuchSource(let reference):
      MessageTemplate(
        format: "no source has the reference {reference}; 'loadedSources' lists them",
        variables: [("reference", String(reference))]
      )
    case .noSuchTarget(let id):
      MessageTemplate(
        format: "there is no target {id}; ask for 'gotoTargets' first",
        variables: [("id", String(id))]
      )
    case .noException:
      MessageTemplate(format: "the log did not stop at a finding, a failed effect or a gap")
    case .noLog:
      MessageTemplate(format: "no log is given; set 'log' in the launch configuration to a log")
    case .noSocket:
      MessageTemplate(
        format:
          "no app is given; set 'socket' in the attach configuration to the path that the app listens at"
      )
    case .failed(let problem):
      MessageTemplate(format: "{problem}", variables: [("problem", problem)])
    }
  }
}

extension Wording {
  static let pendingBreakpoint = "stops where the log has an effect of this line"

  static let onlyRecorded =
    "the file has the recorded timeline, and this is another one; set the breakpoint in the document of the timeline"

  static let otherTimeline =
    "this is no document of the timeline; set the breakpoint in one that 'loadedSources' lists"

  static let timelineOrigin = "timeline of the log"

  static let noActionOnLine = "no action begins on this line; set the breakpoint on the line of one"

  static let launchFirst = "a log is needed: send 'launch' or 'attach' first"

  static let initializeFirst = "send 'initialize' first"

  static let onlyOnce = "it comes only once"

  static let interrupted = "Paused"

  static let conditionExample = "a condition such as count > 3"

  static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }

  static func cannotWatch(_ name: String) -> String {
    "'\(shortened(name))' is not a place in the state; expected one such as todos[0].title"
  }

  static func cannotChange(_ name: String) -> String {
    "'\(shortened(name))' cannot be changed; expected a place in the state after an action, a part of the action, or a read"
  }

  static func label(_ problem: LogStep.ProblemKind) -> String {
    switch problem {
    case .unfinished: "Unfinished actions"
    case .failedEffect: "Failed effects"
    case .finding: "Findings"
    case .gap: "Gaps"
    case .brokenPatch: "Changes that do not fit"
    }
  }

  static func explanation(_ problem: LogStep.ProblemKind) -> String {
    switch problem {
    case .unfinished: "Stops at an action during which the app ended"
    case .failedEffect: "Stops after an action when an effect throws before the next one"
    case .finding: "Stops at the remarks of a replay"
    case .gap: "Stops where events are missing from the log"
    case .brokenPatch: "Stops at a change that does not fit the state before it: the log is damaged"
    }
  }

  static func title(_ kind: ExecutionRequest.Kind) -> String {
    switch kind {
    case .resume: "Continue"
    case .reverseResume: "Continue backwards"
    case .next: "Step over"
    case .stepIn: "Step"
    case .stepOut: "Step out"
    case .stepBack: "Step back"
    }
  }

  static func at(_ id: StepID) -> String { "action \(id)" }

  /// Returns a phrase for the position of a session, such as `After action 7`.
  static func describe(_ id: StepID) -> String {
    id.seq == 0 && id.part == 0 ? "At the start of the log" : "After action \(id)"
  }

  /// Returns a phrase for the reason why a session stopped.
  static func describe(_ stop: Stop) -> String {
    switch stop.reason {
    case .step, .finished, .arrived: describe(stop.step.id)
    case .start: "Start of the log"
    case .end: "End of the log"
    case .damaged: "The log cannot be read any further"
    case .interrupted: interrupted
    case .breakpoint: "Stopped at \(oneOf(stop.hits.map { $0.text }))"
    }
  }

  /// Returns a phrase for the change at a watched path, such as `todos[0].title: "" → "Milk"`.
  static func change(
    _ change: PathWatch.WatchedChange,
    _ hits: [Stop.Hit],
    _ notation: Notation
  ) -> String {
    let owner = hits.first { $0.changes.contains(change) }?.text ?? ""
    let place = change.place.isEmpty ? owner : change.place
    return "\(place): \(VariableText.change(from: change.before, to: change.after, notation))"
  }

  fileprivate static func found(_ json: JSON?) -> String {
    guard let json else { return "missing" }
    return Notation(limits: Notation.Limits(value: 60, text: 40)).value(json)
  }

  fileprivate static func shortened(_ text: String) -> String {
    text.count <= 60 ? Notation.visible(text) : Notation.visible(text.prefix(60)) + "…"
  }
}

extension MessageReader.FramingError: CustomStringConvertible {
  var description: String {
    switch self {
    case .badHeader(let line):
      "the header line '\(Wording.shortened(line))' of a message is invalid;"
        + " expected 'Content-Length: ' and a number"
    case .noLength:
      "a message has no length; expected a header line 'Content-Length: ' and a number"
    case .longHeader:
      "the header of a message has more than \(MessageReader.longestHeader) bytes;"
        + " expected 'Content-Length: ', a number and an empty line"
    case .longMessage(let length):
      "a message of \(length) bytes is announced; expected at most \(MessageReader.longestMessage)"
    case .truncated(let expected, let found):
      "the input ends after \(found) of the \(expected) bytes of a message"
    case .system(let code):
      "an error at \(Wording.standardInput): \(String(cString: strerror(code)))"
    }
  }
}
