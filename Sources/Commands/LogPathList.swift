import ActionLog
import Foundation
import ReplayEngine
import Synchronization

/// The logs that a file lists, one per line.
///
/// A line is a path, or an object with a path and the log's name in results:
/// `{"path":"/tmp/1.jsonl","log":"hdfs://logs/a.jsonl"}`. Empty lines are skipped. Lines are read on demand.
package final class LogPathList: Sendable {
  private struct State {
    var lines: LineReader
    var number = 0
    /// The logs of the current line that have not been returned yet.
    var waiting = LogFileList().makeIterator()
    var failure: LogReadError?
    var isAtEnd = false
  }

  private let state: Mutex<State>

  /// The maximum length of a line in bytes, which exceeds the longest path even if each byte is escaped.
  private static let longest = 1 << 16

  /// Opens a list.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or `-` for standard input.
  ///   - input: The handle of standard input.
  /// - Throws: `LogReadError` if the list can't be opened.
  package init(_ path: String, input: FileHandle) throws(LogReadError) {
    let isInput = path == "-"
    let name = isInput ? Wording.standardInput : path
    let file =
      isInput
      ? try Self.copy(input.fileDescriptor, name) : try FileHandle(readingLog: path)
    state = Mutex(State(lines: LineReader(file, path: name, longest: Self.longest)))
  }

  private static func copy(_ descriptor: Int32, _ name: String) throws(LogReadError) -> FileHandle {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(path: name, code: errno) }
    return FileHandle(fileDescriptor: copy, closeOnDealloc: true)
  }

  /// Returns the next log, or `nil` after the last one and after an unreadable line.
  package func next() -> OperandLogs.Entry? {
    state.withLock { state in
      while true {
        if let entry = state.waiting.next() { return entry }
        guard !state.isAtEnd else { return nil }
        do throws(LogReadError) {
          guard let line = try state.lines.next(line: state.number + 1) else {
            state.isAtEnd = true
            return nil
          }
          state.number += 1
          guard line.count > 0 else { continue }
          state.waiting = Self.entries(line, state.number).makeIterator()
        } catch {
          state.failure = error
          state.isAtEnd = true
        }
      }
    }
  }

  /// Throws the error that prevented reading the complete list, if there is one.
  ///
  /// - Throws: `LogReadError`.
  package func check() throws(LogReadError) {
    if let error = state.withLock(\.failure) { throw error }
  }

  private static func entries(_ line: LineReader.Line, _ number: Int) -> LogFileList {
    var path = String(decoding: line.bytes, as: UTF8.self)
    var name: String?
    if path.hasPrefix("{\"") {
      guard let json = try? JSON(parsing: line.bytes), let found = json["path"]?.string else {
        return LogFileList(.failure(name: path, LogPathListError(line: number)))
      }
      path = found
      name = json["log"]?.string
    }
    let shown = name ?? path
    switch FileSystemItemKind(path) {
    case .file: return LogFileList(.file(path: path, name: shown))
    case .none: return LogFileList(.failure(name: shown, LogReadError.noSuchFile(shown)))
    // A stream can be read only once, but a log is read more than once.
    case .stream:
      return LogFileList(.failure(name: shown, LogReadError.system(path: shown, code: ESPIPE)))
    case .folder:
      do { return try LogFileFinder.entries(of: path) } catch {
        return LogFileList(.failure(name: shown, error))
      }
    }
  }
}

/// An error that reports a line of a list that names no log.
package struct LogPathListError: StatusError, Equatable, CustomStringConvertible {
  let line: Int

  package var description: String { Wording.describe(self) }
  package var status: ExitStatus { .noInput }
}
