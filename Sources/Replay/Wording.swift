import ActionLog
import Foundation

/// The words of this target: what was found, what was expected, what to do.
enum Wording {
  static let standardInput = "standard input"
  static let standardOutput = "standard output"
  static let standardError = "standard error"

  static func describe(_ error: StreamError) -> String {
    if error.code == EBADF {
      return "\(error.name) is closed; expected a file, a pipe or a terminal"
    }
    let reason = String(cString: strerror(error.code))
    return error.isCreation
      ? "cannot write \(error.name): \(reason)" : "an error at \(error.name): \(reason)"
  }

  static func describe(_ error: UsageError) -> String {
    switch error {
    case .noCommand: "no command is given"
    case .unknownCommand(let name, let known):
      "there is no command '\(name)'\(suggestion(for: name, among: known))"
    case .unknownOption(let name, let command, let known):
      "'\(command)' has no option '\(name)'\(suggestion(for: name, among: known))"
    case .missingValue(let option, let value, _): "'\(option)' needs a value: \(option) \(value)"
    case .unexpectedValue(let value, let option, _):
      "'\(option)' is a switch and takes no value; found '\(value)'"
    case .badValue(let value, let option, let expected, _):
      "'\(value)' is no value for '\(option)'; expected \(expected)"
    case .badExpression(let option, let error, _): "\(option): \(error)"
    case .badOperand(let value, let operand, let expected, _):
      "'\(value)' is no \(operand); expected \(expected)"
    case .oneLogOnly(let option, let found, _):
      "'\(option)' goes with one log; found \(found)"
    case .repeatedOption(let option, _): "'\(option)' is given twice; expected once"
    case .missingOperand(let name, let command): "'\(command)' needs \(name)"
    case .missingOption(let name, let value, let command):
      "'\(command)' needs \(name) \(value)"
    case .extraOperand(let value, let command): "'\(command)' cannot take '\(value)' as well"
    case .standardInputTwice(let command):
      "'\(command)' can read standard input only once; give one of the two as a file"
    case .goesWith(let option, let other, _): "'\(option)' goes with '\(other)' only"
    case .conflict(let first, let second, _):
      "'\(first)' and '\(second)' exclude each other; give one of them"
    }
  }

  static func describe(_ error: CommandError) -> String {
    switch error {
    case .unreadable(let name, let error):
      switch error {
      case .noSuchFile, .system: "\(error)"
      default: "\(name): \(error)"
      }
    case .noLogs(let folder):
      "there is no log in \(folder); expected files whose names end in .jsonl"
    case .badSettings(let problem): "\(Settings.name): \(problem)"
    case .cannotAccept(let reason): "not accepted: \(reason)"
    case .badActionLine(let file, let line, let problem): "\(file):\(line): \(problem)"
    case .cannotRecord(let feature): "this host can replay '\(feature)', but not record it"
    case .noSuchAction(let seq, let last):
      "there is no action \(seq): the log has actions up to \(last)"
    case .nothing(let path, let place, let seq):
      "the state after action \(seq) has nothing at '\(path)'\(place.map { nearest($0) } ?? ""); 'show LOG --path \(path)'"
        + " shows whether it ever had"
    case .wouldOverwrite(let path, let command):
      "\(path) is a log that '\(command)' has not written; expected another name, or --force to write over it"
    case .unusableCache(let error):
      "\(error); expected a folder for caches that can be written: XDG_CACHE_HOME names another one"
    case .cannotBisect(let failure): describe(failure)
    case .cannotMinimize(let name, let failure): describe(failure, name)
    case .cannotExplore(let name, let failure): describe(failure, name)
    case .brokenPatch(let seq, let problem):
      "the patch of action \(seq) does not fit the state before it: \(problem)"
    }
  }

  static func expected(_ what: String, found: JSON) -> String {
    "found \(found.abbreviated), expected \(what)"
  }

  /// A name from a file in quotes, on one line whatever it holds.
  private static func quoted(_ name: String) -> String {
    "'\(String(decoding: JSON.string(name).description.utf8.dropFirst().dropLast(), as: UTF8.self))'"
  }

