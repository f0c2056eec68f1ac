/// The positions of a log's checkpoints in its file.
///
/// With the index, a seek reads no more than the lines between two checkpoints.
///
/// ```swift
/// let index = try LogIndex(scanning: "session.jsonl")
/// let start = index.checkpoint(before: 12)?.start
/// ```
package struct LogIndex: Equatable, Sendable {
  /// The action number of a checkpoint, and the position of its line.
  package struct CheckpointPosition: Equatable, Sendable {
    /// The number of the action before the checkpoint, or 0 before the first action.
    package let seq: Int
    package let start: LogReader.LineStart

    package init(seq: Int, start: LogReader.LineStart) {
      self.seq = seq
      self.start = start
    }
  }

  package private(set) var places: [CheckpointPosition]
  /// The position of the next log in the file, or `nil` if this log is the last one.
  package private(set) var next: LogReader.LineStart?

  package init(places: [CheckpointPosition], next: LogReader.LineStart? = nil) {
    self.places = places
    self.next = next
  }

  /// Returns the last checkpoint whose `seq` is at most the given number, or `nil` if there is none.
  package func checkpoint(before seq: Int) -> CheckpointPosition? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].seq <= seq { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? places[low - 1] : nil
  }
}

extension LogIndex {
  /// Creates the index of the first log that begins at or after a byte offset in a file.
  ///
  /// - Throws: A `LogReadError` if the system can't read the file, or if a line is too long.
  package init(scanning path: String, from offset: Int = 0) throws(LogReadError) {
    let logs = try Self.index(from: offset, isOneEnough: true) { visit throws(LogReadError) in
      try LogReader.scan(path, visit: visit)
    }
    self = logs.first?.index ?? LogIndex(places: [])
  }

  /// Returns the header's position and the index of each log in a file.
  ///
  /// - Throws: A `LogReadError` if the system can't read the file, or if a line is too long.
  package static func logs(
    in path: String
  ) throws(LogReadError) -> [(header: LogReader.LineStart, index: LogIndex)] {
    try index(from: 0, isOneEnough: false) { visit throws(LogReadError) in
      try LogReader.scan(path, visit: visit)
    }
  }

  /// Returns the header's position and the index of each log in memory.
  ///
  /// - Throws: A `LogReadError` if a line is too long.
  package static func logs(
    in bytes: LogBytes
  ) throws(LogReadError) -> [(header: LogReader.LineStart, index: LogIndex)] {
    try index(from: 0, isOneEnough: false) { visit throws(LogReadError) in
      try LogReader.scan(bytes, visit: visit)
    }
  }

  private typealias Visit = (LogReader.LineStart, UnsafeBufferPointer<UInt8>) -> Bool

  private static func index(
    from offset: Int,
    isOneEnough: Bool,
    _ scan: (_ visit: Visit) throws(LogReadError) -> Void
  ) throws(LogReadError) -> [(header: LogReader.LineStart, index: LogIndex)] {
    var logs: [(header: LogReader.LineStart, index: LogIndex)] = []
    var isOrdered = true
    try scan { start, line in
      guard start.offset >= offset else { return true }
      let last = logs.count - 1
      if last >= 0,
        let seq = LogReader.number(in: line, behind: #"{"kind":"checkpoint","seq":"#)
      {
        // A binary search requires ordered checkpoints. After the first checkpoint that is out of order, the others are
        // omitted, and a seek reads from the last ordered one.
        isOrdered = isOrdered && logs[last].index.places.last.map { $0.seq <= seq } ?? true
        if isOrdered { logs[last].index.places.append(CheckpointPosition(seq: seq, start: start)) }
      } else if LogReader.begins(line, with: #"{"kind":"header""#) {
        if last >= 0 { logs[last].index.next = start }
        guard last < 0 || !isOneEnough else { return false }
        isOrdered = true
        logs.append((start, LogIndex(places: [])))
      }
      return true
    }
    return logs
  }
}
