import Foundation

/// The Swift files of a package, found by the module and file name in a log.
struct SourceFiles {
  private let folder: String
  /// The paths by file name, relative to the folder.
  ///
  /// `nil` until the first lookup.
  private var files: [String: [String]]?

  /// The maximum number of files to scan.
  ///
  /// The search stops in a larger tree.
  private static let most = 100_000

  /// Creates a search below a folder.
  ///
  /// Hidden folders, such as those of builds, are skipped.
  init(in folder: String) { self.folder = folder }

  /// Finds the file and line of a source location such as `AppFeature/Todos.swift:126`.
  ///
  /// Returns `nil` unless exactly one file matches.
  mutating func find(_ place: String) -> (file: String, line: Int)? {
    let parts = place.split(separator: ":")
    guard parts.count == 2, let line = Int(parts[1]) else { return nil }
    let names = parts[0].split(separator: "/")
    guard let module = names.first, let name = names.last, names.count > 1 else { return nil }
    let found = all()[String(name)] ?? []
    let ofModule = found.filter { $0.split(separator: "/").dropLast().contains(module) }
    let candidates = ofModule.isEmpty ? found : ofModule
    return candidates.count == 1 ? (candidates[0], line) : nil
  }

  private mutating func all() -> [String: [String]] {
    if let files { return files }
    var found: [String: [String]] = [:]
    let root = URL(filePath: folder, directoryHint: .isDirectory)
    let walk = FileManager.default.enumerator(
      at: root,
      includingPropertiesForKeys: nil,
      options: [.skipsHiddenFiles, .skipsPackageDescendants]
    )
    let depth = root.standardizedFileURL.pathComponents.count
    var number = 0
    while number < Self.most, let file = walk?.nextObject() as? URL {
      number += 1
      guard file.pathExtension == "swift" else { continue }
      let path = file.standardizedFileURL.pathComponents.dropFirst(depth).joined(separator: "/")
      found[file.lastPathComponent, default: []].append(path)
    }
    files = found
    return found
  }
}
