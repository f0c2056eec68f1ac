import Foundation

/// The Swift files of an app, found by the module and the file name in a log.
///
/// ```swift
/// var files = SourceFiles(folders: ["/app"])
/// files.locations(of: "AppFeature/Todos.swift:126").first?.path  // /app/Sources/AppFeature/Todos.swift
/// ```
package struct SourceFiles {
  /// A line in a file.
  package struct Location: Equatable {
    /// The absolute path of the file.
    package let path: String
    package let line: Int
  }

  private let folders: [String]
  /// The paths by file name; `nil` until the first search.
  private var files: [String: [String]]?

  /// The maximum number of files and folders to scan.
  ///
  /// A larger folder is not a package.
  private static let maximumEntries = 200_000
  /// The largest line number that a source location may have.
  private static let maximumLine = 1_000_000_000
  /// Folders without sources of the app itself.
  private static let skipped: Set = ["node_modules", "DerivedData", "Carthage", "Pods"]

  /// Creates a search below folders.
  ///
  /// Hidden folders, such as those of builds, are skipped.
  package init(folders: [String]) { self.folders = folders }

  /// Returns the places that a source location such as `AppFeature/Todos.swift:126` may mean.
  ///
  /// Files below a folder with the module's name are preferred, because a module usually has one.
  ///
  /// - Parameter source: The source location in a log.
  /// - Returns: The locations, the one with the shortest path first; none if no file has this name.
  package mutating func locations(of source: String) -> [Location] {
    guard let colon = source.lastIndex(of: ":"),
      let line = Int(source[source.index(after: colon)...]), (1...Self.maximumLine).contains(line)
    else { return [] }
    let parts = source[..<colon].split(separator: "/")
    guard let name = parts.last else { return [] }
    if files == nil { files = Self.files(in: folders) }
    let candidates = files?[String(name)] ?? []
    let ownModule = candidates.filter { path in
      parts.dropLast().last.map { path.contains("/\($0)/") } ?? false
    }
    return (ownModule.isEmpty ? candidates : ownModule).map { Location(path: $0, line: line) }
  }

  private static func files(in folders: [String]) -> [String: [String]] {
    var files: [String: [String]] = [:]
    var count = 0
    for folder in folders {
      let walk = FileManager.default.enumerator(
        at: URL(fileURLWithPath: folder),
        includingPropertiesForKeys: nil,
        options: [.skipsHiddenFiles, .skipsPackageDescendants]
      )
      while count < maximumEntries, let file = walk?.nextObject() as? URL {
        count += 1
        if skipped.contains(file.lastPathComponent) { walk?.skipDescendants() }
        guard file.pathExtension == "swift" else { continue }
        files[file.lastPathComponent, default: []].append(file.standardizedFileURL.path)
      }
    }
    // Sorted, so that the result does not depend on the order of the file system.
    return files.mapValues { $0.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) } }
  }
}
