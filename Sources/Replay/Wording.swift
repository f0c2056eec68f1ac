import ActionLog
import Foundation

/// The messages of this target.
///
/// An error message states the problem and, where possible, the expectation and the next step.
package enum Wording {
  package static func describe(_ error: ReplayError) -> String {
    let text =
      switch error {
      case .noLogs(let folder):
        "there is no log in \(folder); expected files whose names end in .jsonl"
      case .noCheckpoint(let kind):
        "the log has an event '\(kind)' before its first event 'checkpoint', from which a replay"
          + " starts: the log was cut at its head, or its recorder is broken"
      case .unknownFeature(let name, let stateType, let known):
        "feature '\(name)'\(stateType.isEmpty ? "" : " (state type \(stateType))") is not in this"
          + " host; it has: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
          + suggestion(for: name, among: known, else: "; use the app's own host, with --host PATH")
      }
    return Notation.visible(text)
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
      "the host ended with status \(status) \(positionText(at)); expected it to replay the whole log"
    case .killed(let signal, let at):
      "the host was ended by \(signal) \(positionText(at)); expected it to replay the whole log"
    case .notALog(let error):
      "the host does not answer with a log: \(error); its executable must leave standard output to"
        + " ReplayHost"
    case .noAnswer:
      "the host says something that is no answer; its executable must leave standard output to"
        + " the tool that has started it"
    case .noReplay:
      "the host answers with a header that lacks the token of this replay, so it did not replay the log;"
        + " expected an executable that was built from a ReplayHost"
    case .unknownFeature(let message): Notation.visible(message)
    case .needsMigration(let found, let version): needsMigration(found: found, version: version)
    case .notMigrated(let log, let end, let reason): notMigrated(log, end, reason)
    case .incomplete(let at):
      "the host went on \(positionText(at)); expected it to replay the whole log"
    case .timedOut(let seconds, let at):
      "the host took longer than \(number(seconds)) s and was killed \(positionText(at)); --timeout SECONDS"
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

  private static func positionText(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "at action \(seq)"
  }

  package static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }

  /// Describes a schema drift.
  ///
  /// - Parameters:
  ///   - drift: The path, with the side that lacks it.
  ///   - isNew: Whether an action has added the value, so that it has no initial value.
  /// - Returns: The end of a sentence about the path.
  package static func describe(_ drift: SchemaDrift, isNew: Bool) -> String {
    switch drift.kind {
    case .missingInLog where isNew: "the log lacks it"
    case .missingInLog: "the log lacks it; it has its initial value"
    case .unknownToCode: "the code no longer has it"
    }
  }

  /// Describes a schema drift in an action that the reducer sends itself.
  static func describeAction(_ drift: SchemaDrift) -> String {
    switch drift.kind {
    case .missingInLog: "the log's action lacks it"
    case .unknownToCode: "the code's action no longer has it"
    }
  }

  enum EffectInconsistency {
    case notRunning(LogEvent.Effect.Event)
    case startedTwice
    case notStarted
    case sent(recorded: Int, counted: Int)
    case within(LogEvent.Effect.Event, Int)
  }

  static func describe(_ problem: EffectInconsistency, _ id: EffectID) -> String {
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
    case .cancelled: "was canceled"
    case .failed: "failed"
    }
  }

  /// The reason why an effect can't have sent an action, which a finding contains as its `actual` member.
  package enum DeadEffectReason: String {
    case notRunning
    case cancelled
    case notStarted
    /// The replay lacks the action that started the effect.
    case noAction
    /// The action that started the effect no longer returns it.
    case notReturned
    /// The reducer no longer sends the action.
    case notSent
  }

  /// Returns the ID of an effect, or a description if the replay lacks the effect's action.
  package static func name(_ id: EffectID) -> String {
    id.seq == .max ? "of an action that the replay lacks" : id.description
  }

  static func deadEffect(_ id: EffectID, _ state: DeadEffectReason) -> String {
    switch state {
    case .notRunning where id.seq == .max, .noAction:
      "the replay has no action that started the effect"
    case .notReturned: "its action does not start effect \(id) in the replay"
    case .notSent: "the reducer does not send it in the replay"
    case .notRunning: "effect \(id) is not running in the replay"
    case .cancelled: "effect \(id) was canceled before"
    case .notStarted: "effect \(id) had not started"
    }
  }

  static let sentByMissingAction = "the replay has no action that sent it"

  static func sentByLaterAction(_ seq: Int) -> String {
    "it claims to be sent while action \(seq) was handled, which comes later"
  }

  package static func actions(_ count: Int) -> String { counted(count, "action") }

  /// Returns a count with its noun: `1 line`, `2 lines`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// Returns `; did you mean 'run'?` if a known word is similar to the typed one, or else `advice`.
  package static func suggestion(
    for text: String,
    among known: [String],
    else advice: String = ""
  ) -> String {
    SpellingSuggestion.closest(to: text, among: known).map { "; did you mean '\($0)'?" } ?? advice
  }
}

