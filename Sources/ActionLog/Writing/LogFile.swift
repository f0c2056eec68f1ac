import Foundation

/// A file to which complete lines are appended.
///
/// When `append` returns, the kernel has the lines, so they survive if the process ends for any reason. A line that
/// doesn't fit on the disk is removed, so that the file contains only complete lines.
package struct LogFile: ~Copyable, Sendable {
  package let path: String
  private let calls: SystemCalls
  private let isSynced: Bool
  private let descriptor: Int32
  private let hasSizeLimit: Bool
  private var length: off_t = 0

  /// Creates a file, possibly with a numbered name: `name-2.jsonl`, `name-3.jsonl`, and so on.
  ///
  /// Existing logs are never changed.
  ///
  /// - Parameters:
  ///   - path: The first path to try.
  ///   - isNumbered: Whether to try numbered names if the file exists. If `false`, an existing file is an error.
  ///   - isSynced: Whether each call waits until the bytes and the file's name are on the disk.
  ///   - calls: The system calls to use, which tests replace.
  /// - Throws: A `LogWriteError` if the system can't create the file.
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
    hasSizeLimit = FileSizeResourceLimit.isSet
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
        // The lock shows that the file is in use to processes that delete old logs. Some file systems don't support
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

  /// The maximum number in the name of a log.
  ///
  /// The search for a free name fails after this number.
  private static let maximumNumber = 100_000

  deinit { FileLock.releaseAndClose(descriptor) }

  /// Appends complete lines to the file.
  ///
  /// - Parameters:
  ///   - bytes: The lines in UTF-8, with line feeds.
  ///   - isChecked: Whether to check first if other code has deleted or changed the file. The check takes half as long
  ///     as the write.
  /// - Throws: A `LogWriteError` if the write fails. The file then contains none of the bytes, unless the error's
  ///   `isLost` is `true`.
  package mutating func append(_ bytes: [UInt8], isChecked: Bool = true) throws(LogWriteError) {
    // Lines that are appended after a gap, or to a deleted file, would be lost.
    guard !isChecked || calls.length(descriptor) == length else {
      throw LogWriteError(path: path, code: ENOENT, isLost: true)
    }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        let rest = UnsafeRawBufferPointer(rebasing: $0[written...])
        guard hasSizeLimit else { return calls.write(descriptor, rest) }
        return FileSizeResourceLimit.withoutSignal { calls.write(descriptor, rest) }
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

  /// Removes a partial write, and returns the error that caused it.
  ///
  /// After a partial line, the next line would be unreadable.
  private func takingBack(_ count: Int, after code: Int32) -> LogWriteError {
    let isLost = count > 0 && calls.truncate(descriptor, length) < 0
    return LogWriteError(path: path, code: code, isLost: isLost)
  }
}

/// The limit for file sizes, which `ulimit -f` sets.
///
/// A write beyond the limit raises SIGXFSZ, which ends the process.
private enum FileSizeResourceLimit {
  static var isSet: Bool {
    var limit = rlimit()
    #if canImport(Darwin)
    let code = getrlimit(RLIMIT_FSIZE, &limit)
    #else
    let code = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
    // The value for "no limit" is the largest number, regardless of the type's signedness.
    return code == 0 && limit.rlim_cur < rlim_t.max >> 1
  }

  /// Runs a write with SIGXFSZ blocked, so that exceeding the limit results only in an error.
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
  /// Writes a file, and replaces an older file at the path only after the new one is complete.
  ///
  /// This function runs in apps. In contrast to `AtomicFile`, which commands use, it registers no file for a signal
  /// handler to remove, and it receives all bytes at once. Apps can be killed, so the bytes are on the disk before the
  /// file appears.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - bytes: The contents of the file.
  /// - Throws: A `LogWriteError` if the system can't write the file. The older file then stays unchanged.
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
  /// Creates a new file for appending, and returns its descriptor, or -1 if the call fails.
  package var create: @Sendable (_ path: String) -> Int32 = { path in
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
  }
  package var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = {
    Foundation.write($0, $1.baseAddress, $1.count)
  }
  package var truncate: @Sendable (_ file: Int32, _ length: off_t) -> Int32 = { ftruncate($0, $1) }
  /// Waits until all bytes of an open file are on the disk.
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
    // If `fstat` fails, the length counts as 0, so that a file with contents is reported as lost.
    guard fstat(file, &status) == 0 else { return 0 }
    return status.st_nlink > 0 ? status.st_size : nil
  }

  package init() {}
}
