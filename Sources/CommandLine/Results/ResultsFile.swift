import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// The file of `run --results`, to which a line is appended for each log as soon as its result is known.
///
/// Each line is written with one system call, so completed results survive any end of the command. If an existing file
/// ends with an incomplete line, the line is terminated with a line feed, and readers skip it.
final class ResultsFile: Sendable {
  private let path: String
  private let setting: RunResult.Configuration
  private let descriptor: Int32
  private let now: @Sendable () -> Date
  /// The results that the file already contained, by the name and the digest of the log file.
  private let earlier: [Key: [RunResult]]
  private let failure = Mutex<StreamError?>(nil)

  private struct Key: Hashable {
    let file: String
    let digest: String
  }

  /// Opens a file of results.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or `-` for standard output.
  ///   - setting: The host and the options of the run.
  ///   - isContinued: Whether existing results are kept, and their logs are not replayed again.
  ///   - isForced: Whether existing results may be deleted.
  ///   - now: A closure that returns the current time.
  /// - Throws: `StreamError` if the file can't be opened. `ResultsError` for a file with results that is neither
  ///   continued nor forced, for a file that another process is writing, and for a file with other content.
  init(
    _ path: String,
    _ setting: RunResult.Configuration,
    isContinued: Bool,
    isForced: Bool,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let isStream = path == "-"
    self.path = isStream ? Wording.standardOutput : path
    self.setting = setting
    self.now = now
    guard !isStream else {
      earlier = [:]
      descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0 else { throw StreamError(name: self.path, code: errno) }
      return
    }
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StreamError(name: path, code: errno, isCreation: true) }
    do { earlier = try Self.lockAndRead(path, descriptor, setting, isContinued, isForced) } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { FileLock.releaseAndClose(descriptor) }

  /// Locks the file, and reads its results or deletes them.
  private static func lockAndRead(
    _ path: String,
    _ descriptor: Int32,
    _ setting: RunResult.Configuration,
    _ isContinued: Bool,
    _ isForced: Bool
  ) throws -> [Key: [RunResult]] {
    var status = stat()
    // Devices and pipes contain no results, and several commands may write to the same device or pipe.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [:] }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw ResultsError.inUse(path)
    }
    // The size is read again, because the file may have grown before it was locked.
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return [:] }
    if !isContinued {
      guard isForced else { throw ResultsError.exists(path) }
      guard ftruncate(descriptor, 0) == 0 else { throw StreamError(name: path, code: errno) }
      return [:]
    }
    var results: [Key: [RunResult]] = [:]
    let lines = try ResultLineCounts.read(path) { result in
      guard result.setting == setting else { return }
      results[Key(file: file(of: result), digest: result.digest), default: []].append(result)
    }
    guard lines.results > 0 || lines.others == 0 else { throw ResultsError.isNone(path) }
    if lines.isTorn {
      let code = [UInt8(ascii: "\n")].write(to: descriptor)
      guard code == 0 else { throw StreamError(name: path, code: code) }
    }
    return results
  }

  /// Returns the name of a log's file: the name of the log without its number in the file.
  private static func file(of result: RunResult) -> String {
    guard result.logs > 1, let mark = result.log.lastIndex(of: "#") else { return result.log }
    return String(result.log[..<mark])
  }

  /// Returns the existing results of the logs in a file, or `nil` unless all its logs have one for this digest.
  func earlier(_ file: String, _ digest: FileDigest) -> [RunResult]? {
    guard let found = earlier[Key(file: file, digest: digest.digest)] else { return nil }
    var byLog: [String: RunResult] = [:]
    for result in found { byLog[result.log] = result }
    guard byLog.count == found[0].logs else { return nil }
    return byLog.values.sorted { $0.log < $1.log }
  }

  /// Returns the files to replay, and the existing results of the other files.
  func split(_ entries: LogFileList) -> (open: LogFileList, earlier: [RunResult]) {
    guard !earlier.isEmpty else { return (entries, []) }
    var open: [Int] = []
    var found: [RunResult] = []
    for (place, entry) in zip(entries.indices, entries) {
      if case .file(let path, let name) = entry, let digest = FileDigest(of: path),
        let results = earlier(name, digest)
      {
        found += results
      } else {
        open.append(place)
      }
    }
    return (entries.entries(at: open), found)
  }

  /// Returns the digest of a log file, or `nil` if the file can't be read.
  static func digest(of entry: OperandLogs.Entry) -> FileDigest? {
    if case .file(let path, _) = entry { FileDigest(of: path) } else { nil }
  }

  /// Appends the results of the logs in one file.
  ///
  /// - Parameters:
  ///   - reports: The reports that contain the results.
  ///   - entry: The log file.
  ///   - digest: The digest of the file before it was read. If the file has changed since then, the results can't be
  ///     assigned to its content, and `--resume` replays the file again.
  func append(_ reports: [LogRunReport], of entry: OperandLogs.Entry, with digest: FileDigest?) {
    let file = digest == Self.digest(of: entry) ? digest : nil
    for report in reports {
      let result = RunResult(
        report,
        of: reports.count,
        file: file,
        setting: setting,
        finishedAt: now()
      )
      // Only one thread writes at a time. If a call writes only a part of a line, the lines of two threads would be
      // mixed otherwise.
      failure.withLock { failure in
        guard failure == nil else { return }
        let code = result.line.write(to: descriptor)
        if code != 0 { failure = StreamError(name: path, code: code) }
      }
    }
  }

  /// Releases the file for other runs after the last result, and throws the error of a failed write.
  ///
  /// The thread of a worker can keep this object for a moment after the run.
  ///
  /// - Throws: `StreamError`.
  func finish() throws(StreamError) {
    flock(descriptor, LOCK_UN)
    if let error = failure.withLock({ $0 }) { throw error }
  }

  var hasFailed: Bool { failure.withLock { $0 != nil } }
}

/// The reason why a file of results can't be written or read.
enum ResultsError: StatusError, Equatable, CustomStringConvertible {
  /// The file already contains results, and neither `--resume` nor `--force` was given.
  case exists(String)
  /// Another process is writing the file.
  case inUse(String)
  /// The file has lines, but none of them is a result.
  case isNone(String)
  /// The files contain no results.
  case isEmpty([String])

  var description: String { Wording.describe(self) }

  var status: ExitStatus {
    switch self {
    case .exists, .inUse: .cannotCreate
    case .isNone: .unreadable
    case .isEmpty: .noInput
    }
  }
}

/// The number of lines in a file of results, by kind.
struct ResultLineCounts {
  private(set) var results = 0
  /// The number of lines that are not results, such as the torn line of a killed process.
  private(set) var others = 0
  /// Whether the last line has no line feed.
  private(set) var isTorn = false

  /// Reads a file of results line by line.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - visit: A closure that receives each result.
  /// - Returns: The number of lines by kind.
  /// - Throws: `LogReadError` if the file can't be read, or the error of `visit`.
  static func read(_ path: String, _ visit: (RunResult) throws -> Void) throws -> ResultLineCounts {
    let input = try FileHandle(readingLog: path)
    var counts = ResultLineCounts()
    var lines = LineReader(input, path: path, longest: longest)
    while let line = try lines.next(line: counts.results + counts.others + 1) {
      counts.isTorn = !line.isTerminated
      guard !line.bytes.isEmpty else { continue }
      if let json = try? JSON(parsing: line.bytes), let result = RunResult(json: json) {
        counts.results += 1
        try visit(result)
      } else {
        counts.others += 1
      }
    }
    return counts
  }

  /// The maximum length of a line in bytes: 16 MiB.
  private static let longest = 1 << 24
}
