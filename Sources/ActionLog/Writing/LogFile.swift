import Foundation

/// A file to which whole lines are appended; the kernel has them when `append` returns.
///
/// These bytes survive the end of the process, whatever its reason. A line that does not fit on the disk is removed, so
/// that the file holds whole lines only.
package struct LogFile: ~Copyable, Sendable {
  /// Where the file is.
  package let path: String
  private let calls: SystemCalls
  private let isSynced: Bool
  private let descriptor: Int32
  private let hasSizeLimit: Bool
  private var length: off_t = 0

  /// Creates the file, or the first free one of `name-2.jsonl`, `name-3.jsonl` and so on: a log that exists is never
  /// touched.
  ///
  /// - Parameters:
  ///   - path: The name that is tried first.
  ///   - isNumbered: Whether other names are tried; otherwise it is an error when there is such a file.
  ///   - isSynced: Whether the bytes and the file's name are on the disk before a call returns.
  ///   - calls: The calls of the system.
  /// - Throws: `LogWriteError`.
  package init(
    creating path: String,
    isNumbered: Bool = true,
    isSynced: Bool = false,
    calls: SystemCalls = SystemCalls()
  ) throws(LogWriteError) {
    let (candidate, descriptor) = try Self.create(path, isNumbered: isNumbered, calls)
    if isSynced, calls.syncFolder(LogFileName(candidate).folder) < 0 {
      let code = errno
      close(descriptor)
      unlink(candidate)
      throw LogWriteError(path: candidate, code: code)
    }
    self.path = candidate
    self.descriptor = descriptor
    self.calls = calls
    self.isSynced = isSynced
    hasSizeLimit = FileSizeLimit.isSet
  }

  private static func create(
    _ path: String,
    isNumbered: Bool,
    _ calls: SystemCalls
  ) throws(LogWriteError) -> (path: String, descriptor: Int32) {
    let name = LogFileName(path)
    var number = 1
    while true {
      let candidate = name.numbered(number)
      let descriptor = calls.create(candidate)
      if descriptor >= 0 {
        // The lock shows a process that deletes old logs that the file is in use. Some file systems have no locks.
        flock(descriptor, LOCK_SH | LOCK_NB)
        return (candidate, descriptor)
      }
      guard isNumbered, errno == EEXIST, number < maximumNumber else {
        throw LogWriteError(path: candidate, code: errno)
      }
      number += 1
    }
  }

  /// The number of logs of one name in a folder at which the search for a free name gives up.
  private static let maximumNumber = 100_000

  deinit {
    // A child process that is being started has the descriptor, too, until it executes its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Appends bytes that are whole lines.
  ///
  /// - Parameters:
  ///   - bytes: The lines.
  ///   - isChecked: Whether to check first if the file was deleted or changed, which takes half as long as writing.
  /// - Throws: `LogWriteError`; then none of the bytes are in the file.
  package mutating func append(_ bytes: [UInt8], isChecked: Bool = true) throws(LogWriteError) {
    // Lines after a hole, or in a file without a name, are lost.
    guard !isChecked || calls.length(descriptor) == length else {
      throw LogWriteError(path: path, code: ENOENT, isLost: true)
    }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        let rest = UnsafeRawBufferPointer(rebasing: $0[written...])
        guard hasSizeLimit else { return calls.write(descriptor, rest) }
        return FileSizeLimit.withoutSignal { calls.write(descriptor, rest) }
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw takingBack(written, after: count < 0 ? errno : ENOSPC)
      }
    }
    if isSynced, calls.sync(descriptor) < 0 { throw takingBack(written, after: errno) }
    length += off_t(bytes.count)
  }

  /// Removes the written part of some lines: half a line would make the next one unreadable.
  private func takingBack(_ count: Int, after code: Int32) -> LogWriteError {
    let isLost = count > 0 && calls.truncate(descriptor, length) < 0
    return LogWriteError(path: path, code: code, isLost: isLost)
  }
}

/// The limit of the size of files, such as `ulimit -f` sets: a write beyond it raises SIGXFSZ, which ends the process.
private enum FileSizeLimit {
  /// Whether there is one.
  static var isSet: Bool {
    var limit = rlimit()
    #if canImport(Darwin)
    let code = getrlimit(RLIMIT_FSIZE, &limit)
    #else
    let code = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
    // No limit is the largest number, of whatever type it is.
    return code == 0 && limit.rlim_cur < rlim_t.max >> 1
  }

