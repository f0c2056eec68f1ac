import ActionLog
import Foundation

/// The kind of file at a path.
package enum FileSystemItemKind: Equatable {
  /// The path leads to no file that this process can see.
  case none
  case folder
  /// A regular file with its permissions, which supports random access and repeated reads.
  case file(rights: mode_t)
  /// A pipe, a socket, or a device.
  case stream

  /// Determines the kind of the file at a path, following links.
  package init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .none
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file(rights: status.st_mode & 0o7777)
    case S_IFDIR: self = .folder
    default: self = .stream
    }
  }

  /// The permissions of a regular file, or `nil` for other kinds.
  package var rights: mode_t? {
    if case .file(let rights) = self { rights } else { nil }
  }
}
