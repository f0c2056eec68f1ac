import ActionLog
import Foundation
import ReplayEngine

/// The output log of a command, which may replace only a log that the same command has written.
///
/// The header of a log in a file names the command.
package enum LogOutput {
  /// The header member that names the command.
  static let member = "writtenBy"

  /// The output of a command.
  package enum OutputContent {
    case log
    /// Text that starts with `beginning`.
    ///
    /// `name` is its kind in messages.
    case text(beginning: String, name: String)
    /// Content that can't be distinguished from other files.
    case other
  }

  /// Checks, before the work begins, that the output file may be written.
  ///
  /// An empty file may be overwritten, and so may the command's own output.
  ///
  /// - Parameters:
  ///   - path: The file. `-` is standard output.
  ///   - arguments: The arguments of the command, which may force overwriting.
  ///   - content: The output of the command. A file with other content is kept.
  /// - Throws: `CommandError.wouldOverwrite`, `CommandError.wouldOverwriteOther`.
  package static func check(
    _ path: String?,
    _ arguments: ParsedArguments,
    as content: OutputContent = .log
  ) throws(CommandError) {
    guard let path, path != "-", !arguments.isOn("--force"), case .file = FileKind(path) else {
      return
    }
    try checkLog(path, arguments)
    switch content {
    case .log: try check(path, beginning: #"{"kind":"header""#, name: Wording.log)
    case .text(let beginning, let name): try check(path, beginning: beginning, name: name)
    case .other: break
    }
  }

  private static func check(
    _ path: String,
    beginning: String,
    name: String
  ) throws(CommandError) {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    let found = (try? file.read(upToCount: beginning.utf8.count)) ?? Data()
    guard found.isEmpty || found.elementsEqual(beginning.utf8) else {
      throw .wouldOverwriteOther(path, expected: name)
    }
  }

  private static func checkLog(
    _ path: String,
    _ arguments: ParsedArguments
  ) throws(CommandError) {
    var writer: String??
    // An unreadable file is not a log.
    try? LogReader.scan(path) { _, line in
      if LogReader.begins(line, with: #"{"kind":"header""#) {
        writer = .some((try? JSON(parsing: line))?[member]?.string)
      }
      return false
    }
    guard let writer, writer != arguments.command else { return }
    throw .wouldOverwrite(path, command: arguments.command)
  }
}
