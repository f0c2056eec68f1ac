import ActionLog
import Foundation
import ReplayEngine

/// A reader for a log that grows while it is read, across all files that its recorder writes.
///
/// ```swift
/// var log = GrowingLog("session.jsonl")
/// while !interruption.isRequested {
///   while let news = try log.next() { take(news) }
///   await pause(0.25)
/// }
/// ```
///
/// The path is that of a recorder. It refers to `session.jsonl`, to `session-2.jsonl` and further recordings, and to
/// the segments of each recording. Reading starts with the first existing segment of the newest recording. At the end
/// of a file, reading continues
///
/// - in the next segment of the recording;
/// - in a newer file: a later recording, or a file that replaced the current one;
/// - at the beginning of the file, if it was truncated or rewritten.
package struct GrowingLog {
  /// New content that was read from a log.
  package enum LogUpdate: Equatable, Sendable {
    /// A new log starts in the file at this path, so earlier content belongs to an older log.
    case began(path: String)
    /// Complete lines, each with its line feed.
    ///
    /// Between two segments, the `end` event of the first and the header of the second are omitted.
    case lines([UInt8])
  }

  private let name: LogFileName
  private var file: OpenFile?
  /// The files that existed when the folder was last scanned, by their paths.
  private var known: [String: FileMetadata] = [:]
  /// The ID and the segment number in the header that was read last.
  private var log: (id: String, segment: Int)?
  private var waiting: [LogUpdate] = []
  private let longestRead: Int

  /// Creates a reader for a log that need not exist yet.
  ///
  /// - Parameters:
  ///   - path: The path to which a recorder writes, or the path of one segment of a ring.
  ///   - longestRead: The maximum number of bytes per read.
  package init(_ path: String, longestRead: Int = 1 << 20) {
    name = LogFileName(path).ofRecording
    self.longestRead = longestRead
  }

  /// The path of the open file, or `nil` if no file exists yet.
  package var path: String? { file?.path }

  /// The bytes after the last line feed in the open file.
  package var incompleteLine: [UInt8] { file?.incomplete ?? [] }

  /// Returns the content that is new since the last call, or `nil` if there is no new content yet.
  ///
  /// - Throws: `LogReadError` if a file can't be read, or if a line is too long.
  package mutating func next() throws(LogReadError) -> LogUpdate? {
    while waiting.isEmpty {
      if file == nil, try !openNewest() { return nil }
      if try read() { continue }
      guard try openNext() else { return nil }
    }
    return waiting.removeFirst()
  }

  // MARK: - Reading

  private struct OpenFile {
    let handle: FileHandle
    let path: String
    let trace: FileMetadata
    let recording: Int
    let segment: Int
    /// The number of bytes that were read.
    var offset = 0
    /// The number of lines that were read.
    var lines = 0
    /// The first bytes of the file.
    ///
    /// If these bytes change, the file was rewritten.
    var start: [UInt8] = []
    var incomplete: [UInt8] = []
  }

  /// The number of first bytes to compare.
  ///
  /// The part of a header that differs between logs starts before this offset.
  private static let longestStart = 512

  /// Reads from the open file, and returns whether it has new content.
  private mutating func read() throws(LogReadError) -> Bool {
    guard var file, let size = FileMetadata(file.handle)?.size else { return false }
    defer { self.file = file }
    if size < file.offset || !isBegunAlike(file) {
      (file.offset, file.lines, file.start, file.incomplete) = (0, 0, [], [])
    }
    guard size > file.offset else { return false }
    var bytes = [UInt8](repeating: 0, count: min(size - file.offset, longestRead))
    let count = bytes.withUnsafeMutableBytes { room in
      pread(file.handle.fileDescriptor, room.baseAddress, room.count, off_t(file.offset))
    }
    guard count >= 0 else { throw .system(path: file.path, code: errno) }
    guard count > 0 else { return false }
    bytes.removeSubrange(count...)
    LogBytesReadCounter.add(count)
    file.offset += count
    if file.start.count < Self.longestStart {
      file.start += bytes.prefix(Self.longestStart - file.start.count)
    }
    try append(bytes, &file)
    return true
  }

  private func isBegunAlike(_ file: OpenFile) -> Bool {
    var bytes = [UInt8](repeating: 0, count: file.start.count)
    let count = bytes.withUnsafeMutableBytes { room in
      pread(file.handle.fileDescriptor, room.baseAddress, room.count, 0)
    }
    return count == bytes.count && bytes == file.start
  }

  private mutating func append(_ bytes: [UInt8], _ file: inout OpenFile) throws(LogReadError) {
    let text = file.incomplete + bytes
    guard let last = text.lastIndex(of: Self.lineFeed) else {
      guard text.count <= LogReader.longestLine else { throw .lineTooLong(line: file.lines + 1) }
      file.incomplete = text
      return
    }
    file.incomplete = Array(text[(last + 1)...])
    var lines: [UInt8] = []
    text.withUnsafeBufferPointer { text in
      var start = 0
      while start <= last {
        let rest = UnsafeBufferPointer(rebasing: text[start...last])
        let length = rest.firstIndex(of: Self.lineFeed) ?? rest.count
        let line = UnsafeBufferPointer(rebasing: rest[..<length])
        file.lines += 1
        switch meaning(of: line) {
        case .event: lines += rest[...length]
        case .segmentChange: break
        case .beginning:
          if !lines.isEmpty { waiting.append(.lines(lines)) }
          waiting.append(.began(path: file.path))
          lines = Array(rest[...length])
        }
        start += length + 1
      }
    }
    if !lines.isEmpty { waiting.append(.lines(lines)) }
  }

  private static let lineFeed = UInt8(ascii: "\n")

  private enum LineKind {
    case event
    /// The line is the header of another log.
    case beginning
    /// The line connects two segments: the end of a segment that is continued, or the header of the next segment.
    case segmentChange
  }

  private mutating func meaning(of line: UnsafeBufferPointer<UInt8>) -> LineKind {
    if LogReader.begins(line, with: #"{"kind":"header""#) {
      guard let header = try? JSON(parsing: Array(line)) else { return .event }
      let next = (id: header["id"]?.string ?? "", segment: header["segment"]?.number?.int ?? 1)
      defer { log = next }
      return log.map { $0.id == next.id && $0.segment < next.segment } == true
        ? .segmentChange : .beginning
    }
    if LogReader.begins(line, with: #"{"kind":"end""#) {
      let end = try? JSON(parsing: Array(line))
      return end?["reason"]?.string == LogEvent.End.segment ? .segmentChange : .event
    }
    return .event
  }

  // MARK: - Files

  private struct FoundFile {
    let path: String
    let trace: FileMetadata
    let recording: Int
    let segment: Int
  }

  /// Returns the files of all recordings at the path.
  private func files() -> [FoundFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: name.folder)) ?? []
    return names.compactMap { file in
      guard let (recording, segment) = name.parse(file) else { return nil }
      let path =
        segment.map { name.segment($0, of: recording) } ?? name.numbered(recording)
      guard case .file = FileSystemItemKind(path), let trace = FileMetadata(path) else {
        return nil
      }
      return FoundFile(path: path, trace: trace, recording: recording, segment: segment ?? 0)
    }
  }

  private mutating func openNewest() throws(LogReadError) -> Bool {
    let files = files()
    know(files)
    guard let first = Self.firstOfNewest(files) else { return false }
    return try open(first)
  }

  /// Returns the first file of the recording with the latest modification time, or `nil` if there are no files.
  private static func firstOfNewest(_ files: [FoundFile]) -> FoundFile? {
    // If modification times are equal, the lowest recording number is used, because the path names the first recording.
    let newest = files.max {
      ($0.trace.modified, -$0.recording) < ($1.trace.modified, -$1.recording)
    }
    return files.filter { $0.recording == newest?.recording }.min { $0.segment < $1.segment }
  }

  /// Opens the next file, and returns whether there is one.
  private mutating func openNext() throws(LogReadError) -> Bool {
    guard let file else { return false }
    let files = files()
    let segments = files.filter { $0.recording == file.recording && $0.segment > file.segment }
    let others = files.filter(isNew)
    guard
      let next = segments.min(by: { $0.segment < $1.segment }) ?? Self.firstOfNewest(others),
      next.trace.identity != file.trace.identity
    else {
      know(files)
      return false
    }
    // The content that was written before the recorder switched files is read first.
    if try read() { return true }
    know(files)
    return try open(next)
  }

  private mutating func know(_ files: [FoundFile]) {
    known = Dictionary(files.map { ($0.path, $0.trace) }) { $1 }
  }

  /// Returns whether a file is new since the last scan.
  ///
  /// The system may give a new file the identity of a deleted one, so the size is compared too.
  private func isNew(_ found: FoundFile) -> Bool {
    guard let old = known[found.path] else { return true }
    return old.identity != found.trace.identity || old.size > found.trace.size
  }

  private mutating func open(_ found: FoundFile) throws(LogReadError) -> Bool {
    let handle: FileHandle
    do throws(LogReadError) { handle = try FileHandle(readingLog: found.path) } catch {
      // If the file was deleted after the scan, it is skipped.
      guard case .noSuchFile = error else { throw error }
      return false
    }
    // Another file may have replaced this one, so the trace is read from the open file.
    guard let trace = FileMetadata(handle) else { return false }
    known[found.path] = trace
    file = OpenFile(
      handle: handle,
      path: found.path,
      trace: trace,
      recording: found.recording,
      segment: found.segment
    )
    return true
  }
}
