import Foundation

/// A search for the files of an app's sources.
///
/// A log names them by module and file: `SampleFeatures/Todos.swift:126`.
struct SourceFiles {
  /// A line in a file.
  struct SourceLine: Equatable {
    let path: String
    let line: Int
  }

  /// The folders to search.
  private let folders: [String]
  /// The paths by file name.
  ///
  /// `nil` until the first search.
  private var files: [String: [String]]?

  /// The maximum number of files and folders.
  ///
  /// A larger folder is not a package.
  private static let mostEntries = 200_000
  /// Folders without sources of the app itself.
  private static let skipped: Set = ["node_modules", "DerivedData", "Carthage", "Pods"]

  init(folders: [String]) { self.folders = folders }

  /// The paths that searches have found so far.
  private(set) var found: Set<String> = []

  /// Returns the file and line of a source location in a log, or `nil` if there is no such file.
  mutating func location(_ source: String) -> SourceLine? {
    guard let colon = source.lastIndex(of: ":"),
      let line = Int(source[source.index(after: colon)...]),
      (1...1_000_000_000).contains(line)
    else { return nil }
    let parts = source[..<colon].split(separator: "/")
    guard let name = parts.last else { return nil }
    if files == nil { files = Self.files(in: folders) }
    let candidates = files?[String(name)] ?? []
    // A module usually has a folder with its name.
    let module = parts.dropLast().last.map { "/\($0)/" }
    let ownModule = candidates.filter { path in module.map { path.contains($0) } ?? false }
    guard let path = ownModule.first ?? candidates.first else { return nil }
    found.insert(path)
    return SourceLine(path: path, line: line)
  }

  private static func files(in folders: [String]) -> [String: [String]] {
    var files: [String: [String]] = [:]
    var count = 0
    for folder in folders {
      let url = URL(fileURLWithPath: folder)
      let walk = FileManager.default.enumerator(
        at: url,
        includingPropertiesForKeys: nil,
        options: [.skipsHiddenFiles, .skipsPackageDescendants]
      )
      while count < mostEntries, let file = walk?.nextObject() as? URL {
        count += 1
        if skipped.contains(file.lastPathComponent) { walk?.skipDescendants() }
        guard file.pathExtension == "swift" else { continue }
        files[file.lastPathComponent, default: []].append(file.path)
      }
    }
    // Sorted, so that the result does not depend on the order of the file system.
    return files.mapValues { $0.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) } }
  }
}
