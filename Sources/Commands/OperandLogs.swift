import ActionLog
import Foundation
import ReplayEngine

/// The logs that the operands of a command name.
package struct OperandLogs {
  package typealias Entry = LogFileFinder.LogFileEntry

  package private(set) var entries = LogFileList()
  /// Copies of streams by their operands, which are removed when this list is deallocated.
  ///
  /// A stream can be read only once.
  private var copies: [String: TemporaryFile] = [:]

  /// Finds the logs that operands name.
  ///
  /// - Parameters:
  ///   - operands: The paths of files, folders, or pipes, or `-` for standard input.
  ///   - input: The handle of standard input. If `nil`, `-` is an ordinary name.
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
    entries.append(contentsOf: try LogFileFinder.entries(of: operand))
  }

  /// Returns the entries of one shard.
  ///
  /// A shard contains every `count`th entry, so that large and small logs are distributed evenly.
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

  /// Visits each log, and continues after a file that can't be read.
  ///
  /// - Parameters:
  ///   - visit: A closure that receives a log and the name of its file.
  ///   - unreadable: A closure that receives the name of an unreadable file, and an error that contains this name.
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
  /// Returns a reader for the log that an operand names, where `-` is standard input.
  package func logReader(of operand: String) throws(LogReadError) -> LogReader {
    operand == "-"
      ? LogReader(input, name: Wording.standardInput) : try LogReader(path: operand)
  }
}

extension CommandContext {
  /// Returns the log that the first operand names, for a command that reads one log.
  ///
  /// If the file contains several logs, `--log` selects one. Without `--log`, the first log is used and a note is
  /// printed.
  ///
  /// - Parameter arguments: The arguments of a command with the option `--log`.
  /// - Returns: The log, and the temporary copy that contains it, which must be retained while the log is read.
  /// - Throws: `LogReadError` or `StreamError` if the file can't be read, or `UsageError` if `--log` names no log.
  package func log(_ arguments: ParsedArguments) throws -> (log: LogSlice, spool: TemporaryFile?) {
    let number = try arguments.positiveCount("--log")
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

  /// Prints a note that a file contains several logs, for a command that reads all of them.
  package func report(_ count: Int, logsOf operand: String, command: String) {
    guard count > 1 else { return }
    complain(Wording.allLogs(of: Self.name(of: operand), count, command))
  }

  /// Prints a note that a file contains several logs, for a command that reads only the first one.
  package func reportFirstLog(of operand: String, command: String) {
    complain(Wording.firstOfLogs(of: Self.name(of: operand), command))
  }

  private static func name(of operand: String) -> String {
    operand == "-" ? Wording.standardInput : Notation.visible(operand)
  }

  /// Returns all logs that a file, standard input, or a pipe contains.
  ///
  /// A stream is copied to a file, because it is read more than once.
  package func logs(_ operand: String) throws -> (logs: [LogSlice], spool: TemporaryFile?) {
    let copy = try TemporaryFile.copy(of: operand, input: console.input)
    let name = operand == "-" ? Wording.standardInput : operand
    return (try LogSlice.slices(of: copy?.path ?? operand, name: name), copy)
  }
}

extension LogEvent {
  /// Returns the event with the command's name in a header, if the output is a file.
  ///
  /// For standard output, pipes, and devices, the event is returned unchanged.
  package func written(by command: String, to output: String?) -> LogEvent {
    guard let output, output != "-", FileSystemItemKind(output) != .stream,
      case .header(var header) = self
    else { return self }
    header.rest[OverwriteGuard.member] = .string(command)
    return .header(header)
  }
}
