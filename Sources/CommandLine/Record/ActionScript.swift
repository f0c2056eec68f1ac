import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts
import Synchronization

/// A file of actions, one on each line in Swift notation or as JSON, read line by line as the actions are sent.
package final class ActionScript: Sendable {
  private let path: String
  /// Where the lines are typed; `nil` for a file.
  private let terminal: FileHandle?
  private let complain: @MainActor @Sendable (CommandError) -> Void
  /// Shows that a line can be typed; `nil` where nobody sees it.
  private let prompt: (@MainActor @Sendable () -> Void)?
  /// What a log tells of the notation of its actions.
  private let samples: Reader.Samples
  /// Whether a typed line was left out, and the errors of those that were not told yet.
  private let refused = Mutex<(any: Bool, untold: [CommandError])>((false, []))
  /// The lines of the steps that were typed.
  private let typed = Mutex<[Int]>([])
  /// The name of the file in messages.
  private let name: String
  /// The line of the step that was read last, which is the current one.
  private let line = Mutex(0)

  /// A script in a file.
  ///
  /// - Parameters:
  ///   - path: The file, which is read once for each pass over the steps.
  ///   - name: Its name in messages.
  ///   - samples: Gives what a log tells of the notation of its actions.
  /// - Throws: `LogReadError` when it cannot be read.
  init(
    path: String,
    name: String,
    samples: @escaping Reader.Samples
  ) throws(LogReadError) {
    self.path = path
    self.name = name
    self.samples = samples
    prompt = nil
    terminal = nil
    complain = { _ in }
    // A file that cannot be read is reported before anything begins.
    _ = try open()
  }

  /// A script that is typed line by line.
  ///
  /// - Parameters:
  ///   - terminal: Where it is typed.
  ///   - samples: Gives what a log tells of the notation of its actions.
  ///   - prompt: Shows that a line can be typed; `nil` where nobody sees it.
  ///   - complain: Receives the lines that are left out.
  init(
    typedAt terminal: FileHandle,
    samples: @escaping Reader.Samples,
    prompt: (@MainActor @Sendable () -> Void)?,
    complain: @escaping @MainActor @Sendable (CommandError) -> Void
  ) {
    path = ""
    name = Wording.standardInput
    self.terminal = terminal
    self.samples = samples
    self.prompt = prompt
    self.complain = complain
  }

  /// Whether a typed line was left out.
  var hasRefused: Bool { refused.withLock { $0.any } }

  /// Leaves out a typed line, and tells why.
  func refuse(_ error: CommandError) {
    refused.withLock { $0 = (true, $0.untold + [error]) }
    Task { @MainActor in
      guard tellRefused() else { return }
      prompt?()
    }
  }

  /// Tells of the lines that were left out so far.
  ///
  /// - Returns: Whether there was one that had not been told of.
  @MainActor
  @discardableResult
  func tellRefused() -> Bool {
    let errors = refused.withLock { refused in
      defer { refused.untold = [] }
      return refused.untold
    }
    for error in errors { complain(error) }
    return !errors.isEmpty
  }

  /// The steps of the file; reading one throws `CommandError` for an invalid line.
  var steps: RecordRequest.Steps {
    if let terminal { return RecordRequest.Steps(arriving: typedSteps(at: terminal)) }
    return RecordRequest.Steps { [self] in
      var reader = Reader(
        LineReader(try open(), path: path, longest: .max),
        name: name,
        samples: samples
      )
      return {
        let step = try reader.next()
        if step != nil { self.line.withLock { $0 = reader.line } }
        return step
      }
    }
  }

  /// Reads in a thread of its own, which waits for what is typed.
  private func typedSteps(
    at terminal: FileHandle
  ) -> AsyncThrowingStream<RecordRequest.Step, any Error> {
    let (steps, continuation) = AsyncThrowingStream.makeStream(of: RecordRequest.Step.self)
    Thread.detachNewThread { [self] in
      var reader = Reader(
        LineReader(terminal, path: name, longest: .max),
        name: name,
        samples: samples
      )
      while true {
        do {
          guard let step = try reader.next() else { return continuation.finish() }
          line.withLock { $0 = reader.line }
          typed.withLock { $0.append(reader.line) }
          continuation.yield(step)
        } catch let error as CommandError {
          refuse(error)
        } catch {
          return continuation.finish(throwing: error)
        }
      }
    }
    return steps
  }

  private func open() throws(LogReadError) -> FileHandle {
    // A folder opens, and says only when it is read that it cannot be.
    if FileKind(path) == .folder { throw .system(path: path, code: EISDIR) }
    return try FileHandle(readingLog: path)
  }

  /// The file and the line of the step that was read last.
  var place: String { "\(name):\(line.withLock { $0 })" }

  /// The command's error for a step that cannot be done.
  func failure(of error: RecordRequest.StepError) -> CommandError {
    let typed = typed.withLock { $0 }
    // What is typed may be ahead of what is sent.
    let line = typed.indices.contains(error.index) ? typed[error.index] : line.withLock { $0 }
    return .badActionLine(file: name, line: line, problem: "\(error.problem)")
  }
}

