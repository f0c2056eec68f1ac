public import Foundation

/// The abbreviation of file paths to names that are the same on every device.
public enum PortableFilePath {
  /// Returns the path of a file, with names such as `documents` in place of user-specific folders.
  ///
  /// ```swift
  /// PortableFilePath.shortened(.documentsDirectory.appending(path: "notes.json"))  // "documents/notes.json"
  /// ```
  ///
  /// - Parameter url: The URL of the file.
  /// - Returns: The path.
  public static func shortened(_ url: URL) -> String {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    for (name, folder) in known {
      let prefix = folder.standardizedFileURL.path(percentEncoded: false)
      let folderPath = prefix.hasSuffix("/") ? prefix : prefix + "/"
      if path.hasPrefix(folderPath) { return name + "/" + path.dropFirst(folderPath.count) }
    }
    return path
  }

  /// The folders with their names, in an order in which nested folders precede the folders that contain them.
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
