import ActionLog
import Foundation

/// The files with logs that a path names.
package enum LogFiles {
  /// A file with its name for messages, or the error that takes its place.
  package enum LogFileEntry: Sendable {
    case file(path: String, name: String)
    case failure(name: String, any Error)
  }

  /// The file of a path, or the `*.jsonl` files of a folder and the folders within it, by name.
  ///
  /// - Throws: `LogReadError` when there is nothing, `ReplayError.noLogs` for a folder without logs.
  package static func entries(of path: String) throws -> LogFileList {
    switch FileKind(path) {
    case .none: throw LogReadError.noSuchFile(path)
    case .file, .stream: return LogFileList(.file(path: path, name: path))
    case .folder:
      let found = try entries(in: path)
      if found.isEmpty { throw ReplayError.noLogs(folder: path) }
      return found
    }
  }

  /// The logs in a folder and the folders within it, and the folders that cannot be read.
  ///
  /// Hidden ones are left out, because builds and version histories are kept there.
  private static func entries(in folder: String) throws(LogReadError) -> LogFileList {
    try checkAccess(folder)
    // A named link to a folder is that folder; links within it are not followed, because they may form a loop.
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    var files = LogFileList()
    let names = FileManager.default.enumerator(atPath: root)
    while let name = names?.nextObject() as? String {
      guard !name.hasPrefix("."), !name.contains("/.") else { continue }
      let path = base + name
      switch FileKind(path) {
      case .folder:
        do throws(LogReadError) { try checkAccess(path) } catch {
          files.append(.failure(name: path, error))
        }
      case .stream: break
      // A broken link gives an error when it is read.
      case .file, .none: if name.hasSuffix(".jsonl") { files.append(.file(path: path, name: path)) }
      }
    }
    files.sort()
    return files
  }

  private static func checkAccess(_ folder: String) throws(LogReadError) {
    guard access(folder, R_OK | X_OK) == 0 else { throw .system(path: folder, code: errno) }
  }
}

/// The kind of file that a path leads to.
package enum FileKind: Equatable {
  /// No file that is visible to this process.
  case none
  case folder
  /// A regular file, which can be read at any place and more than once.
  case file(rights: mode_t)
  /// A pipe, a socket or a device.
  case stream

  /// The kind of the file at a path, or of the one to which a link there leads.
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

  /// The rights of a file.
  package var rights: mode_t? {
    if case .file(let rights) = self { rights } else { nil }
  }
}
