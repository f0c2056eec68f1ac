import Foundation

/// What stands under a name.
enum FileKind: Equatable {
  /// Nothing that can be seen.
  case none
  case folder
  /// A file that can be read at any place, and may be read again.
  case file(rights: mode_t)
  /// A pipe, a socket or a device.
  case stream

  /// Looks at what stands under a name, or where the link under it leads.
  init(_ path: String) {
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

  /// The rights of a file.
  var rights: mode_t? {
    if case .file(let rights) = self { rights } else { nil }
  }
}
