import ActionLog
import Foundation

/// The words of this target: what was found, what was expected, what to do.
package enum Wording {
  package static func expected(_ what: String, found: JSON) -> String {
    "found \(found.abbreviated), expected \(what)"
  }

  /// `a`, `a or b`, `a, b or c`.
  package static func oneOf(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  package static func describe(_ error: ReplayError) -> String {
    switch error {
    case .noLogs(let folder):
      "there is no log in \(folder); expected files whose names end in .jsonl"
    case .brokenPatch(let seq, let problem):
      "the patch of action \(seq) does not fit the state before it: \(problem)"
    case .noCheckpoint(let kind):
      "the log has an event '\(kind)' before its first event 'checkpoint', from which a replay"
        + " starts: the log was cut at its head, or its recorder is broken"
    case .unknownFeature(let name, let stateType, let known):
      "feature '\(name)'\(stateType.isEmpty ? "" : " (state type \(stateType))") is not in this"
        + " host; it has: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        + suggestion(for: name, among: known, else: "; use the app's own host, with --host PATH")
    }
  }

  package static func describe(_ failure: HostFailure) -> String {
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

  package static func how(_ end: ReplayEnd) -> String {
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

  package static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }

  package static func reason(_ error: any Error) -> String {
    error.localizedDescription
  }

  /// What a drift means; what is new stands in what an action has added, for which there is no initial state.
  package static func describe(_ drift: SchemaDrift, isNew: Bool) -> String {
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
  package static func name(_ id: EffectID) -> String {
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

  package static func actions(_ count: Int) -> String {
    count == 1 ? "1 action" : "\(count) actions"
  }

  /// `; did you mean 'run'?` when something known is close to what was written.
  package static func suggestion(
    for text: String,
    among known: [String],
    else advice: String = ""
  ) -> String {
    Suggestion.closest(to: text, among: known).map { "; did you mean '\($0)'?" } ?? advice
  }
}
