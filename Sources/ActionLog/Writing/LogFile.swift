import Foundation

/// A file to which complete lines are appended.
///
/// When `append` returns, the kernel has received them.
///
/// The bytes survive the end of the process for any reason. A line that doesn't fit on the disk is removed, so that the
/// file holds only complete lines.
package struct LogFile: ~Copyable, Sendable {
  package let path: String
  private let calls: SystemCalls
  private let isSynced: Bool
  private let descriptor: Int32
  private let hasSizeLimit: Bool
  private var length: off_t = 0

  /// Creates a file, possibly under a numbered name: `name-2.jsonl`, `name-3.jsonl` and so on.
  ///
  /// Existing logs are never changed.
  ///
  /// - Parameters:
  ///   - path: The first path to try.
  ///   - isNumbered: Whether other names are tried. If not, an existing file is an error.
  ///   - isSynced: Whether each call waits until the bytes and the file's name are on the disk.
  ///   - calls: The system calls.
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
        // The lock shows a process that deletes old logs that the file is in use. Some file systems don't support
        // locks.
        flock(descriptor, LOCK_SH | LOCK_NB)
        return (candidate, descriptor)
      }
      guard isNumbered, errno == EEXIST, number < maximumNumber else {
        throw LogWriteError(path: candidate, code: errno)
      }
      number += 1
    }
  }

  /// The maximum number of a log.
  ///
  /// After that, the search for a free name fails.
  private static let maximumNumber = 100_000

  deinit {
    // A child process that is being started has the descriptor, too, until it executes its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Appends complete lines.
  ///
  /// - Parameters:
  ///   - bytes: The lines.
  ///   - isChecked: Whether to check first if the file was deleted or changed. The check takes half as long as the
  ///     write.
  /// - Throws: `LogWriteError`. The file then has none of the bytes.
  package mutating func append(_ bytes: [UInt8], isChecked: Bool = true) throws(LogWriteError) {
    // Lines after a gap, or in a deleted file, would be lost.
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

  /// Removes a partial write, and returns the error.
  ///
  /// A partial line would make the next one unreadable.
  private func takingBack(_ count: Int, after code: Int32) -> LogWriteError {
    let isLost = count > 0 && calls.truncate(descriptor, length) < 0
    return LogWriteError(path: path, code: code, isLost: isLost)
  }
}

/// The limit for file sizes, as set by `ulimit -f`.
///
/// A write beyond it raises SIGXFSZ, which ends the process.
private enum FileSizeLimit {
  static var isSet: Bool {
    var limit = rlimit()
    #if canImport(Darwin)
    let code = getrlimit(RLIMIT_FSIZE, &limit)
    #else
    let code = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
    // The value for no limit is the largest number, regardless of the type's signedness.
    return code == 0 && limit.rlim_cur < rlim_t.max >> 1
  }

  /// Runs a write with the signal blocked, so that exceeding the limit results only in an error.
  static func withoutSignal(_ write: () -> Int) -> Int {
    var (signals, old, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    guard pthread_sigmask(SIG_BLOCK, &signals, &old) == 0 else { return write() }
    let count = write()
    let code = errno
    // The signal is pending for this thread, which caused it, and is consumed here.
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
  /// Writes a file that replaces an older one when it is complete.
  ///
  /// This function runs in apps. In contrast to `AtomicFile`, which commands use, it registers no file for a signal
  /// handler to remove, and it receives all bytes at once. The bytes are on the disk before the file appears, because
  /// apps can be killed.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - bytes: All bytes of the file.
  /// - Throws: `LogWriteError`. The old file then stays.
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

/// The system calls that write logs.
///
/// Tests replace them to check their order and to simulate failures.
package struct SystemCalls: Sendable {
  /// Creates a new file for appending.
  package var create: @Sendable (_ path: String) -> Int32 = { path in
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
  }
  package var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = {
    Foundation.write($0, $1.baseAddress, $1.count)
  }
  package var truncate: @Sendable (_ file: Int32, _ length: off_t) -> Int32 = { ftruncate($0, $1) }
  /// Waits until all bytes of a file are on the disk.
  package var sync: @Sendable (_ file: Int32) -> Int32 = { file in
    #if canImport(Darwin)
    // On Apple's systems, `fsync` can leave data in the drive's cache.
    let result = fcntl(file, F_FULLFSYNC)
    return result < 0 ? fsync(file) : result
    #else
    fdatasync(file)
    #endif
  }
  /// Waits until the names in a folder are on the disk.
  package var syncFolder: @Sendable (_ path: String) -> Int32 = { path in
    let folder = open(path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return folder }
    defer { Foundation.close(folder) }
    return fsync(folder)
  }
  /// Returns the length of an open file, or `nil` if it was deleted.
  package var length: @Sendable (_ file: Int32) -> off_t? = { file in
    var status = stat()
    // If the system call fails, the file counts as unchanged.
    guard fstat(file, &status) == 0 else { return 0 }
    return status.st_nlink > 0 ? status.st_size : nil
  }

  package init() {}
}
