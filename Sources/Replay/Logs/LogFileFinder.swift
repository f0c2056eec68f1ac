import ActionLog
import Foundation

/// Functions that find the log files that a path names.
package enum LogFileFinder {
  /// A file with its name for messages, or the error of a folder that can't be read.
  package enum LogFileEntry: Sendable {
    case file(path: String, name: String)
    case failure(name: String, any Error)
  }

  /// Returns the file at a path, or the `*.jsonl` files in a folder and its subfolders, sorted by name.
  ///
  /// - Throws: `LogReadError` if the path does not exist, `ReplayError.noLogs` for a folder without logs.
  package static func entries(of path: String) throws -> LogFileList {
    switch FileSystemItemKind(path) {
    case .none: throw LogReadError.noSuchFile(path)
    case .file, .stream: return LogFileList(.file(path: path, name: path))
    case .folder:
      let found = try entries(in: path)
      if found.isEmpty { throw ReplayError.noLogs(folder: path) }
      return found
    }
  }

  /// Returns the logs in a folder and its subfolders, and the folders that can't be read.
  ///
  /// Hidden folders are skipped, because they contain builds and version histories.
  private static func entries(in folder: String) throws(LogReadError) -> LogFileList {
    try checkAccess(folder)
    // If the named folder is a link, it is followed. Links to folders inside it are not, because they may form a loop.
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    var files = LogFileList()
    let names = FileManager.default.enumerator(atPath: root)
    while let name = names?.nextObject() as? String {
      guard !name.hasPrefix("."), !name.contains("/.") else { continue }
      let path = base + name
      switch FileSystemItemKind(path) {
      case .folder:
        do throws(LogReadError) { try checkAccess(path) } catch {
          files.append(.failure(name: path, error))
        }
      case .stream: break
      // A broken link is included, so that reading it reports an error.
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
