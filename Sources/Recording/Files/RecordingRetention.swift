import ActionLog
import Foundation

/// The limits on the number, age, and size of the recordings that are kept for a destination.
struct RecordingRetention: Sendable {
  private let sessions: Int?
  private let seconds: Double?
  private let bytes: Int?
  private let date: @Sendable () -> Date

  private static let mark = Array(#"{"kind":"header","format":"tca-replay""#.utf8)

  /// Creates a set of limits.
  ///
  /// - Parameters:
  ///   - sessions: The number of recordings to keep, including the one that begins, or `nil` for all.
  ///   - seconds: The maximum age in seconds since the last write, or `nil` for any age.
  ///   - bytes: The maximum total size, excluding the recording that begins, or `nil` for any size.
  ///   - date: A closure that returns the current time.
  init(
    sessions: Int?,
    seconds: Double? = nil,
    bytes: Int? = nil,
    date: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.sessions = sessions
    self.seconds = seconds
    self.bytes = bytes
    self.date = date
  }

  /// The paths and the total size of the files that belong to one recording.
  private struct Recording {
    var paths: [String] = []
    /// The time of the last write to any of the files, in seconds since January 1, 2001.
    var last = 0.0
    var bytes = 0
  }

  /// Deletes the oldest recordings with a name until the limits are met.
  ///
  /// A file is deleted only if it matches the name, begins with the header of a log, and isn't open for writing in any
  /// process.
  func apply(to name: LogFileName) {
    guard sessions != nil || seconds != nil || bytes != nil else { return }
    let recordings = Self.recordings(of: name)
    var (count, total) = (recordings.count, recordings.reduce(0) { $0 + $1.bytes })
    let now = date().timeIntervalSinceReferenceDate
    for recording in recordings {
      // The new file is empty, so it is not among the counted recordings.
      let areTooMany = sessions.map { count > max(0, $0 - 1) } ?? false
      let isTooOld = seconds.map { now - recording.last > $0 } ?? false
      let isTooMuch = bytes.map { total > $0 } ?? false
      guard areTooMany || isTooOld || isTooMuch else { return }
      (count, total) = (count - 1, total - recording.bytes)
      Self.delete(recording)
    }
  }

  /// Returns the recordings whose files match a name, starting with the oldest.
  private static func recordings(of name: LogFileName) -> [Recording] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: name.folder)) ?? []
    var recordings: [Int: Recording] = [:]
    for file in files {
      guard let (number, _) = name.parse(file) else { continue }
      let path = name.folder + "/" + file
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular, isLog(path)
      else { continue }
      let date = attributes[.modificationDate] as? Date ?? .distantPast
      var recording = recordings[number] ?? Recording()
      recording.paths.append(path)
      recording.last = max(recording.last, date.timeIntervalSinceReferenceDate)
      recording.bytes += (attributes[.size] as? NSNumber)?.intValue ?? 0
      recordings[number] = recording
    }
    return recordings.sorted { ($0.value.last, $0.key) < ($1.value.last, $1.key) }.map(\.value)
  }

  /// Deletes all files of a recording, or none of them if one is in use.
  private static func delete(_ recording: Recording) {
    let descriptors = recording.paths.compactMap(openIfUnused)
    defer { for descriptor in descriptors { FileLock.releaseAndClose(descriptor) } }
    guard descriptors.count == recording.paths.count else { return }
    for path in recording.paths { unlink(path) }
  }

  private static func isLog(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: mark.count)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == mark.count && bytes == mark
  }

  /// Opens and locks a file, and returns its descriptor, or `nil` if a process has the file open for writing.
  private static func openIfUnused(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