  /// `a`, `a or b`, `a, b or c`.
  static func oneOf(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  static func atWork(seconds: Int, bytes: Int) -> String {
    bytes < 1_000_000 ? "\(seconds) s" : "\(seconds) s, \(bytes / 1_000_000) MB read"
  }

  static func interrupted(_ signal: Int32) -> String {
    "interrupted by \(SignalName.of(signal)): the result is partial"
  }

  static func interruptedWithoutResult(_ signal: Int32) -> String {
    "interrupted by \(SignalName.of(signal)): there is no result yet"
  }

  static let fileBesideTheResult = "a file; --format junit writes to standard output"

  static let unreadableSettings = "cannot be read; expected a file with a JSON object"

  static func unknownSetting(_ name: String, known: [String]) -> String {
    "there is no setting \(quoted(name)); expected \(oneOf(known))"
      + suggestion(for: name, among: known)
  }

  static func badWait(_ value: JSON) -> String {
    "'$wait' has the value \(value.abbreviated); expected a number of seconds, 0 or more, and less than ten years"
  }

  static func badFinish(_ value: JSON) -> String {
    "'$finish' has the value \(value.abbreviated); expected true"
  }

  static func unknownDirective(_ name: String, meant: String) -> String {
    "'\(name)' is neither an action nor an instruction; did you mean '\(meant)'?"
  }

  static func testRefers(to log: String) -> String {
    "\(log) is larger than \(GeneratedTest.most / 1000) kB, so the test refers to it; keep it where it is, or record less"
  }

  static func recorded(_ summary: RecordSummary) -> String {
    "recorded \(actions(summary.actions)) in \(summary.path)\n"
  }

  static func waiting(_ waiting: RecordRequest.Waiting, at place: String) -> String {
    "\(place): waiting for what still runs\(list(waiting.effects))"
  }

  static func timeIsUp(_ error: RecordRequest.TimeoutError, at place: String) -> String {
    let effects = error.waiting.effects
    let rest =
      effects.isEmpty
      ? "" : "; what still runs was cancelled\(list(effects))"
    return "\(place): \(number(error.seconds)) s were up before this was done, so the recording"
      + " ends here; --timeout SECONDS gives it more time\(rest)"
  }

  private static func list(_ effects: [RecordRequest.RunningEffect]) -> String {
    effects.map { effect in
      let name = effect.name.map { " '\($0)'" } ?? ""
      let source = effect.source.map { " at \($0)" } ?? ""
      let action = effect.action.map { "  \($0.abbreviated)" } ?? ""
      return "\n  effect \(effect.id)\(name)\(source), started by action \(effect.id.seq)\(action)"
    }.joined()
  }

  static func describe(_ error: ReplayError) -> String {
    switch error {
    case .noCheckpoint(let kind):
      "the log has an event '\(kind)' before its first event 'checkpoint', from which a replay"
        + " starts: the log was cut at its head, or its recorder is broken"
    case .unknownFeature(let name, let stateType, let known):
      "feature '\(name)'\(stateType.isEmpty ? "" : " (state type \(stateType))") is not in this"
        + " host; it has: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        + suggestion(for: name, among: known, else: "; use the app's own host, with --host PATH")
    }
  }

  static func describe(_ failure: HostFailure) -> String {
    switch failure {
    case .cannotStart(let path, let reason):
      "the host \(path) cannot be started: \(reason); expected an executable that was built from a"
        + " ReplayHost"
    case .silent(let path, let end, _):
      "the host \(path) \(how(end)) before it answered; expected an executable that was built from a"
        + " ReplayHost"
    case .exited(let status, let at):
      "the host ended with status \(status) \(place(at)); expected it to replay the whole log"
    case .killed(let signal, let at):
      "the host was ended by \(signal) \(place(at)); expected it to replay the whole log"
    case .notALog(let error):
      "the host does not answer with a log: \(error); its executable must leave standard output to"
        + " ReplayHost"
    case .noReplay:
      "the host gives back a header without the token of this replay: it has not replayed the log;"
        + " expected an executable that was built from a ReplayHost"
    case .unknownFeature(let message): message
    case .needsMigration(let found, let version): needsMigration(found: found, version: version)
    case .notMigrated(let log, let end, let reason): notMigrated(log, end, reason)
    case .incomplete(let at):
      "the host went on \(place(at)); expected it to replay the whole log"
    case .timedOut(let seconds, let at):
      "the host took longer than \(number(seconds)) s and was killed \(place(at)); --timeout SECONDS"
        + " gives it more time"
    }
  }

  static func how(_ end: ReplayEnd) -> String {
    switch end {
    case .waiting: "closed its output"
    case .exited(let status): "ended with status \(status)"
    case .signal(let name): "was ended by \(name)"
    case .timedOut(let seconds): "took longer than \(number(seconds)) s"
    }
  }

  private static func place(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "at action \(seq)"
  }

  static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }

