import Foundation

/// The metadata that the system has about a file.
///
/// By comparing two traces of a path, a reader finds out whether the file was replaced and whether it was written to.
package struct FileMetadata: Hashable, Sendable {
  /// The identity of a file (device and inode).
  ///
  /// The system can reuse the identity after the file is deleted.
  package struct Identity: Hashable, Sendable, CustomStringConvertible {
    private let device: UInt64
    private let number: UInt64

    package var description: String { "\(device)-\(number)" }

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  package let identity: Identity
  /// The size of the file in bytes.
  package let size: Int
  /// The time of the last modification in nanoseconds since 1970.
  package let modified: Int

  /// Reads the trace of the file at a path, following links, or returns `nil` if the file does not exist.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the trace of an open file, or returns `nil` on a system error.
  init?(_ file: FileHandle) {
    var status = stat()
    guard fstat(file.fileDescriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = Identity(status)
    size = Int(status.st_size)
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    modified = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}
