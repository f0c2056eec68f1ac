package import ActionLog
public import Foundation

/// A log to open: a file, the segments of a ring recording, or bytes in memory.
///
/// ```swift
/// let store = try Store(replaying: .file("bug.jsonl"), through: 12) { AppFeature() }
/// ```
public struct RecordedLog: Sendable, Equatable {
  private enum LogBacking: Sendable, Equatable {
    case path(String)
    case segments([[UInt8]])
  }

  private let content: LogBacking

  /// Refers to a file, or to a folder with the segments of a recording.
  ///
  /// If no file exists at the path of a ring recording, the path refers to the recording's segments: `flight.jsonl` to
  /// `flight.segment-1.jsonl` and the following segments.
  public static func file(_ path: String) -> RecordedLog { RecordedLog(content: .path(path)) }

  /// Refers to a file, or to a folder with the segments of a recording, by its URL.
  public static func file(_ url: URL) -> RecordedLog { file(url.path) }

  /// Refers to a log in memory, such as an attachment of a bug report.
  public static func bytes(_ bytes: some Sequence<UInt8>) -> RecordedLog {
    .segments([Array(bytes)])
  }

  /// Refers to the segments of a log in memory, each of which is a complete log.
  package static func segments(_ segments: [[UInt8]]) -> RecordedLog {
    RecordedLog(content: .segments(segments))
  }

  /// Refers to a log in memory, given as text.
  public static func lines(_ text: String) -> RecordedLog { bytes(text.utf8) }
}

extension RecordedLog {
  /// Opens the log.
  ///
  /// - Returns: The logs that were found. Usually, these are one log or its segments.
  /// - Throws: `LogReadError` if a log can't be read, `ReplayError.noLogs` for a folder without logs.
  package func parts() throws -> [LogSegment] {
    switch content {
    case .segments(let segments): try segments.flatMap { try LogSegment.parts(in: $0) }
    case .path(let path):
      try Self.files(of: path).flatMap { try LogSegment.parts(ofFile: $0.path, name: $0.name) }
    }
  }

  /// Returns the bytes of the log, with all segments one after another.
  ///
  /// - Throws: The error of a file that can't be read, or `ReplayError.noLogs` for a folder without logs.
  package func contents() throws -> [UInt8] {
    switch content {
    case .segments(let segments): Array(segments.joined())
    case .path(let path):
      try Self.files(of: path).reduce(into: []) { bytes, file in
        bytes += try FileHandle(readingLog: file.path).readToEnd() ?? Data()
      }
    }
  }

  /// Returns samples of the names in the log, from which the notation of actions is derived.
  ///
  /// - Throws: `LogReadError` if a log can't be read, `ReplayError.noLogs` for a folder without logs.
  package func notationSamples() throws -> OmittedNotationParts {
    var samples = OmittedNotationParts()
    for part in try parts() { try part.collectSamples(in: &samples) }
    return samples
  }

  private static func files(of path: String) throws -> [(path: String, name: String)] {
    if FileSystemItemKind(path) == .none {
      let segments = segments(of: path)
      if !segments.isEmpty { return segments.map { ($0, $0) } }
    }
    return try LogFileFinder.entries(of: path).map { entry in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, let name): (path, name)
      }
    }
  }

  /// Returns the paths of the segments that belong to the first recording that a path names.
  private static func segments(of path: String) -> [String] {
    let name = LogFileName(path)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: name.folder)) ?? []
    let numbers = files.compactMap { file -> Int? in
      guard let found = name.parse(file), found.number == 1 else { return nil }
      return found.segment
    }
    return numbers.sorted().map { name.segment($0, of: 1) }
  }
}

/// A log, or a segment of one, with the positions of its checkpoints.
package struct LogSegment {
  /// The name of the log in messages.
  package let name: String
  package let header: LogEvent.Header
  /// The numbers of the actions after which the segment has checkpoints, in order.
  package let checkpoints: [Int]
  private let content: SegmentBacking
  private let start: LogReader.LineStart
  private let index: LogIndex

  fileprivate enum SegmentBacking {
    case file(String)
    case memory(LogBytes)
  }
}

extension LogSegment {
  /// Opens the segments of a log that contain a state.
  ///
  /// - Parameters:
  ///   - log: The log to open.
  ///   - stateType: The type of the state that selects the log, or `nil` for any type.
  /// - Returns: The segments in order. The result is never empty.
  /// - Throws: `ResumeError` if the log can't be read, has no state, or does not match `stateType`.
  static func segments(
    of log: RecordedLog,
    stateType: String?
  ) throws(ResumeError) -> [LogSegment] {
    let parts: [LogSegment]
    do { parts = try log.parts() } catch { throw ResumeError(error) }
    let own = parts.filter { part in
      stateType == nil || part.header.stateType.isEmpty || part.header.stateType == stateType
    }
    guard let first = own.first else {
      guard let other = parts.first else { throw ResumeError.noState }
      throw ResumeError.otherFeature(
        other.header.feature,
        stateType: other.header.stateType,
        expected: stateType ?? ""
      )
    }
    guard own.allSatisfy({ $0.header.id == first.header.id }) else {
      throw ResumeError.severalLogs(own.map(\.name))
    }
    let segments = own.filter { !$0.checkpoints.isEmpty }
      .sorted { $0.header.segment < $1.header.segment }
    guard !segments.isEmpty else { throw .noState }
    return segments
  }

  fileprivate static func parts(ofFile path: String, name: String) throws -> [LogSegment] {
    guard case .file = FileSystemItemKind(path) else {
      // A stream can be read only once, so its contents are stored.
      let bytes = try FileHandle(readingLog: path).readToEnd() ?? Data()
      return try parts(in: [UInt8](bytes), name: name)
    }
    return try parts(of: .file(path), try LogIndex.logs(in: path), named: name) {
      try LogReader(path: path)
    }
  }