// MARK: - Migrations

extension Wording {
  package static func describe(_ error: MigrationError) -> String {
    switch error {
    case .noVersion(let feature, let stateType, let version):
      "feature '\(feature)' has migrations and its state has no schema version; add \(declaration(of: version, in: stateType))"
    case .twice(let feature, let version):
      "feature '\(feature)' has two migrations from schema version \(version); expected one for each version: make them"
        + " one"
    case .order(let feature, let version, let last):
      "feature '\(feature)' has its migration from schema version \(version) after the one from \(last); expected them"
        + " in the order of their versions"
    case .gap(let feature, let version):
      "feature '\(feature)' has no migration from schema version \(version); expected one for each version up to the"
        + " code's: add Migration(from: \(version)); 'migrate LOG --suggest' writes it as far as a log tells"
    case .beyond(let feature, let version, let last):
      "feature '\(feature)' has a migration from schema version \(version), but the code has version \(last); expected"
        + " the last one from \(last - 1): raise the schemaVersion of its state, or remove the migration"
    case .newerLog(let feature, let found, let version):
      "the log of '\(feature)' has schema version \(found), this host goes up to \(version): use a newer build of the app"
    case .olderLog(let feature, let found, let first):
      "the log of '\(feature)' has schema version \(found), this host has migrations from \(first) on: add"
        + " Migration(from: \(found)), or record the log again"
    case .refused(let value, let version, let seq, let reason):
      "the migration from schema version \(version) refuses a value of \(seq == 0 ? "the first checkpoint" : "action \(seq)"):"
        + " \(reason); found \(value.count > 120 ? value.prefix(120) + "…" : value)"
    }
  }

  /// Returns the Swift code that declares the version of a state type.
  static func declaration(of version: Int, in stateType: String) -> String {
    "'extension \(stateType): SchemaVersioned { public static let schemaVersion = \(version) }'"
  }

  static func unreadable(read key: String, _ problem: String) -> String {
    "the read '\(key)': \(problem)"
  }

  static func wrapped(_ place: JSON.Pointer, in member: String, beside others: [String]) -> String {
    let list = others.map { "'\($0)'" }.joined(separator: ", ")
    return
      "\(place.tokens.isEmpty ? "the value" : place.description) goes into '\(member)'; the type also has \(list)"
  }

  static func changedInput(of name: String, from old: JSON, to new: JSON) -> String {
    "the input of effect '\(name)': the log has \(old), the code \(new)"
  }

  static func changedCancelID(of type: String, from old: JSON, to new: JSON) -> String {
    "the cancellation id of type '\(type)': the log has \(old), the code \(new)"
  }

  static func addedRead(_ key: String) -> String {
    "the code reads '\(key)', which the log lacks: read.add(\(JSON.string(key)), value: …) adds it"
  }

  static func filled(_ place: JSON.Pointer) -> String {
    "\(place) gets the first value that the code reads"
  }

  static func unknownCase(_ place: JSON.Pointer, among names: [String]) -> String {
    let list = names.prefix(mostNames).map { "'\($0)'" }.joined(separator: ", ")
    return "the log has the case '\(place)', which the code lacks"
      + (names.isEmpty ? "" : "; cases that no value of the log has: \(list)")
  }

  static func noPlace(_ place: String) -> String {
    "there is no value at '\(place)', where the migration requires one"
  }

  static func migrated(from old: Int, to new: Int) -> String {
    "migrated from schema version \(old) to \(new)"
  }

