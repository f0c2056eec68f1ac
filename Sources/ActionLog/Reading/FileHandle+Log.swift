import Foundation

extension FileHandle {
  /// Opens a file, or anything else that can be read; it is closed with the handle.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - offset: The byte from which it is read.
  /// - Throws: `LogReadError` when the system refuses.
  package convenience init(readingLog path: String, from offset: Int = 0) throws(LogReadError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noSuchFile(path) : .system(path: path, code: errno)
    }
    // What has no places, a pipe, is read from where it stands.
    if offset > 0 { lseek(descriptor, off_t(offset), SEEK_SET) }
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
