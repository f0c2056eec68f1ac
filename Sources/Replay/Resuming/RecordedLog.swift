package import ActionLog
public import Foundation

/// A log to open: a file, the segments of a ring, or a log in memory.
///
/// ```swift
/// let store = try Store(replaying: .file("bug.jsonl"), through: 12) { AppFeature() }
/// ```
public struct RecordedLog: Sendable, Equatable {
  private enum Content: Sendable, Equatable {
    case path(String)
    case bytes([UInt8])
  }

  private let content: Content

  /// A file, or a folder with the segments of a recording.
  ///
  /// The name that a ring was given stands for its segments: `flight.jsonl` for `flight.segment-1.jsonl` and those that follow.
  public static func file(_ path: String) -> RecordedLog { RecordedLog(content: .path(path)) }

  /// A file, or a folder with the segments of a recording.
  public static func file(_ url: URL) -> RecordedLog { file(url.path) }

  /// A log in memory, such as an attachment of a bug report.
  public static func bytes(_ bytes: some Sequence<UInt8>) -> RecordedLog {
    RecordedLog(content: .bytes(Array(bytes)))
  }

  /// A log in memory, as text.
  public static func lines(_ text: String) -> RecordedLog { bytes(text.utf8) }
}

extension RecordedLog {
  /// The logs that are there: most often one, or the segments of one.
  ///
  /// - Throws: `LogReadError`, `ReplayError.noLogs` for a folder without logs.
  package func parts() throws -> [LogPart] {
    switch content {
    case .bytes(let bytes): try LogPart.parts(in: bytes)
    case .path(let path):
      try Self.files(of: path).flatMap { try LogPart.parts(ofFile: $0.path, name: $0.name) }
    }
  }

  /// What the log's actions tell about the notation of others like them.
  ///
  /// - Throws: `LogReadError`, `ReplayError.noLogs` for a folder without logs.
  package func notationSamples() throws -> NotationSamples {
    var samples = NotationSamples()
    for part in try parts() { try part.note(in: &samples) }
    return samples
  }

  private static func files(of path: String) throws -> [(path: String, name: String)] {
    if FileKind(path) == .none {
      let segments = segments(of: path)
      if !segments.isEmpty { return segments.map { ($0, $0) } }
    }
    return try LogFiles.entries(of: path).map { entry in
      switch entry {
      case .failure(_, let error): throw error
      case .file(let path, let name): (path, name)
      }
    }
  }

  /// The segments of the first recording that a path names.
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
package struct LogPart {
  /// The name of the log in messages.
  package let name: String
  package let header: LogEvent.Header
  /// The actions after which there are checkpoints, in their order.
  package let checkpoints: [Int]
  private let content: Content

  private enum Content {
    case file(String, LogReader.LineStart, LogIndex)
    /// The events of the log, and the positions of the checkpoints among them.
    case events([LogEvent], [Int])
  }
}

extension LogPart {
  fileprivate static func parts(ofFile path: String, name: String) throws -> [LogPart] {
    guard case .file = FileKind(path) else {
      // A stream is read once.
      let bytes = try FileHandle(readingLog: path).readToEnd() ?? Data()
      return try parts(in: [UInt8](bytes), name: name)
    }
    let logs = try LogIndex.logs(in: path)
    guard !logs.isEmpty else {
      // The reader says what is wrong with it.
      var reader = try LogReader(path: path)
      _ = try reader.next()
      throw LogReadError.empty
    }
    return try logs.enumerated().map { index, log in
      var reader = LogReader(
        try FileHandle(readingLog: path, from: log.header.offset),
        name: path,
        firstLine: log.header.line
      )
      guard case .header(let header) = try reader.next()?.event else { throw LogReadError.empty }
      return LogPart(
        name: logs.count == 1 ? name : "\(name)#\(index + 1)",
        header: header,
        checkpoints: log.index.places.map(\.seq),
        content: .file(path, log.header, log.index)
      )
    }
  }