  static func reason(_ error: any Error) -> String {
    error.localizedDescription
  }

  /// What a drift means; what is new stands in what an action has added, for which there is no initial state.
  static func describe(_ drift: SchemaDrift, isNew: Bool) -> String {
    switch drift.kind {
    case .missingInLog where isNew: "the log lacks it"
    case .missingInLog: "the log lacks it; it has its initial value"
    case .unknownToCode: "the code no longer has it"
    }
  }

  /// What a drift of an action means that the reducer sends itself.
  static func describeAction(_ drift: SchemaDrift) -> String {
    switch drift.kind {
    case .missingInLog: "the log's action lacks it"
    case .unknownToCode: "the code's action no longer has it"
    }
  }

  enum OddEffect {
    case notRunning(LogEvent.Effect.Event)
    case startedTwice
    case notStarted
    case sent(recorded: Int, counted: Int)
    case within(LogEvent.Effect.Event, Int)
  }

  static func describe(_ problem: OddEffect, _ id: EffectID) -> String {
    switch problem {
    case .notRunning(let event): "effect \(id) \(verb(event)), but it is not running"
    case .within(let event, let seq):
      "effect \(id) \(verb(event)) while action \(seq) was handled"
    case .startedTwice: "effect \(id) started, but nothing was waiting to start it"
    case .notStarted: "effect \(id) finished without having started"
    case .sent(let recorded, let counted):
      "effect \(id) finished after \(actions(recorded)), but the log holds \(counted) from it"
    }
  }

  private static func verb(_ event: LogEvent.Effect.Event) -> String {
    switch event {
    case .started: "started"
    case .finished: "finished"
    case .cancelled: "was cancelled"
    case .failed: "failed"
    }
  }

  enum DeadEffect {
    case notRunning
    case cancelled
    case notStarted
  }

  /// What an effect is called; `ActionNumbers` has no name for one whose action the replay does not have.
  static func name(_ id: EffectID) -> String {
    id.seq == .max ? "of an action that the replay lacks" : id.description
  }

  static func deadEffect(_ id: EffectID, _ state: DeadEffect) -> String {
    switch state {
    case .notRunning where id.seq == .max: "the replay has no action that started the effect"
    case .notRunning: "effect \(id) is not running in the replay"
    case .cancelled: "effect \(id) was cancelled before"
    case .notStarted: "effect \(id) had not started"
    }
  }

  static let sentByMissingAction = "the replay has no action that sent it"

  static func sentByLaterAction(_ seq: Int) -> String {
    "it claims to be sent while action \(seq) was handled, which comes later"
  }

  static func actions(_ count: Int) -> String { count == 1 ? "1 action" : "\(count) actions" }

  /// `; did you mean 'run'?` when something known is close to what was written.
  static func suggestion(
    for text: String,
    among known: [String],
    else advice: String = ""
  ) -> String {
    Suggestion.closest(to: text, among: known).map { "; did you mean '\($0)'?" } ?? advice
  }
}
