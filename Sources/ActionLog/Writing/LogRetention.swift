import Foundation

/// Deletes the oldest logs of a destination.
package enum LogRetention {
  private static let mark = Array(#"{"kind":"header","format":"tca-replay""#.utf8)

  /// Deletes the oldest recordings of one name, so that a number of them is left.
  ///
  /// Deletes only files with such a name that begin as a log does and that no process has open for writing.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - kept: How many recordings stay.
  package static func delete(_ name: LogFileName, keeping kept: Int) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: name.folder)) ?? []
    var recordings: [Int: (paths: [String], last: Double)] = [:]
    for file in files {
      guard let (number, _) = name.parse(file) else { continue }
      let path = name.folder + "/" + file
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular, isLog(path)
      else { continue }
      let date = attributes[.modificationDate] as? Date ?? .distantPast
      let last = date.timeIntervalSinceReferenceDate
      let known = recordings[number] ?? ([], 0)
      recordings[number] = (known.paths + [path], max(known.last, last))
    }
    let oldest = recordings.sorted { ($0.value.last, $0.key) < ($1.value.last, $1.key) }
    for (_, recording) in oldest.prefix(max(0, recordings.count - kept)) {
      let descriptors = recording.paths.compactMap(openIfUnused)
      defer { for descriptor in descriptors { close(descriptor) } }
      // A recording is deleted as a whole or not at all.
      guard descriptors.count == recording.paths.count else { continue }
      for path in recording.paths { unlink(path) }
    }
  }

  private static func isLog(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: mark.count)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == mark.count && bytes == mark
  }

  /// Opens and locks a file that no process writes.
  private static func openIfUnused(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
