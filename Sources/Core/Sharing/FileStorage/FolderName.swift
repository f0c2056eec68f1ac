import Foundation

/// Names of files that are the same on every machine.
enum FolderName {
  /// The path of a file, with the folders that differ from user to user by their names.
  static func shortened(_ url: URL) -> String {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    for (name, folder) in known {
      let prefix = folder.standardizedFileURL.path(percentEncoded: false)
      let folderPath = prefix.hasSuffix("/") ? prefix : prefix + "/"
      if path.hasPrefix(folderPath) { return name + "/" + path.dropFirst(folderPath.count) }
    }
    return path
  }

  /// Inner folders before those that they are in.
  private static let known: [(String, URL)] = {
    let users: [(String, FileManager.SearchPathDirectory)] = [
      ("documents", .documentDirectory), ("caches", .cachesDirectory),
      ("applicationSupport", .applicationSupportDirectory),
    ]
    let found = users.flatMap { name, folder in
      FileManager.default.urls(for: folder, in: .userDomainMask).map { (name, $0) }
    }
    return found + [("temporary", .temporaryDirectory), ("home", .homeDirectory)]
  }()
}
