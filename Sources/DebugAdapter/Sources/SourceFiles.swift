import Foundation

/// Finds the files of an app's sources, which a log names by module and file: `SampleFeatures/Todos.swift:126`.
struct SourceFiles {
  /// A line in a file.
  struct SourceLine: Equatable {
    let path: String
    let line: Int
  }

  /// The folders in which files are looked for.
  private let folders: [String]
  /// The files by their names, once a file was looked for.
  private var files: [String: [String]]?

  /// Files and folders: a folder that has more is not a package.
  private static let mostEntries = 200_000
  /// Folders that have no sources of the app's own.
  private static let skipped: Set = ["node_modules", "DerivedData", "Carthage", "Pods"]

  init(folders: [String]) { self.folders = folders }

  /// The files that were found for places so far.
  private(set) var found: Set<String> = []

  /// The file and line of a place as logs have it; `nil` when there is no such file.
  mutating func location(_ source: String) -> SourceLine? {
    guard let colon = source.lastIndex(of: ":"),
      let line = Int(source[source.index(after: colon)...]),
      (1...1_000_000_000).contains(line)
    else { return nil }
    let parts = source[..<colon].split(separator: "/")
    guard let name = parts.last else { return nil }
    if files == nil { files = Self.files(in: folders) }
    let candidates = files?[String(name)] ?? []
    // A module most often has a folder of its name.
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
    // The same file is found whatever order the system has.
    return files.mapValues { $0.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) } }
  }
}