  static func placesNotFound(
    _ places: [(part: MigrationPathUsage.ValueKind, places: [String])],
    from version: Int
  ) -> String {
    let list = places.map { part, places in
      "\(places.map { "'\($0)'" }.joined(separator: ", ")) in \(name(of: part))"
    }
    return
      "the migration from schema version \(version) finds nothing at \(list.joined(separator: ", at "))"
  }

  private static func name(of part: MigrationPathUsage.ValueKind) -> String {
    switch part {
    case .state: "states"
    case .action: "actions"
    case .read: "reads"
    case .call: "calls"
    case .input: "inputs of effects"
    case .cancelID: "cancellation ids"
    }
  }

  /// Returns a note for a log without a version that replays identically only as a log of the code's version.
  package static func unversioned(_ header: LogEvent.Header, isSameAs version: Int) -> String {
    "the log states no schema version and was read as one of version 1; as one of version \(version), the code's, its"
      + " replay is the same: add \(declaration(of: version, in: header.stateType)) to the app that records, and"
      + " '\"schemaVersion\":\(version),' to the first line of the log"
  }

  package static func needsMigration(found: Int, version: Int) -> String {
    "the log has schema version \(found) and the host \(version): write it again with 'migrate LOG -o OUT' of the host"
  }

  package static func notMigrated(_ log: String, _ end: ReplayEnd, _ reason: String?) -> String {
    if let reason { return "the host could not migrate \(log): \(reason)" }
    return switch end {
    case .exited(let status): "the host could not migrate \(log): it ended with status \(status)"
    case .signal(let name): "the host could not migrate \(log): it was ended by \(name)"
    case .waiting, .timedOut: "the host could not migrate \(log)"
    }
  }
}

// MARK: - Unresolved paths

extension Wording {
  package static func nothing(
    at path: ValuePath,
    _ place: UnresolvedPath,
    isWhole: Bool
  ) -> String {
    "no state \(isWhole ? "of the log" : "in the range") has anything at '\(path)'"
      + nearest(place, name: writer(of: "\(path)"))
  }

  /// Returns a function that formats paths in the notation that the user typed: JSON Pointers or Swift notation.
  package static func writer(of typed: String) -> (JSON.ValueLocation) -> String {
    typed.isEmpty || typed.hasPrefix("/")
      ? \.pointer.description : { Notation().pathText(withoutWrapper($0)) }
  }

  /// Returns the path without trailing `_0` and `element` steps, which select the payload of an enum case or the state
  /// of a stack element.
  private static func withoutWrapper(_ location: JSON.ValueLocation) -> JSON.ValueLocation {
    var steps = location.steps
    while let last = steps.last, steps.count > 1 {
      var isElement = false
      if case .index = steps[steps.count - 2] { isElement = last == .name("element") }
      guard last == .name("_0") || isElement else { break }
      steps.removeLast()
    }
    return JSON.ValueLocation(steps)
  }

  /// Describes the point beyond which a path can't be resolved.
  ///
  /// The text suggests a similar path or name. If there is none, it lists the members at the point, or shows the value.
  ///
  /// - Parameters:
  ///   - place: The point beyond which the path can't be resolved.
  ///   - root: The name of the value in which the path starts.
  ///   - name: A function that formats a path, by default in Swift notation.
  /// - Returns: The end of a sentence.
  package static func nearest(
    _ place: UnresolvedPath,
    root: String = "the state",
    name: (JSON.ValueLocation) -> String = { Notation().pathText($0) }
  ) -> String {
    let owner = place.path.steps.isEmpty ? root : "'\(name(place.path))'"
    if let exact = place.exact { return "; did you mean '\(exact)'?" }
    if let meant = place.meant {
      let path = JSON.ValueLocation(place.path.steps + [.name(meant)])
      return "; did you mean '\(name(path))'?"
    }
    if let similar = place.similar { return "; did you mean '\(similar)'?" }
    if !place.names.isEmpty {
      let rest = place.names.count - mostNames
      return "; \(owner) has "
        + place.names.prefix(mostNames).map { "\(JSON.string($0))" }.joined(separator: ", ")
        + (rest > 0 ? andMore(rest) : "")
    }
    guard let count = place.value.array?.count, count > 0 else {
      return "; \(owner) is \(Notation().value(place.value))"
    }
    return "; \(owner) is an array of \(count == 1 ? "1 element" : "\(count) elements")"
  }

  /// The maximum number of member names to list, which is enough to recognize the object.
  private static let mostNames = 12
}
