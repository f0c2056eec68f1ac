import ActionLog
import Foundation
import ReplayEngine

/// Messages that several commands share.
extension Wording {
  static func noPager(_ command: String) -> String {
    "PAGER names '\(command)', which is not there; expected a program such as 'less', or 'cat' for none"
  }

  static func expected(_ what: String, found: JSON) -> String {
    "found \(Notation().value(found)), expected \(what)"
  }

  static let placeWithoutIDs =
    "a place such as rows[*].title or /rows/*/title; rows cannot be named by id here"

  static let arrayOfPlaces = "an array of places such as \"clock\" or \"rows[*].title\""

  static func expectedPath(_ error: NotationSyntaxError) -> String {
    "a place such as todos[0].title or /todos/0/title; \(error)"
  }

  /// Joins words with commas and `or`: `a`, `a or b`, `a, b or c`.
  package static func oneOf(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  static func firstLog(of name: String, _ count: Int, _ command: String) -> String {
    "\(name) holds \(count) logs; '\(command)' takes the first one, and another one with --log N"
  }

  static func allLogs(of name: String, _ count: Int, _ command: String) -> String {
    "\(name) holds \(count) logs; '\(command)' takes all of them, one after the other"
  }

  package static func firstOfLogs(of name: String, _ command: String) -> String {
    "\(name) holds several logs; '\(command)' takes the first one"
  }

  static func logNumber(_ count: Int) -> String {
    count == 1 ? "1: the file has one log" : "a number from 1 to \(count), the logs of the file"
  }

  package static let standardInput = "standard input"

  package static let standardOutput = "standard output"

  package static let standardError = "standard error"

  package static func describe(_ error: StreamError) -> String {
    let name = Notation.visible(error.name)
    if error.code == EBADF {
      return "\(name) is closed; expected a file, a pipe or a terminal"
    }
    let reason = String(cString: strerror(error.code))
    return error.isCreation
      ? "cannot write \(name): \(reason)" : "an error at \(name): \(reason)"
  }

  static func describe(_ error: LogPathListError) -> String {
    "line \(error.line) of the list names no log; expected a path, or {\"path\":\"a.jsonl\",\"log\":\"its name\"}"
  }

  package static func describe(_ error: UsageError) -> String {
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
      "invalid value '\(value)' for '\(option)'; expected \(expected)"
    case .badExpression(let option, let error, _): "\(option): \(error)"
    case .badEdit(let option, let error, _): "\(option): \(error)"
    case .badOperand(let value, let operand, let expected, _):
      "invalid \(operand) '\(value)'; expected \(expected)"
    case .oneLogOnly(let option, let found, _):
      "'\(option)' takes one log; found \(found)"
    case .repeatedOption(let option, _): "'\(option)' is given twice; expected once"
    case .missingOperand(let name, let command): "'\(command)' needs \(name)"
    case .missingOption(let name, let value, let command):
      "'\(command)' needs \(name) \(value)"
    case .missingForm(let forms, let command):
      "'\(command)' needs \(forms.count == 1 ? forms[0] : oneOf(forms.map { "'\($0)'" }))"
    case .extraOperand(let value, let command): "'\(command)' cannot take '\(value)' as well"
    case .standardInputTwice(let command):
      "'\(command)' can read standard input only once; give one of the two as a file"
    case .goesWith(let option, let other, _): "'\(option)' works only with '\(other)'"
    case .conflict(let first, let second, _):
      "'\(first)' and '\(second)' exclude each other; give one of them"
    }
  }

  package static func describe(_ error: CommandError) -> String {
    switch error {
    case .unusable(let name, let refusal): "\(Notation.visible(name)): \(refusal.error)"
    case .badSettings(let problem): "\(Settings.name): \(problem)"
    case .cannotAccept(let reason): "not accepted: \(reason)"
    case .badActionLine(let file, let line, let problem),
      .badEditLine(let file, let line, let problem):
      "\(file):\(line): \(problem)"
    case .unknownTypes(let feature):
      "this host does not say what the types of '\(feature)' are; expected a ReplayFeature, or a FeatureEntry with types"
    case .cannotRecord(let feature): "this host can replay '\(feature)', but not record it"
    case .hostOnlyAnswers(let command):
      "this host has the product TCAReplayHost, which only answers tca-replay, so it has no command"
        + " '\(command)'; expected 'tca-replay \(command) --host PATH', or a host with the product TCAReplay"
    case .noSuchAction(let seq, let last) where (1...max(last, 1)).contains(seq) && seq < last:
      "there is no action \(seq): the log has actions up to \(last), and lacks this one"
    case .noSuchAction(let seq, let last):
      "there is no action \(seq): the log has actions up to \(last)"
    case .unfinishedAction(let seq):
      "the log has no state after action \(seq), which was not finished; the state before it is that after action \(seq - 1)"
    case .nothing(let path, let place, let seq):
      "the state after action \(seq) has nothing at '\(path)'"
        + (place.map { nearest($0, name: writer(of: "\(path)")) } ?? "")
        + (place?.exact == nil
          ? "; 'show LOG --path \(ShellWord.quoted("\(path)"))' shows whether it ever had" : "")
    case .ambiguous(let place, let ids):
      "'\(place)' may be any of \(ids.count) rows: \(ids.prefix(8).joined(separator: ", "))"
        + (ids.count > 8 ? andMore(ids.count - 8) : "") + "; give more of the id"
    case .noState(let log): "\(log) ends before its first state"
    case .notATypeOfFeature(let log, let name):
      "\(log): the feature is named '\(Notation.visible(name))', which cannot stand in code; expected the name of a type,"
        + " such as AppFeature. Give the code that makes the reducer with --reducer; '--style store' needs the type's"
        + " name in the header of the log"
    case .notATypeOfState(let log, let name):
      "\(log): the type of the state is named '\(Notation.visible(name))', which cannot stand in code; expected the name of"
        + " a type, such as AppFeature.State. Leave out '--style store': a test that replays the log does not name it"
    case .wouldOverwrite(let path, let command):
      "\(path) is a log that '\(command)' has not written; expected another name, or --force to write over it"
    case .wouldOverwriteOther(let path, let expected):
      "\(path) is not \(expected); expected another name, or --force to write over it"
    case .unusableCache(let error):
      "\(error); expected a folder for caches that can be written: XDG_CACHE_HOME names another one"
    }
  }

  /// Quotes a name that comes from a file, on a single line even if the name contains line breaks.
  private static func quoted(_ name: String) -> String {
    "'\(String(decoding: JSON.string(name).description.utf8.dropFirst().dropLast(), as: UTF8.self))'"
  }

  static let log = "a log"

  static func atWork(seconds: Int, bytes: Int) -> String {
    bytes < 1_000_000 ? "\(seconds) s" : "\(seconds) s, \(bytes / 1_000_000) MB read"
  }

  package static func interrupted(_ signal: Int32) -> String {
    "interrupted by \(SignalName.of(signal)): the result is partial"
  }

  static func interruptedWithoutResult(_ signal: Int32) -> String {
    "interrupted by \(SignalName.of(signal)): there is no result yet"
  }

  static let unreadableSettings = "cannot be read; expected a file with a JSON object"

  static func unknownSetting(_ name: String, known: [String]) -> String {
    "there is no setting \(quoted(name)); expected \(oneOf(known))"
      + suggestion(for: name, among: known)
  }
}
