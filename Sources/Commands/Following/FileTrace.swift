import Foundation

/// What the system tells about a file without reading it.
///
/// Two traces of a path say whether it is another file by now, and whether something was written to it.
package struct FileTrace: Hashable, Sendable {
  /// The number of a file, which no other file has as long as it is there.
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
  /// The size in bytes.
  package let size: Int
  /// When it was written last, in nanoseconds since 1970.
  package let modified: Int

  /// The trace of the file at a path, or of the one to which a link there leads; `nil` when there is none.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The trace of an open file.
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
