import ActionLog
import Foundation
import ReplayEngine

/// The logs that the operands of a command name.
package struct LogList {
  package typealias Entry = LogFiles.LogFileEntry

  package private(set) var entries = LogFileList()
  /// Copies of streams, which can be read only once; they are removed with the list.
  private var copies: [String: TemporaryFile] = [:]

  /// Finds the logs.
  ///
  /// - Parameters:
  ///   - operands: Files, folders, pipes, `-`.
  ///   - input: Standard input; without it `-` is a name like any other.
  package init(_ operands: [String], input: FileHandle? = nil) {
    for operand in operands {
      do { try add(operand, input) } catch {
        entries.append(.failure(name: operand, error))
      }
    }
  }

  private mutating func add(_ operand: String, _ input: FileHandle?) throws {
    if let copy = try copies[operand] ?? TemporaryFile.copy(of: operand, input: input) {
      copies[operand] = copy
      let name = operand == "-" ? Wording.standardInput : operand
      entries.append(.file(path: copy.path, name: name))
      return
    }
    entries.append(contentsOf: try LogFiles.entries(of: operand))
  }

  /// The entries of one part: every `count`th, so that large and small logs spread over the parts.
  package func part(_ index: Int, of count: Int) -> LogFileList {
    entries.entries(at: stride(from: index - 1, to: entries.count, by: count))
  }

  /// The logs that can be read.
  package var slices: [LogSlice] {
    entries.flatMap { entry -> [LogSlice] in
      guard case .file(let path, let name) = entry else { return [] }
      return (try? LogSlice.slices(of: path, name: name)) ?? []
    }
  }

  /// Visits the logs one by one; an unreadable one does not end the walk.
  ///
  /// - Parameters:
  ///   - visit: Takes a log and the name of its file.
  ///   - unreadable: Takes the name of an unreadable file, and an error that names it.
  /// - Throws: The errors of the two closures, other than `LogReadError`.
  package func forEachLog(
    _ visit: (_ log: LogSlice, _ file: String) throws -> Void,
    unreadable: (_ name: String, _ error: any Error) throws -> Void
  ) throws {
    for entry in entries {
      switch entry {
      case .failure(let name, let error): try unreadable(name, error)
      case .file(let path, let name):
        do {
          for log in try LogSlice.slices(of: path, name: name) { try visit(log, name) }
        } catch let error as LogReadError {
          try unreadable(name, CommandError.naming(name, in: error))
        }
      }
    }
  }
}

extension Console {
  /// A reader of the log that an operand names; `-` is standard input.
  package func logReader(of operand: String) throws(LogReadError) -> LogReader {
    operand == "-"
      ? LogReader(input, name: Wording.standardInput) : try LogReader(path: operand)
  }
}

extension CommandContext {
  /// The log of the first operand, for a command that takes one; of a file that has several, the one of `--log`.
  ///
  /// Without `--log` it is the first one, and the command says so.
  ///
  /// - Parameter arguments: The arguments of a command that has `--log`.
  /// - Returns: The log, and the copy that it is in, to be kept as long as the log is read.
  /// - Throws: `LogReadError`, `StreamError`, and `UsageError` when there is no such log.
  package func log(_ arguments: ParsedArguments) throws -> (log: LogSlice, spool: TemporaryFile?) {
    let number = try arguments.count("--log")
    let operand = arguments.operands[0]
    let (logs, copy) = try logs(operand)
    if number == nil, logs.count > 1 {
      complain(Wording.firstLog(of: Self.name(of: operand), logs.count, arguments.command))
    }
    guard number ?? 1 <= logs.count else {
      throw UsageError.badValue(
        "\(number ?? 1)",
        option: "--log",
        expected: Wording.logNumber(logs.count),
        command: arguments.command
      )
    }
    return (logs[(number ?? 1) - 1], copy)
  }

  /// Says that a file holds several logs, where it does, for a command that takes all of them.
  package func report(_ count: Int, logsOf operand: String, command: String) {
    guard count > 1 else { return }
    complain(Wording.allLogs(of: Self.name(of: operand), count, command))
  }

  /// Says that a file holds several logs, for a command that takes the first one.
  package func reportFirstLog(of operand: String, command: String) {
    complain(Wording.firstOfLogs(of: Self.name(of: operand), command))
  }

  private static func name(of operand: String) -> String {
    operand == "-" ? Wording.standardInput : Notation.visible(operand)
  }

  /// All logs of a file, or of standard input or a pipe, which is copied to a file to be read more than once.
  package func logs(_ operand: String) throws -> (logs: [LogSlice], spool: TemporaryFile?) {
    let copy = try TemporaryFile.copy(of: operand, input: console.input)
    let name = operand == "-" ? Wording.standardInput : operand
    return (try LogSlice.slices(of: copy?.path ?? operand, name: name), copy)
  }
}

/// The log that a command writes: it may replace only one that the same command has written.
///
/// The header of a log that is written to a file names the command.
package enum LogOutput {
  /// The member of the header that names the command.
  fileprivate static let member = "writtenBy"

  /// What a command writes.
  package enum OutputContent {
    /// A log.
    case log
    /// Something that begins like this, by its name in messages.
    case text(beginning: String, name: String)
    /// Something that cannot be told from other files.
    case other
  }

  /// Checks before the work begins that its result may be written.
  ///
  /// An empty file is written over, and one that the command has written itself.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard output.
  ///   - arguments: The arguments of the command, which may force it.
  ///   - content: What the command writes. A file with anything else stays.
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

extension LogEvent {
  /// The event as a command writes it to a file; standard output, pipes and devices get it unchanged.
  package func written(by command: String, to output: String?) -> LogEvent {
    guard let output, output != "-", FileKind(output) != .stream, case .header(var header) = self
    else { return self }
    header.rest[LogOutput.member] = .string(command)
    return .header(header)
  }
}
