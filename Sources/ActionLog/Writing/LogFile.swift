import Foundation

/// A file to which whole lines are appended, each in the kernel's hands when `append` returns.
///
/// What the kernel has survives the process, whatever ends it. A line that does not fit on the disk is taken back, so
/// that the file holds whole lines only.
package struct LogFile: ~Copyable, Sendable {
  /// Where the file is.
  package let path: String
  private let descriptor: Int32
  private var length: off_t = 0

  /// Creates the file, or the first free one of `name-2.jsonl`, `name-3.jsonl` and so on: a log that exists is never
  /// touched.
  package init(creating path: String) throws(LogWriteError) {
    let url = URL(fileURLWithPath: path)
    let stem = url.deletingPathExtension().path
    let suffix = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    var number = 1
    while true {
      let candidate = number == 1 ? path : "\(stem)-\(number)\(suffix)"
      let descriptor = open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
      if descriptor >= 0 {
        self.path = candidate
        self.descriptor = descriptor
        return
      }
      guard errno == EEXIST, number < Self.mostNumbers else {
        throw LogWriteError(path: candidate, code: errno)
      }
      number += 1
    }
  }

  /// How many logs of one name there may be in a folder before the search for a free name gives up.
  private static let mostNumbers = 100_000

  deinit { close(descriptor) }

  /// Appends bytes that are whole lines.
  package mutating func append(_ bytes: [UInt8]) throws(LogWriteError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      if count > 0 {
        written += count
      } else if count < 0, errno == EINTR {
        continue
      } else {
        let code = count < 0 ? errno : ENOSPC
        // Half a line would make the next one unreadable.
        if written > 0 { ftruncate(descriptor, length) }
        throw LogWriteError(path: path, code: code)
      }
    }
    length += off_t(bytes.count)
  }
}

/// The system's refusal to create a log or to append to it.
public struct LogWriteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The system's error number.
  public let code: Int32

  package init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }

  /// The file and what the system said.
  public var description: String {
    "cannot write the log \(path): \(String(cString: strerror(code)))"
  }
}
