import ActionLog
import Foundation

/// A search for checkpoints at which a long log can be cut.
///
/// The stretches between the cuts can be replayed or read concurrently.
///
/// Only the checkpoints near the wanted offsets are examined, so that few lines are read.
package struct LogPartitioner {
  /// The purpose for which a log is cut.
  package enum Purpose: Sendable {
    /// Each stretch is replayed, so a cut must be at a checkpoint that contains all data that affects the following
    /// events.
    case replay
    /// Each stretch is summarized, so effects that start in a stretch must end in the same stretch.
    case statistics
    /// Each stretch is read, and effects may start in one stretch and end in another.
    case reading
  }

  /// The default minimum length of a stretch: 8 MiB.
  ///
  /// A shorter stretch is not worth another thread or process.
  package static let least = 8 * 1024 * 1024
  /// The maximum number of checkpoints to examine for one cut.
  private static let mostTried = 32

  private let log: LogSlice
  private let end: Int
  private let purpose: Purpose

  /// Cuts a log into stretches.
  ///
  /// - Parameters:
  ///   - log: The log to cut.
  ///   - parts: The wanted number of stretches. The result may have fewer.
  ///   - least: The minimum length of a stretch in bytes.
  ///   - purpose: The purpose of the stretches, which determines at which checkpoints the log can be cut.
  /// - Returns: Copies of the log, each limited to one stretch, in order. Returns `nil` if the log can't be cut or is
  ///   too short.
  package static func stretches(
    of log: LogSlice,
    parts: Int,
    least: Int = Self.least,
    for purpose: Purpose
  ) -> [LogSlice]? {
    var status = stat()
    guard parts > 1, stat(log.path, &status) == 0 else { return nil }
    let end = log.end ?? Int(status.st_size)
    let count = min(parts, (end - log.start) / max(least, 1))
    guard count > 1 else { return nil }
    // If the log is damaged, the reader of the complete log reports the error.
    return try? LogPartitioner(log: log, end: end, purpose: purpose).stretches(count)
  }

  private func stretches(_ count: Int) throws -> [LogSlice]? {
    guard case .header(let header) = try log.events()() else { return nil }
    if purpose == .replay {
      guard header.masked == nil, !header.endsChildrenByEarlierRules,
        try isClosed()
      else { return nil }
    }
    var cuts: [Int] = []
    let bytes = end - log.start
    for index in 1..<count {
      let wanted = log.start + bytes / count * index
      if let last = cuts.last, last >= wanted { continue }
      if let cut = try cut(from: wanted) { cuts.append(cut) }
    }
    guard !cuts.isEmpty else { return nil }
    let starts: [Int?] = [nil] + cuts
    let ends: [Int?] = cuts + [nil]
    return zip(starts, ends).map { start, end in
      var part = log
      part.stretch = LogSlice.Stretch(from: start, through: end)
      return part
    }
  }

  /// Returns whether the last line of the log is an `end` event.
  ///
  /// Without an `end` event, the last stretch can't be proved to replay identically.
  private func isClosed() throws -> Bool {
    let file = try FileHandle(readingLog: log.path, from: max(log.start, end - Self.tail))
    let bytes = try file.read(upToCount: min(Self.tail, end - log.start)) ?? Data()
    let line = bytes.split(separator: UInt8(ascii: "\n")).last { !$0.allSatisfy { $0 <= 0x20 } }
    return Array(line ?? Data()).withUnsafeBufferPointer {
      LogReader.begins($0, with: #"{"kind":"end""#)
    }
  }

  /// The number of bytes at the end of the log in which to search for the `end` event, whose line is shorter.
  private static let tail = 4096
}

extension LogPartitioner {
  /// Returns the offset of the first suitable checkpoint after an offset, or `nil` if there is none.
  private func cut(from offset: Int) throws -> Int? {
    let file = try FileHandle(readingLog: log.path, from: offset)
    var lines = LineReader(file, path: log.path, longest: LogReader.longestLine)
    // The offset may be in the middle of a line, so the first line is skipped.
    guard let first = try lines.next(line: 1), first.isTerminated else { return nil }
    var start = offset + first.count + 1
    // Events before the first checkpoint were not read, so they may have included an interruption.
    var isPlain = false
    var candidate: Int?
    var tried = 0
    while start < end, tried < Self.mostTried, let line = try lines.next(line: 1) {
      defer { start += line.count + 1 }
      if LogReader.begins(line.bytes, with: #"{"kind":"checkpoint""#) {
        tried += 1
        if let candidate, isPlain { return candidate }
        let isWanted = isPlain || purpose != .replay
        candidate = try isWanted && isCut(at: start, line.bytes) ? start : nil
        if purpose != .replay, let candidate { return candidate }
        isPlain = true
      } else if LogReader.begins(line.bytes, with: #"{"kind":"header""#) {
        return nil
      } else if Self.interruptions.contains(where: { LogReader.begins(line.bytes, with: $0) }) {
        isPlain = false
        candidate = nil
      }
    }
    return start >= end && isPlain ? candidate : nil
  }

  /// The starts of lines with events that do not result from the reducer.
  ///
  /// A state near such an event may contain data that no reducer produced.
  private static let interruptions: [StaticString] = [
    #"{"kind":"external""#, #"{"kind":"excluded""#, #"{"kind":"gap""#,
  ]

  /// Returns whether a checkpoint contains all data that affects the following events, as far as the purpose requires.
  private func isCut(at offset: Int, _ line: UnsafeBufferPointer<UInt8>) throws -> Bool {
    guard purpose != .reading else { return true }
    if purpose == .replay {
      // Checked first, because a checkpoint with running effects need not be parsed.
      guard line.suffix(Self.ending).contains(Self.noEffects), !Self.holdsTag(line) else {
        return false
      }
    }
    var reader = try LogReader(
      path: log.path,
      from: LogReader.LineStart(line: 1, offset: offset)
    )
    guard case .checkpoint(let checkpoint) = try reader.next()?.event, checkpoint.effects.isEmpty
    else { return false }
    return purpose == .statistics || checkpoint.shared == nil && checkpoint.rest.isEmpty
  }

  private static let noEffects = Array(#""effects":[]"#.utf8)
  /// The number of bytes at the end of a checkpoint's line that contain its empty list of effects and the number of the
  /// next stack element.
  private static let ending = 64

  /// Returns whether a line contains a value that the log holds only in part, or that was masked.
  private static func holdsTag(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    if UncomparedValues.mayStand(in: line) { return true }
    var rest = line[...]
    while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
      rest = rest[(dollar + 1)...]
      if rest.starts(with: masked) { return true }
    }
    return false
  }

  private static let masked = Array(#"masked""#.utf8)
}
