import ActionLog
import Foundation

/// Cuts a long log at checkpoints, so that its stretches can be replayed, or read, at the same time.
///
/// The places are looked for where they are wanted, so that no more than a few lines around them are read.
package struct LogCutter {
  /// What is done with the stretches.
  package enum Purpose: Sendable {
    /// Each is replayed: what is not in a checkpoint must not matter after it.
    case replay
    /// The effects that begin in a stretch end in it.
    case statistics
    /// The stretches are read; effects may begin in one and end in another.
    case reading
  }

  /// Less is faster read or replayed than it is worth another thread, or another process, in bytes.
  package static let least = 8 * 1024 * 1024
  /// More checkpoints are not tried for one place.
  private static let mostTried = 32

  private let log: LogSlice
  private let end: Int
  private let purpose: Purpose

  /// The stretches of a log, in order; `nil` when it is not to be cut.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - parts: How many stretches are wanted; they can be fewer.
  ///   - least: The least number of bytes of a stretch.
  ///   - purpose: What is done with them.
  /// - Returns: The log, with one of its stretches each.
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
    // Whoever reads the log from its beginning finds out what is wrong with it.
    return try? LogCutter(log: log, end: end, purpose: purpose).stretches(count)
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

  /// Whether the last line of the log is its end: a log without one is never just the same.
  private func isClosed() throws -> Bool {
    let file = try FileHandle(readingLog: log.path, from: max(log.start, end - Self.tail))
    let bytes = try file.read(upToCount: min(Self.tail, end - log.start)) ?? Data()
    let line = bytes.split(separator: UInt8(ascii: "\n")).last { !$0.allSatisfy { $0 <= 0x20 } }
    return Array(line ?? Data()).withUnsafeBufferPointer {
      LogReader.begins($0, with: #"{"kind":"end""#)
    }
  }

  /// More than the last line of a log that was closed has, in bytes.
  private static let tail = 4096
}

extension LogCutter {
  /// The first checkpoint after an offset at which the log may be cut.
  private func cut(from offset: Int) throws -> Int? {
    let file = try FileHandle(readingLog: log.path, from: offset)
    var lines = LineReader(file, path: log.path, longest: LogReader.longestLine)
    // The line to which the offset belongs may have begun before it.
    guard let first = try lines.next(line: 1), first.isTerminated else { return nil }
    var start = offset + first.count + 1
    // What is before the first checkpoint was not read, so nothing is known of it.
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

  /// The events that are no part of a wave of actions: around them a state is not only what the reducer has made.
  private static let interruptions: [StaticString] = [
    #"{"kind":"external""#, #"{"kind":"excluded""#, #"{"kind":"gap""#,
  ]

  /// Whether a checkpoint has all that matters after it.
  private func isCut(at offset: Int, _ line: UnsafeBufferPointer<UInt8>) throws -> Bool {
    guard purpose != .reading else { return true }
    if purpose == .replay {
      // Nothing else is read where effects are alive.
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
  /// The bytes at the end of a checkpoint in which its effects stand, when there are none, with the number of the next element.
  private static let ending = 64

  /// Whether a line has a value that a log does not hold in full, or that a mask has changed.
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
