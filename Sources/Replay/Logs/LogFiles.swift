import ActionLog
import Foundation

/// The files with logs that a path names.
package enum LogFiles {
  /// A file with its name for messages, or why there is none.
  package enum Entry: Sendable {
    case file(path: String, name: String)
    case failure(name: String, any Error)
  }

  /// The file of a path, or the `*.jsonl` files of a folder and the folders within it, by name.
  ///
  /// - Throws: `LogReadError` when there is nothing, `ReplayError.noLogs` for a folder without logs.
  package static func entries(of path: String) throws -> [Entry] {
    switch FileKind(path) {
    case .none: throw LogReadError.noSuchFile(path)
    case .file, .stream: return [.file(path: path, name: path)]
    case .folder:
      let found = try entries(in: path)
      if found.isEmpty { throw ReplayError.noLogs(folder: path) }
      return found
    }
  }

  /// The logs in a folder and the folders within it, and the folders that cannot be looked into; what is hidden is left out,
  /// for there lie builds and the histories of versions.
  private static func entries(in folder: String) throws(LogReadError) -> [Entry] {
    try checkAccess(folder)
    // A link to a folder that somebody names is that folder; those within it are not followed, for they may go in circles.
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return names.sorted().compactMap { name in
      guard !name.hasPrefix("."), !name.contains("/.") else { return nil }
      let path = base + name
      switch FileKind(path) {
      case .folder:
        do throws(LogReadError) { try checkAccess(path) } catch {
          return .failure(name: path, error)
        }
        return nil
      case .stream: return nil
      // A link that leads nowhere is met where it is read.
      case .file, .none: return name.hasSuffix(".jsonl") ? .file(path: path, name: path) : nil
      }
    }
  }

  private static func checkAccess(_ folder: String) throws(LogReadError) {
    guard access(folder, R_OK | X_OK) == 0 else { throw .system(path: folder, code: errno) }
  }
}

/// What stands under a name.
package enum FileKind: Equatable {
  /// Nothing that can be seen.
  case none
  case folder
  /// A file that can be read at any place, and may be read again.
  case file(rights: mode_t)
  /// A pipe, a socket or a device.
  case stream

  /// Looks at what stands under a name, or where the link under it leads.
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
