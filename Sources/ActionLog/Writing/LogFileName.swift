import Foundation

/// The names of the logs of one destination: `name.jsonl`, `name-2.jsonl`, and those of their segments.
package struct LogFileName: Sendable {
  /// The folder.
  package let folder: String
  private let stem: String
  private let suffix: String
  private let path: String

  /// The names that go with a path.
  package init(_ path: String) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    folder = url.deletingLastPathComponent().path
    stem = url.deletingPathExtension().lastPathComponent
    suffix = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
  }

  /// The name of a recording: the path itself, then with a number.
  package func numbered(_ number: Int) -> String {
    number == 1 ? path : place("\(stem)-\(number)\(suffix)")
  }

  /// The name of a segment of a recording.
  package func segment(_ segment: Int, of number: Int) -> String {
    place("\(number == 1 ? stem : "\(stem)-\(number)").segment-\(segment)\(suffix)")
  }

  private func place(_ name: String) -> String {
    // As the caller wrote it: a relative path stays one.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return slash.map { "\(path[...$0])\(name)" } ?? name
  }

  /// The recording and segment to which a file belongs; `nil` for files of other names.
  package func parse(_ name: String) -> (number: Int, segment: Int?)? {
    guard name.hasPrefix(stem), name.hasSuffix(suffix),
      name.utf8.count >= stem.utf8.count + suffix.utf8.count
    else { return nil }
    var rest = name.dropFirst(stem.count).dropLast(suffix.count)
    var number = 1
    if rest.hasPrefix("-") {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard let parsed = Int(digits), parsed > 1, "\(parsed)" == digits else { return nil }
      number = parsed
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.isEmpty { return (number, nil) }
    let mark = ".segment-"
    guard rest.hasPrefix(mark) else { return nil }
    let digits = rest.dropFirst(mark.count)
    guard let segment = Int(digits), segment > 0, "\(segment)" == digits else { return nil }
    return (number, segment)
  }
}

/// Deletes the oldest logs of a destination.
package enum OldLogs {
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
