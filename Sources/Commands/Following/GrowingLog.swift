import ActionLog
import Foundation
import ReplayEngine

/// A log that grows while it is read, through all the files in which its recorder goes on.
///
/// ```swift
/// var log = GrowingLog("session.jsonl")
/// while !interruption.isRequested {
///   while let news = try log.next() { take(news) }
///   await pause(0.25)
/// }
/// ```
///
/// The path is that of a recorder: it stands for `session.jsonl`, for `session-2.jsonl` and further recordings, and for the segments of each.
/// The newest recording is read, from the first of its segments that is there. When there is nothing more to read, the log goes on
///
/// - in the next segment of the recording;
/// - in a file that has come since: a later recording, or one that took the place of the file;
/// - from the beginning of the file, when it was cut or written anew.
package struct GrowingLog {
  /// What has come.
  package enum News: Equatable, Sendable {
    /// Another log begins in this file: what came before belongs to an older one.
    case began(path: String)
    /// Whole lines, each with its line feed. The lines with which a recorder changes from one segment to the next are left out.
    case lines([UInt8])
  }

  private let name: LogFileName
  private var file: OpenFile?
  /// The files that were there when others were looked for last.
  private var known: [String: FileTrace] = [:]
  /// The log of the last header.
  private var log: (id: String, segment: Int)?
  private var waiting: [News] = []
  private let longestRead: Int

  /// A log that need not be there yet.
  ///
  /// - Parameters:
  ///   - path: The file of a recorder, or one segment of a ring.
  ///   - longestRead: How many bytes are read at once.
  package init(_ path: String, longestRead: Int = 1 << 20) {
    name = LogFileName(path).ofRecording
    self.longestRead = longestRead
  }

  /// The file that is read; `nil` before there is one.
  package var path: String? { file?.path }

  /// The bytes at the end of the file that are no whole line yet.
  package var incompleteLine: [UInt8] { file?.incomplete ?? [] }

  /// What has come since the last call; `nil` when there is nothing more for now.
  ///
  /// - Throws: `LogReadError` for a file that cannot be read, and for a line that is too long.
  package mutating func next() throws(LogReadError) -> News? {
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
    let trace: FileTrace
    let recording: Int
    let segment: Int
    /// How many bytes were read.
    var offset = 0
    /// The number of lines that were read.
    var lines = 0
    /// The first bytes of the file, by which it is seen that others are there now.
    var start: [UInt8] = []
    var incomplete: [UInt8] = []
  }

  /// More than a header has before what is different in each log.
  private static let longestStart = 512

  /// Reads on in the open file; `false` when nothing has come.
  private mutating func read() throws(LogReadError) -> Bool {
    guard var file, let size = FileTrace(file.handle)?.size else { return false }
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
    ReadingCount.add(count)
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
        case .turn: break
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

  private enum Meaning {
    case event
    /// The header of another log.
    case beginning
    /// The end of a segment that another one follows, or the header of that.
    case turn
  }

  private mutating func meaning(of line: UnsafeBufferPointer<UInt8>) -> Meaning {
    if LogReader.begins(line, with: #"{"kind":"header""#) {
      guard let header = try? JSON(parsing: Array(line)) else { return .event }
      let next = (id: header["id"]?.string ?? "", segment: header["segment"]?.number?.int ?? 1)
      defer { log = next }
      return log.map { $0.id == next.id && $0.segment < next.segment } == true ? .turn : .beginning
    }
    if LogReader.begins(line, with: #"{"kind":"end""#) {
      let end = try? JSON(parsing: Array(line))
      return end?["reason"]?.string == LogEvent.End.segment ? .turn : .event
    }
    return .event
  }

  // MARK: - Files

  private struct FoundFile {
    let path: String
    let trace: FileTrace
    let recording: Int
    let segment: Int
  }

  /// The files of all recordings of the name.
  private func files() -> [FoundFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: name.folder)) ?? []
    return names.compactMap { file in
      guard let (recording, segment) = name.parse(file) else { return nil }
      let path =
        segment.map { name.segment($0, of: recording) } ?? name.numbered(recording)
      guard case .file = FileKind(path), let trace = FileTrace(path) else { return nil }
      return FoundFile(path: path, trace: trace, recording: recording, segment: segment ?? 0)
    }
  }

  private mutating func openNewest() throws(LogReadError) -> Bool {
    let files = files()
    know(files)
    guard let first = Self.firstOfNewest(files) else { return false }
    return try open(first)
  }

  /// The first file of the recording that was written last.
  private static func firstOfNewest(_ files: [FoundFile]) -> FoundFile? {
    // Of files as old as each other the first recording, which the path names.
    let newest = files.max {
      ($0.trace.modified, -$0.recording) < ($1.trace.modified, -$1.recording)
    }
    return files.filter { $0.recording == newest?.recording }.min { $0.segment < $1.segment }
  }

  /// Goes on in the file that follows; `false` when there is none.
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
    // What was written before the recorder went on.
    if try read() { return true }
    know(files)
    return try open(next)
  }

  private mutating func know(_ files: [FoundFile]) {
    known = Dictionary(files.map { ($0.path, $0.trace) }) { $1 }
  }

  /// Whether a file has come since.
  ///
  /// The system gives the number of a file that is gone to another one.
  private func isNew(_ found: FoundFile) -> Bool {
    guard let old = known[found.path] else { return true }
    return old.identity != found.trace.identity || old.size > found.trace.size
  }

  private mutating func open(_ found: FoundFile) throws(LogReadError) -> Bool {
    let handle: FileHandle
    do throws(LogReadError) { handle = try FileHandle(readingLog: found.path) } catch {
      // It was removed in between.
      guard case .noSuchFile = error else { throw error }
      return false
    }
    // Another file may have taken the place.
    guard let trace = FileTrace(handle) else { return false }
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
