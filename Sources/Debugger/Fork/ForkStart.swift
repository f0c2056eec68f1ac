import ActionLog
import Foundation
import ReplayEngine

/// The position from which an edited log is replayed: the last checkpoint before all edits.
struct ForkStart {
  /// The offset of the first byte after the header line.
  private(set) var headerEnd: Int
  /// The position of the checkpoint line, or `nil` if the replay starts at the header.
  private(set) var checkpoint: LogReader.LineStart?
  /// The offset of the first byte after the checkpoint line.
  private(set) var end: Int

  /// Finds the checkpoint.
  ///
  /// Checkpoints with opaque values are skipped, because only the reducer can recreate these values. Checkpoints with
  /// effects whose cancellation ids print alike are also skipped, because only the actions that started the effects can
  /// tell them apart.
  ///
  /// - Throws: `LogReadError`.
  init(_ log: LogSlice, before seq: Int) throws(LogReadError) {
    var headerEnd: Int?
    var found: (start: LogReader.LineStart, end: Int)?
    try LogReader.scan(log.path) { start, line in
      guard start.offset >= log.start else { return true }
      if let end = log.end, start.offset >= end { return false }
      let end = start.offset + line.count + 1
      if headerEnd == nil {
        headerEnd = end
      } else if let place = LogReader.number(in: line, behind: #"{"kind":"checkpoint","seq":"#) {
        if place < seq, found == nil || !line.holds(#""$opaque""#) && !line.hasAlikeIDs {
          found = (start, end)
        }
      } else if LogReader.begins(line, with: #"{"kind":"gap""#) {
        found = nil
      } else if let action = LogReader.number(in: line, behind: #"{"kind":"action","seq":"#) {
        return action < seq
      }
      return true
    }
    self.headerEnd = headerEnd ?? log.start
    checkpoint = found?.start
    end = found?.end ?? self.headerEnd
  }

  /// Returns the header, followed by the events that start with the checkpoint.
  ///
  /// - Throws: `LogReadError`.
  func events(of log: LogSlice) throws(LogReadError) -> LogComparison.Events {
    guard let checkpoint else { return try log.events() }
    let header = try Self.header(of: log)
    var reader = try LogReader(path: log.path, from: checkpoint)
    var isFirst = true
    return {
      if isFirst {
        isFirst = false
        return header
      }
      let event = try reader.next()?.event
      // A second header belongs to the next log in the file.
      if case .header? = event { return nil }
      return event
    }
  }

  private static func header(of log: LogSlice) throws(LogReadError) -> LogEvent? {
    var source = try LogEventIterator(log)
    return try source.next()?.event
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the checkpoint lists effects with different cancellation ids that print alike.
  fileprivate var hasAlikeIDs: Bool {
    guard holds(#""n":"#) || holds(#""$ordinal":"#),
      let effects = (try? JSON(parsing: self))?["effects"]?.array
    else {
      return false
    }
    return effects.contains { effect in
      (try? EffectDescription(JSONText(effect)))?.hasAlikeID == true
    }
  }

  /// Returns whether the line contains a string.
  fileprivate func holds(_ text: StaticString) -> Bool {
    let mark = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    var rest = self[...]
    while let place = rest.firstIndex(of: mark[0]) {
      rest = rest[place...]
      if rest.starts(with: mark) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