  fileprivate static func parts(in bytes: [UInt8], name: String? = nil) throws -> [LogPart] {
    var reader = LogReader(bytes: bytes)
    var logs: [(header: LogEvent.Header, events: [LogEvent], checkpoints: [Int])] = []
    while let event = try reader.next()?.event {
      if case .header(let header) = event { logs.append((header, [], [])) }
      guard let last = logs.indices.last else { continue }
      if case .checkpoint = event { logs[last].checkpoints.append(logs[last].events.count) }
      logs[last].events.append(event)
    }
    return logs.enumerated().map { index, log in
      let name = name ?? "the log"
      return LogPart(
        name: logs.count == 1 ? name : "\(name)#\(index + 1)",
        header: log.header,
        checkpoints: log.checkpoints.compactMap { log.events[$0].seq },
        content: .events(log.events, log.checkpoints)
      )
    }
  }

  /// The events from the last checkpoint before an action up to the state after it, with what became of effects before the next
  /// action or change from outside.
  ///
  /// - Parameters:
  ///   - seq: The action; `nil` for the last one that was finished.
  ///   - first: An action that is to be among the events, if the log has a checkpoint before it.
  /// - Returns: The events, the checkpoint first; up to the end of the log when the action is not there.
  /// - Throws: `LogReadError`.
  func stretch(through seq: Int?, from first: Int? = nil) throws -> [LogEvent] {
    var events: [LogEvent] = []
    let next = try reader(from: checkpoint(before: first ?? seq))
    var isThere = false
    while let event = try next() {
      if case .header = event { break }
      if isThere {
        // Another change from outside leads to the state before the next action.
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

  fileprivate func note(in samples: inout NotationSamples) throws {
    guard !checkpoints.isEmpty else { return }
    let next = try reader(from: 0)
    var isFirst = true
    while let event = try next() {
      switch event {
      case .header: return
      case .checkpoint(let checkpoint) where isFirst:
        samples.note(value: checkpoint.state)
        isFirst = false
      case .action(let action): samples.note(action: action.action)
      case .read(let read): samples.note(value: read.value)
      case .change(let change): samples.note(patch: change.patch)
      default: break
      }
    }
  }

  /// Actions of the log, as far as they are there.
  func actions(_ seqs: Set<Int>) throws -> [Int: JSON] {
    var found: [Int: JSON] = [:]
    guard !seqs.isEmpty else { return found }
    switch content {
    case .events(let events, _):
      for case .action(let action) in events where seqs.contains(action.seq) {
        found[action.seq] = action.action
      }
    case .file(let path, let start, let index):
      var isHere = false
      try LogReader.scan(path) { line, bytes in
        if line.offset == start.offset { isHere = true }
        if let next = index.next, line.offset >= next.offset { return false }
        guard isHere,
          let seq = LogReader.number(in: bytes, behind: #"{"kind":"action","seq":"#),
          seqs.contains(seq)
        else { return true }
        found[seq] = (try? JSON(parsing: bytes))?["action"]
        return found.count < seqs.count
      }
    }
    return found
  }

  /// The last checkpoint before an action, so that what happened after the action is not in it; the first one is the only state
  /// after its own action.
  private func checkpoint(before seq: Int?) -> Int {
    guard let seq else { return checkpoints.count - 1 }
    return max(0, (checkpoints.firstIndex { $0 >= seq } ?? checkpoints.count) - 1)
  }

  private func reader(from checkpoint: Int) throws -> () throws -> LogEvent? {
    switch content {
    case .file(let path, _, let index):
      var reader = try LogReader(path: path, from: index.places[checkpoint].start)
      return { try reader.next()?.event }
    case .events(let events, let checkpoints):
      var rest = events[checkpoints[checkpoint]...]
      return { rest.popFirst() }
    }
  }
}

extension LogEvent {
  /// Whether what comes with it and after it is no longer what followed from the action before.
  fileprivate var changesState: Bool {
    switch self {
    case .header, .read, .change, .call, .effect, .note, .finding, .unknown: false
    default: true
    }
  }
}

extension [LogEvent] {
  /// Removes the last action if the log ends before its change: to reduce it again might end this process, too.
  fileprivate mutating func removeUnfinishedAction() {
    let last = lastIndex { event in
      if case .action = event { true } else { event.finishedSeq != nil }
    }
    guard let last, case .action = self[last] else { return }
    removeSubrange(last...)
  }
}
