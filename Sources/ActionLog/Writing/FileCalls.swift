import Foundation

/// The calls of the system by which logs are written, so that a test can see their order and make them fail.
package struct FileCalls: Sendable {
  /// Creates a file that is not there yet, for appending.
  package var create: @Sendable (_ path: String) -> Int32 = { path in
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
  }
  /// Writes bytes.
  package var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = {
    #if canImport(Darwin)
    Darwin.write($0, $1.baseAddress, $1.count)
    #else
    Glibc.write($0, $1.baseAddress, $1.count)
    #endif
  }
  /// Cuts a file.
  package var truncate: @Sendable (_ file: Int32, _ length: off_t) -> Int32 = { ftruncate($0, $1) }
  /// Returns when all that was written to a file is on the disk.
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
  /// The length of an open file; `nil` when no name leads to it any more.
  package var length: @Sendable (_ file: Int32) -> off_t? = { file in
    var status = stat()
    // What cannot be asked is taken for well.
    guard fstat(file, &status) == 0 else { return 0 }
    return status.st_nlink > 0 ? status.st_size : nil
  }

  /// The system's own calls.
  package init() {}
}