extension ActionScript {
  /// Reads the lines of a script.
  package struct Reader {
    private var lines: LineReader
    private let name: String
    private let samples: Samples
    /// What a log tells, once a line has needed it.
    private var known: NotationSamples?
    /// The number of the line that was read last.
    private(set) var line = 0

    /// Gives what a log tells of the notation of its actions.
    package typealias Samples = @Sendable () -> NotationSamples

    package init(
      _ lines: LineReader,
      name: String,
      samples: @escaping Samples = { NotationSamples() }
    ) {
      self.lines = lines
      self.name = name
      self.samples = samples
    }

    /// The next step, nil after the last one.
    ///
    /// - Throws: `CommandError` for an invalid line, `LogReadError` when the file cannot be read.
    package mutating func next() throws -> RecordRequest.Step? {
      while let bytes = try lines.next(line: line + 1)?.bytes {
        line += 1
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.allSatisfy(\.isWhitespace) else { continue }
        do throws(Problem) { return try step(text) } catch {
          throw CommandError.badActionLine(file: name, line: line, problem: error.text)
        }
      }
      return nil
    }

    private struct Problem: Error {
      let text: String
    }

    private mutating func step(_ text: String) throws(Problem) -> RecordRequest.Step {
      let text = text.trimmingCharacters(in: .whitespaces)
      guard !text.hasPrefix(".") else { return .send(try action(text)) }
      let json: JSON
      do throws(JSON.ParseError) { json = try JSON(parsing: text.utf8) } catch {
        throw Problem(text: error.description)
      }
      guard let object = json.object, object.count == 1, let name = object.firstKey,
        let value = object.values.first, name.hasPrefix("$"), !name.hasPrefix("$$")
      else { return .send(json) }
      switch name {
      case "$wait":
        guard let seconds = value.number?.double, seconds >= 0, seconds < Watchdog.forever else {
          throw Problem(text: Wording.badWait(value))
        }
        return .wait(seconds)
      case "$finish":
        guard value == true else { throw Problem(text: Wording.badFinish(value)) }
        return .finish
      default:
        // Other names with one `$` are the log's own tags for values, except for misspellings.
        guard let meant = Suggestion.closest(to: name, among: ["$wait", "$finish"]) else {
          return .send(json)
        }
        throw Problem(text: Wording.unknownDirective(name, meant: meant))
      }
    }

    /// An action in Swift notation.
    private mutating func action(_ text: String) throws(Problem) -> JSON {
      let samples = known ?? self.samples()
      known = samples
      do { return try ActionPattern(parsing: text).json(over: nil, samples) } catch {
        throw Problem(text: "\(error)")
      }
    }
  }
}