  fileprivate static func parts(
    in bytes: [UInt8],
    name: String = "the log"
  ) throws -> [LogSegment] {
    let memory = LogBytes(copying: bytes)
    return try parts(of: .memory(memory), try LogIndex.logs(in: memory), named: name) {
      LogReader(bytes: bytes)
    }
  }

  private static func parts(
    of content: SegmentBacking,
    _ logs: [(header: LogReader.LineStart, index: LogIndex)],
    named name: String,
    reader: () throws -> LogReader
  ) throws -> [LogSegment] {
    guard !logs.isEmpty else {
      // No log was found. The reader throws an error that states the reason.
      var reader = try reader()
      _ = try reader.next()
      throw LogReadError.empty
    }
    return try logs.enumerated().map { number, log in
      var reader = try content.reader(from: log.header)
      guard case .header(let header) = try reader.next()?.event else { throw LogReadError.empty }
      return LogSegment(
        name: logs.count == 1 ? name : "\(name)#\(number + 1)",
        header: header,
        checkpoints: log.index.places.map(\.seq),
        content: content,
        start: log.header,
        index: log.index
      )
    }
  }

  /// Returns the events from the last checkpoint before an action to the state after the action.
  ///
  /// The result includes the effect events that follow, up to the next action or outside change.
  ///
  /// - Parameters:
  ///   - seq: The number of the action, or `nil` for the last completed one.
  ///   - first: The number of an earlier action to include, if the log has a checkpoint before it.
  /// - Returns: The events, starting with the checkpoint. If the log lacks the action, the events extend to the next
  ///   action, or to the end of the log.
  /// - Throws: `LogReadError` if a line can't be read.
  func stretch(through seq: Int?, from first: Int? = nil) throws -> [LogEvent] {
    var events: [LogEvent] = []
    let next = try reader(from: checkpoint(before: first ?? seq))
    var isThere = false
    while let event = try next() {
      if isThere {
        // An outside change leads to another state than the one after the action.
        if event.changesState { return events }
        if case .effect = event { events.append(event) }
        continue
      }
      events.append(event)
      if let seq, event.finishedSeq == seq { isThere = true }
      if let seq, case .action(let action) = event, action.seq > seq { break }
    }
    if isThere { return events }
    if seq == nil { events.removeUnfinishedAction() }
    return events
  }

  fileprivate func collectSamples(in samples: inout OmittedNotationParts) throws {
    guard !checkpoints.isEmpty else { return }
    let next = try reader(from: 0)
    var isFirst = true
    while let event = try next() {
      switch event {
      case .checkpoint(let checkpoint) where isFirst:
        samples.add(value: checkpoint.state)
        isFirst = false
      case .action(let action): samples.add(action: action.action)
      case .read(let read): samples.add(value: read.value)
      case .change(let change): samples.add(patch: change.patch)
      default: break
      }
    }
  }

  /// Returns the actions with the given numbers, by number, as far as the log contains them.
  func actions(_ seqs: Set<Int>) throws -> [Int: JSON] {
    var found: [Int: JSON] = [:]
    guard !seqs.isEmpty else { return found }
    var isHere = false
    try content.scan { line, bytes in
      if line.offset == start.offset { isHere = true }
      if let next = index.next, line.offset >= next.offset { return false }
      guard isHere,
        let seq = LogReader.number(in: bytes, behind: #"{"kind":"action","seq":"#),
        seqs.contains(seq)
      else { return true }
      found[seq] = (try? JSON(parsing: bytes))?["action"]
      return found.count < seqs.count
    }
    return found
  }

  /// Returns the index of the last checkpoint that precedes an action, or of the last checkpoint if `seq` is `nil`.
  ///
  /// Events after the action don't affect such a checkpoint. If all checkpoints follow the action, returns the first.
  private func checkpoint(before seq: Int?) -> Int {
    guard let seq else { return checkpoints.count - 1 }
    return max(0, (checkpoints.firstIndex { $0 >= seq } ?? checkpoints.count) - 1)
  }

  /// Returns a reader of the events from a checkpoint to the end of the log.
  func reader(from checkpoint: Int) throws -> () throws -> LogEvent? {
    var reader = try content.reader(from: index.places[checkpoint].start)
    var isOver = false
    return {
      guard !isOver, let event = try reader.next()?.event else { return nil }
      if case .header = event {
        isOver = true
        return nil
      }
      return event
    }
  }
}

extension LogSegment.SegmentBacking {
  fileprivate func reader(from start: LogReader.LineStart) throws -> LogReader {
    switch self {
    case .file(let path): try LogReader(path: path, from: start)
    case .memory(let bytes): LogReader(bytes, from: start)
    }
  }

  fileprivate func scan(
    _ visit: (LogReader.LineStart, UnsafeBufferPointer<UInt8>) -> Bool
  ) throws {
    switch self {
    case .file(let path): try LogReader.scan(path, visit: visit)
    case .memory(let bytes): try LogReader.scan(bytes, visit: visit)
    }
  }
}

extension LogEvent {
  /// Whether the event starts a change of the state that does not belong to the previous action.
  fileprivate var changesState: Bool {
    switch self {
    case .header, .read, .change, .call, .effect, .note, .finding, .unknown: false
    default: true
    }
  }
}

extension [LogEvent] {
  /// Removes the last action if the log ends in the middle of it, because reducing it might end this process too.
  fileprivate mutating func removeUnfinishedAction() {
    let last = lastIndex { event in
      if case .action = event { true } else { event.finishedSeq != nil }
    }
    guard let last, case .action = self[last] else { return }
    removeSubrange(last...)
  }
}
