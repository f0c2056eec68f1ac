import ActionLog
import ReplayEngine

/// Where a command writes a log: it takes the place of one that the same command has written, and of no other.
///
/// The header of a log that is written to a file names the command, so that this is known wherever the file comes from.
package enum LogOutput {
  /// The member of the header that names the command.
  fileprivate static let member = "writtenBy"

  /// Finds out before the work begins whether its result can be written.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard output.
  ///   - arguments: The arguments of the command, which may force it.
  /// - Throws: `CommandError.wouldOverwrite`.
  package static func check(_ path: String?, _ arguments: ParsedArguments) throws(CommandError) {
    guard let path, path != "-", !arguments.isOn("--force"), case .file = FileKind(path) else {
      return
    }
    var writer: String??
    // What cannot be read is no log.
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

extension LogEvent {
  /// The event as a command writes it to a file; to standard output, a pipe or a device it goes as it is.
  package func written(by command: String, to output: String?) -> LogEvent {
    guard let output, output != "-", FileKind(output) != .stream, case .header(var header) = self
    else { return self }
    header.rest[LogOutput.member] = .string(command)
    return .header(header)
  }
}
