import ActionLog
import Foundation
import ReplayEngine

/// Functions for the output log of a command, which may replace only a log that the same command has written.
///
/// In a file, the header of the log names the command.
package enum OverwriteGuard {
  /// The header member that contains the name of the command.
  static let member = "writtenBy"

  /// The kind of content that a command writes to its output file.
  package enum OutputContent {
    case log
    /// Text that starts with `beginning`, and that messages call `name`.
    case text(beginning: String, name: String)
    /// Content that can't be distinguished from other files.
    case other
  }

  /// Checks that the output file may be written, before the work begins.
  ///
  /// A command may overwrite an empty file and its own output.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or `-` for standard output.
  ///   - arguments: The arguments of the command, which may force overwriting.
  ///   - content: The kind of content that the command writes. A file with other content is not overwritten.
  /// - Throws: `CommandError.wouldOverwrite`, `CommandError.wouldOverwriteOther`.
  package static func check(
    _ path: String?,
    _ arguments: ParsedArguments,
    as content: OutputContent = .log
  ) throws(CommandError) {
    guard let path, path != "-", !arguments.isOn("--force"), case .file = FileSystemItemKind(path)
    else {
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
    // A file that can't be read as a log is not an output log.
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
