import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The folders from which logs are read, and the folder for results.
///
/// A name resolves to a file in these folders, after all links are followed, or to no file.
struct LogFolders: Sendable {
  /// A folder.
  struct Folder: Sendable, Equatable {
    /// The prefix of the names of its logs; empty if there is no other folder.
    var name: String
    /// The path without links.
    let path: String

    /// Returns the path relative to the folder; `nil` for a path outside of it.
    func relativePath(_ path: String) -> String? {
      let base = self.path == "/" ? "/" : self.path + "/"
      return path.hasPrefix(base) ? String(path.dropFirst(base.count)) : nil
    }
  }

  private let folders: [Folder]
  /// The folder for results; `nil` if no files may be written.
  let output: Folder?

  /// Opens the folders.
  ///
  /// - Parameters:
  ///   - paths: The folders with logs.
  ///   - output: The folder for results, which is created if it does not exist.
  ///   - base: The folder for relative paths.
  /// - Throws: `LogReadError` for a path that is not a folder, `StreamError` if the folder for results cannot be
  ///   created.
  init(_ paths: [String], output: String?, base: String) throws {
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(base)/\(path)" }
    var folders: [Folder] = []
    for path in paths {
      guard let real = Self.realPath(absolute(path)), FileSystemItemKind(real) == .folder else {
        throw LogReadError.noSuchFile(path)
      }
      if !folders.contains(where: { $0.path == real }) {
        folders.append(Folder(name: URL(fileURLWithPath: real).lastPathComponent, path: real))
      }
    }
    if folders.count == 1 { folders[0].name = "" }
    for index in folders.indices {
      folders[index].name = Self.unused(folders[index].name, in: folders[..<index])
    }
    var outputFolder: Folder?
    if let output {
      let path = absolute(output)
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } catch {
        throw StreamError(creating: output, error, otherwise: EIO)
      }
      guard let real = Self.realPath(path), FileSystemItemKind(real) == .folder else {
        throw StreamError(name: output, code: ENOTDIR, isCreation: true)
      }
      let isRead = folders.contains { $0.path == real || $0.relativePath(real) != nil }
      let folder = Folder(name: Self.unused("output", in: folders[...]), path: real)
      if !isRead { folders.append(folder) }
      outputFolder = folder
    }
    (self.folders, self.output) = (folders, outputFolder)
  }

  /// Returns the name, with a number if an earlier folder or a file in an unnamed one has the same name.
  private static func unused(_ name: String, in folders: ArraySlice<Folder>) -> String {
    guard !name.isEmpty else { return name }
    var (free, number) = (name, 1)
    while folders.contains(where: { folder in
      folder.name == free
        || folder.name.isEmpty && FileSystemItemKind("\(folder.path)/\(free)") != .none
    }) {
      number += 1
      free = "\(name)-\(number)"
    }
    return free
  }

  private static func realPath(_ path: String) -> String? {
    guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

// MARK: - Names

extension LogFolders {
  private static let suffix = ".jsonl"

  /// Returns the name of a file; `nil` for a file outside the folders.
  func name(of path: String) -> String? {
    for folder in folders {
      guard let rest = folder.relativePath(path) else { continue }
      return folder.name.isEmpty ? rest : "\(folder.name)/\(rest)"
    }
    return nil
  }

  /// Returns the path of a log's file.
  ///
  /// - Parameter name: The name from `list_logs`, or a path.
  /// - Returns: The path without links.
  /// - Throws: `ToolError`.
  func path(of name: String) throws(ToolError) -> String {
    for candidate in candidates(name) {
      guard let path = Self.realPath(candidate) else { continue }
      guard let real = self.name(of: path) else { throw .outsideOfFolders(name) }
      let parts = real.split(separator: "/")
      guard path.hasSuffix(Self.suffix), !parts.contains(where: { $0.hasPrefix(".") }),
        case .file = FileSystemItemKind(path)
      else { throw .notALog(name) }
      return path
    }
    let names = listing().map(\.name)
    throw .noSuchLog(name, Wording.suggestion(for: name, among: names))
  }

  private func candidates(_ name: String) -> [String] {
    if name.hasPrefix("/") { return [name] }
    return folders.compactMap { folder in
      if folder.name.isEmpty { return "\(folder.path)/\(name)" }
      guard name.hasPrefix(folder.name + "/") else { return nil }
      return "\(folder.path)/\(name.dropFirst(folder.name.count + 1))"
    }
  }

  /// A file with logs.
  struct ListedFile: Sendable {
    let name: String
    let path: String
    let bytes: Int
  }

  /// Returns the files with logs in all folders by name.
  func listing() -> [ListedFile] {
    var found: [ListedFile] = []
    for folder in folders {
      guard let entries = try? LogFileFinder.entries(of: folder.path) else { continue }
      for case .file(let path, _) in entries {
        // A link may lead to a file outside the folder.
        guard let real = Self.realPath(path), self.name(of: real) != nil,
          let rest = folder.relativePath(path), case .file = FileSystemItemKind(real),
          let trace = FileMetadata(real)
        else { continue }
        let name = folder.name.isEmpty ? rest : "\(folder.name)/\(rest)"
        found.append(ListedFile(name: name, path: real, bytes: trace.size))
      }
    }
    return found
  }
}

// MARK: - Results

extension LogFolders {
  /// Returns an unused name for a new file in the folder for results.
  ///
  /// No file is ever replaced. A number makes the name unique.
  ///
  /// - Parameters:
  ///   - log: The name of the log to which the result belongs.
  ///   - suffix: A suffix for the name, such as `-minimal.jsonl`.
  /// - Returns: The path of the file, and its name for tools.
  /// - Throws: `ToolError.noOutput`.
  func newFile(for log: String, _ suffix: String) throws(ToolError) -> (path: String, name: String)
  {
    guard let output else { throw .noOutput }
    let last = log.split(separator: "/").last.map(String.init) ?? "log"
    let stem = last.hasSuffix(Self.suffix) ? String(last.dropLast(Self.suffix.count)) : last
    let safe = String(stem.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "-" })
    let parts = suffix.split(separator: ".", maxSplits: 1)
    let (ending, kind) = (parts.first ?? "", parts.count > 1 ? ".\(parts[1])" : "")
    var number = 1
    while true {
      let count = number == 1 ? "" : "-\(number)"
      let file = "\(safe.prefix(Self.longestStem))\(ending)\(count)\(kind)"
      let path = "\(output.path)/\(file)"
      var status = stat()
      if lstat(path, &status) != 0 { return (path, name(of: path) ?? file) }
      number += 1
    }
  }

  /// The maximum number of characters of a name.
  ///
  /// Systems limit names to 255 bytes.
  private static let longestStem = 50
}
