import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The folders from which logs are read, and the one to which results are written.
///
/// A name leads to a file within these folders, whatever links there are on the way, or to nothing.
struct LogFolders: Sendable {
  /// A folder.
  struct Folder: Sendable, Equatable {
    /// Its name before the names of its logs; empty where there is no other folder.
    var name: String
    /// Its path without links.
    let path: String

    /// The path within the folder; `nil` for a path outside of it.
    func relativePath(_ path: String) -> String? {
      let base = self.path == "/" ? "/" : self.path + "/"
      return path.hasPrefix(base) ? String(path.dropFirst(base.count)) : nil
    }
  }

  private let folders: [Folder]
  /// The folder for results; `nil` when nothing may be written.
  let output: Folder?

  /// - Parameters:
  ///   - paths: The folders with logs.
  ///   - output: The folder for results, which is made when it is not there.
  ///   - base: The folder for relative paths.
  /// - Throws: `LogReadError` for a folder that is none, `StreamError` when the folder for results cannot be made.
  init(_ paths: [String], output: String?, base: String) throws {
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(base)/\(path)" }
    var folders: [Folder] = []
    for path in paths {
      guard let real = Self.realPath(absolute(path)), FileKind(real) == .folder else {
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
      guard let real = Self.realPath(path), FileKind(real) == .folder else {
        throw StreamError(name: output, code: ENOTDIR, isCreation: true)
      }
      let isRead = folders.contains { $0.path == real || $0.relativePath(real) != nil }
      let folder = Folder(name: Self.unused("output", in: folders[...]), path: real)
      if !isRead { folders.append(folder) }
      outputFolder = folder
    }
    (self.folders, self.output) = (folders, outputFolder)
  }

  /// The name, with a number when a folder before it has the name, or something in one that has none.
  private static func unused(_ name: String, in folders: ArraySlice<Folder>) -> String {
    guard !name.isEmpty else { return name }
    var (free, number) = (name, 1)
    while folders.contains(where: { folder in
      folder.name == free || folder.name.isEmpty && FileKind("\(folder.path)/\(free)") != .none
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

  /// The name of a file; `nil` for one outside of the folders.
  func name(of path: String) -> String? {
    for folder in folders {
      guard let rest = folder.relativePath(path) else { continue }
      return folder.name.isEmpty ? rest : "\(folder.name)/\(rest)"
    }
    return nil
  }

  /// The file of a log.
  ///
  /// - Parameter name: The name as `list_logs` has it, or a path.
  /// - Returns: The path without links.
  /// - Throws: `ToolError`.
  func path(of name: String) throws(ToolError) -> String {
    for candidate in candidates(name) {
      guard let path = Self.realPath(candidate) else { continue }
      guard let real = self.name(of: path) else { throw .outsideOfFolders(name) }
      let parts = real.split(separator: "/")
      guard path.hasSuffix(Self.suffix), !parts.contains(where: { $0.hasPrefix(".") }),
        case .file = FileKind(path)
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
  struct Listed: Sendable {
    let name: String
    let path: String
    let bytes: Int
  }

  /// The files with logs in all folders, by their names.
  func listing() -> [Listed] {
    var found: [Listed] = []
    for folder in folders {
      guard let entries = try? LogFiles.entries(of: folder.path) else { continue }
      for case .file(let path, _) in entries {
        // A link may lead out of the folder.
        guard let real = Self.realPath(path), self.name(of: real) != nil,
          let rest = folder.relativePath(path), case .file = FileKind(real),
          let trace = FileTrace(real)
        else { continue }
        let name = folder.name.isEmpty ? rest : "\(folder.name)/\(rest)"
        found.append(Listed(name: name, path: real, bytes: trace.size))
      }
    }
    return found
  }
}

// MARK: - Results

extension LogFolders {
  /// Finds a name for a new file in the folder for results.
  ///
  /// No file is ever replaced: a number makes the name a new one.
  ///
  /// - Parameters:
  ///   - log: The name of the log whose result it is.
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

  /// Characters of a name, which systems limit to 255 bytes.
  private static let longestStem = 50
}
