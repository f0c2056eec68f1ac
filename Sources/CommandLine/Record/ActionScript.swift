import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts
import Synchronization

/// A file that contains one action per line, in Swift notation or JSON.
///
/// The lines are read on demand, while the actions are sent.
package final class ActionScript: Sendable {
  private let path: String
  /// The name of the file in messages.
  private let name: String
  /// A closure that returns samples of the names in a log, for actions in Swift notation.
  private let samples: Reader.Samples
  /// The line number of the step that was read last.
  private let line = Mutex(0)

  /// Opens a script.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is read once per pass over the steps.
  ///   - name: The name of the file in messages.
  ///   - samples: A closure that returns samples of the names in a log, for actions in Swift notation.
  /// - Throws: `LogReadError` if the file can't be read.
  init(
    path: String,
    name: String,
    samples: @escaping Reader.Samples
  ) throws(LogReadError) {
    self.path = path
    self.name = name
    self.samples = samples
    // Opens the file now, so that an unreadable file is reported before any work starts.
    _ = try open()
  }

  /// The steps in the file.
  ///
  /// Reading a step throws `CommandError` for an invalid line.
  var steps: RecordRequest.Steps {
    RecordRequest.Steps { [self] in
      var lines = LineReader(try open(), path: path, longest: .max)
      var reader = Reader(name: name, samples: samples)
      return {
        while let bytes = try lines.next(line: reader.line + 1)?.bytes {
          guard let step = try reader.step(String(decoding: bytes, as: UTF8.self)) else { continue }
          self.line.withLock { $0 = reader.line }
          return step
        }
        return nil
      }
    }
  }

  private func open() throws(LogReadError) -> FileHandle {
    // Opening a folder succeeds, and only reading it fails.
    if FileSystemItemKind(path) == .folder { throw .system(path: path, code: EISDIR) }
    return try FileHandle(readingLog: path)
  }

  /// The file name and the line number of the step that was read last.
  var place: String { "\(name):\(line.withLock { $0 })" }

  /// Returns the error for a step that can't be performed, with the file name and the line number of the step.
  func failure(of error: RecordRequest.StepError) -> CommandError {
    .badActionLine(file: name, line: line.withLock { $0 }, problem: "\(error.problem)")
  }
}

extension ActionScript {
  /// A parser for the lines of a script.
  package struct Reader {
    private let name: String
    private let samples: Samples
    /// The samples of the names in a log, or `nil` before the first line that needs them.
    private var known: OmittedNotationParts?
    /// The number of the last line that was read.
    private(set) var line = 0

    /// A function that returns samples of the names in a log.
    package typealias Samples = @Sendable () -> OmittedNotationParts

    package init(name: String, samples: @escaping Samples = { OmittedNotationParts() }) {
      self.name = name
      self.samples = samples
    }

    /// Parses the next line, or returns `nil` for a blank line.
    ///
    /// - Throws: `CommandError` if the line is invalid.
    package mutating func step(_ line: String) throws(CommandError) -> RecordRequest.Step? {
      self.line += 1
      guard !line.allSatisfy(\.isWhitespace) else { return nil }
      do throws(ScriptError) { return try parsed(line) } catch {
        throw CommandError.badActionLine(file: name, line: self.line, problem: error.text)
      }
    }

    /// Counts a line that is not a step.
    mutating func skipLine() { line += 1 }

    private struct ScriptError: Error {
      let text: String
    }

    private mutating func parsed(_ text: String) throws(ScriptError) -> RecordRequest.Step {
      let text = text.trimmingCharacters(in: .whitespaces)
      guard !text.hasPrefix(".") else { return .send(try action(text)) }
      let json: JSON
      do throws(JSON.ParseError) { json = try JSON(parsing: text.utf8) } catch {
        throw ScriptError(text: error.description)
      }
      guard let object = json.object, object.count == 1, let name = object.firstKey,
        let value = object.values.first, name.hasPrefix("$"), !name.hasPrefix("$$")
      else { return .send(json) }
      switch name {
      case "$wait":
        guard let seconds = value.number?.double, seconds >= 0, seconds < Watchdog.forever else {
          throw ScriptError(text: Wording.badWait(value))
        }
        return .wait(seconds)
      case "$finish":
        guard value == true else { throw ScriptError(text: Wording.badFinish(value)) }
        return .finish
      default:
        // Other names that start with a single `$` are tags that a log uses for values, unless they are misspelled
        // steps.
        guard let meant = SpellingSuggestion.closest(to: name, among: ["$wait", "$finish"]) else {
          return .send(json)
        }
        throw ScriptError(text: Wording.unknownDirective(name, meant: meant))
      }
    }

    /// Parses an action in Swift notation.
    private mutating func action(_ text: String) throws(ScriptError) -> JSON {
      let samples = known ?? self.samples()
      known = samples
      do { return try ActionPattern(parsing: text).json(over: nil, samples) } catch {
        throw ScriptError(text: "\(error)")
      }
    }
  }
}