  /// Writes so that the limit is told by the error alone, whatever the app does with the signal.
  static func withoutSignal(_ write: () -> Int) -> Int {
    var (signals, old, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    guard pthread_sigmask(SIG_BLOCK, &signals, &old) == 0 else { return write() }
    let count = write()
    let code = errno
    // The signal waits for this thread, which has made it.
    if count < 0, code == EFBIG, sigismember(&old, SIGXFSZ) == 0, sigpending(&pending) == 0,
      sigismember(&pending, SIGXFSZ) == 1
    {
      var signal: Int32 = 0
      sigwait(&signals, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &old, nil)
    errno = code
    return count
  }
}

extension LogFile {
  /// Writes a file that appears under its name when it is complete; until then an older file of this name stays.
  ///
  /// This runs in apps, so unlike `AtomicFile`, with which commands write, it registers nothing that a signal handler would
  /// remove, and it has all bytes at once. Its bytes are on the disk before the file appears, because apps are killed.
  ///
  /// - Parameters:
  ///   - path: The name.
  ///   - bytes: All bytes of the file.
  /// - Throws: `LogWriteError`; then there is no new file.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(LogWriteError) {
    let url = URL(fileURLWithPath: path)
    let temporary =
      url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)").path
    do {
      var file = try LogFile(creating: temporary, isNumbered: false, isSynced: true)
      try file.append(bytes)
    } catch {
      unlink(temporary)
      throw LogWriteError(path: path, code: error.code)
    }
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw LogWriteError(path: path, code: code)
    }
  }
}

/// The system's refusal to create a log or to append to it.
///
/// ```swift
/// do { try recorder.export(to: reportURL) } catch let error as LogWriteError {
///   print(error)  // cannot write the log /reports/1.jsonl: No space left on device
/// }
/// ```
public struct LogWriteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The system's error number.
  public let code: Int32
  /// Whether something else deleted or truncated the file, so that nothing can be added to it.
  ///
  /// ```swift
  /// if error.isLost { print("something else deleted \(error.path)") }
  /// ```
  public let isLost: Bool

  package init(path: String, code: Int32, isLost: Bool = false) {
    self.path = path
    self.code = code
    self.isLost = isLost
  }

  /// The system's reason.
  package var reason: String {
    isLost ? "something else deleted or changed the file" : String(cString: strerror(code))
  }

  /// Whether the file is there, and the disk or a limit does not take more of it.
  package var isOfDisk: Bool { [ENOSPC, EDQUOT, EFBIG, EIO].contains(code) }

  /// The file and the system's reason.
  public var description: String { "cannot write the log \(path): \(reason)" }
}

/// The system calls that write logs, so that a test can see their order and make them fail.
package struct SystemCalls: Sendable {
  /// Creates a new file for appending.
  package var create: @Sendable (_ path: String) -> Int32 = { path in
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
  }
  /// Writes bytes.
  package var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = {
    Foundation.write($0, $1.baseAddress, $1.count)
  }
  /// Truncates a file.
  package var truncate: @Sendable (_ file: Int32, _ length: off_t) -> Int32 = { ftruncate($0, $1) }
  /// Returns when all bytes of a file are on the disk.
  package var sync: @Sendable (_ file: Int32) -> Int32 = { file in
    #if canImport(Darwin)
    // Where `fsync` leaves data in the drive's cache.
    let result = fcntl(file, F_FULLFSYNC)
    return result < 0 ? fsync(file) : result
    #else
    fdatasync(file)
    #endif
  }
  /// Returns when the names in a folder are on the disk.
  package var syncFolder: @Sendable (_ path: String) -> Int32 = { path in
    let folder = open(path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return folder }
    defer { Foundation.close(folder) }
    return fsync(folder)
  }
  /// The length of an open file; `nil` when it has no name any more.
  package var length: @Sendable (_ file: Int32) -> off_t? = { file in
    var status = stat()
    // If the system does not answer, the file counts as unchanged.
    guard fstat(file, &status) == 0 else { return 0 }
    return status.st_nlink > 0 ? status.st_size : nil
  }

  /// The system's own calls.
  package init() {}
}
