import Foundation

/// An error that the system reports when a log is created or appended to.
///
/// ```swift
/// do { try recorder.export(to: reportURL) } catch let error as LogWriteError {
///   print(error)  // cannot write the log /reports/1.jsonl: No space left on device
/// }
/// ```
public struct LogWriteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file that could not be written.
  public let path: String
  /// The system's error number, a value of `errno`: `ENOENT` if other code has deleted or changed the file.
  public let code: Int32
  /// Whether other code has deleted or changed the file, or a partial line could not be removed from it.
  ///
  /// In both cases, appending is impossible.
  ///
  /// ```swift
  /// if error.isLost { print("nothing more can be written to \(error.path)") }
  /// ```
  public let isLost: Bool

  package init(path: String, code: Int32, isLost: Bool = false) {
    self.path = path
    self.code = code
    self.isLost = isLost
  }

  /// The system's description of the error, and why appending is impossible after it.
  package var reason: String {
    guard isLost else { return systemReason }
    // No system call failed if other code deleted or changed the file.
    return code == ENOENT
      ? "something else deleted or changed the file"
      : "\(systemReason), and the partial line could not be removed"
  }

  private var systemReason: String { String(cString: strerror(code)) }

  /// Whether the disk, a quota, or a size limit prevents the write.
  package var isOfDisk: Bool { [ENOSPC, EDQUOT, EFBIG, EIO].contains(code) }

  /// The path of the file and the system's description of the error, as text for people.
  public var description: String { "cannot write the log \(path): \(reason)" }
}
