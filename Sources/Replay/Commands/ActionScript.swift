import ActionLog
import Foundation

/// The actions of a file of actions: one JSON value a line.
struct ActionScript: Equatable, Sendable {
  var steps: [RecordRequest.Step] = []
  /// The file, and the line on which each step stands.
  private let file: String
  private var lines: [Int] = []

  /// Reads the text of a file.
  init(_ text: String, file: String) throws(CommandError) {
    self.file = file
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      func failure(_ problem: String) -> CommandError {
        .badActionLine(file: file, line: index + 1, problem: problem)
      }
      let json: JSON
      do throws(JSON.ParseError) { json = try JSON(parsing: line.utf8) } catch {
        throw failure(error.description)
      }
      do throws(Problem) { steps.append(try Self.step(json)) } catch {
        throw failure(error.text)
      }
      lines.append(index + 1)
    }
  }

  private struct Problem: Error {
    let text: String
  }

  private static func step(_ json: JSON) throws(Problem) -> RecordRequest.Step {
    guard let object = json.object, object.count == 1, let name = object.keys.first,
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
      // Other names with one `$` are the log's own tags for values, except for a slip of the pen.
      guard let meant = Suggestion.closest(to: name, among: ["$wait", "$finish"]) else {
        return .send(json)
      }
      throw Problem(text: Wording.unknownDirective(name, meant: meant))
    }
  }

  /// Reads a file, or standard input for `-`.
  static func read(_ path: String, console: Console) throws -> ActionScript {
    let data = try (path == "-" ? console.input : handle(of: path)).readToEnd() ?? Data()
    return try ActionScript(
      String(decoding: data, as: UTF8.self),
      file: path == "-" ? Wording.standardInput : path
    )
  }

  private static func handle(of path: String) throws(LogReadError) -> FileHandle {
    // A folder opens, and says only when it is read that it cannot be.
    if FileKind(path) == .folder { throw .system(path: path, code: EISDIR) }
    return try FileHandle(readingLog: path)
  }

  /// The file and the line of a step.
  func place(_ index: Int) -> String { "\(file):\(lines[index])" }

  /// What a command says of a step that cannot be done.
  func failure(of error: RecordRequest.StepError) -> CommandError {
    .badActionLine(file: file, line: lines[error.index], problem: "\(error.problem)")
  }
}
