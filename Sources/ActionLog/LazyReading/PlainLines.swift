import Foundation

/// An action with the change behind it, as the two lines that tell of them stand where they were read into, until the next event
/// is asked for.
///
/// Nothing else has been told of the action before its change.
package struct PlainLines {
  /// The action's number, in both lines.
  package let seq: Int
  /// The action.
  package let action: SkimmedEvent.Text
  /// What stands behind `"patch":`, in this line and those behind it: nothing is known of it.
  fileprivate let rest: SkimmedEvent.Text
  /// How many bytes stand before `rest`, those of the line before among them.
  fileprivate let start: Int
  /// Where the second line begins.
  fileprivate let middle: Int
}

/// The end of a change of which nothing else is told but a patch.
package struct PlainEnd {
  /// The patch.
  package let patch: SkimmedEvent.Text
  /// How many bytes both lines have, with their ends.
  fileprivate let count: Int
}

extension LogReader {
  /// The action that comes next and the change behind it, when both have been read from the file and are written as recorders write.
  ///
  /// They stay where they are: what looks different is read by `next()`, which also finds out what is wrong with it.
  ///
  /// - Returns: The lines, and where the action came from.
  package func peekPlainLines() -> (lines: PlainLines, origin: LogEvent.Origin)? {
    guard isWithinLog else { return nil }
    var parser = JSON.Parser(bytes: lines.waiting)
    return parser.plainLines()
  }

  /// Whether an action comes next, as far as that can be told from what has been read.
  package var isBeforeAction: Bool {
    guard isWithinLog else { return false }
    var parser = JSON.Parser(bytes: lines.waiting)
    return parser.take(#"{"kind":"action","seq":"#)
  }

  /// Reads until two lines wait.
  ///
  /// - Returns: `false` when they were there already, and when there are no two.
  package mutating func readAhead() throws(LogReadError) -> Bool { try lines.readAhead() }

  /// The end of the change, when its patch is one and nothing else is told.
  package func end(of plain: PlainLines) -> PlainEnd? {
    var parser = JSON.Parser(bytes: plain.rest)
    parser.isCompact = true
    // The event itself.
    parser.depth = 1
    return parser.skimmedPatch().flatMap { end(of: plain, behind: $0.text) }
  }

  /// The end of the change, when its patch is this text and nothing else is told.
  package func end(of plain: PlainLines, patch: [UInt8]) -> PlainEnd? {
    guard plain.rest.starts(withBytesOf: patch) else { return nil }
    return end(of: plain, behind: UnsafeBufferPointer(rebasing: plain.rest[..<patch.count]))
  }

  private func end(of plain: PlainLines, behind patch: SkimmedEvent.Text) -> PlainEnd? {
    var parser = JSON.Parser(bytes: plain.rest)
    parser.position = patch.count
    guard parser.takeEndOfChange() else { return nil }
    let count = plain.start + parser.position
    // With the line feed.
    guard plain.middle - 1 <= lines.longest, count - plain.middle - 1 <= lines.longest else {
      return nil
    }
    return PlainEnd(patch: patch, count: count)
  }

  /// Takes the action and its change, which come next.
  package mutating func take(_ end: PlainEnd) {
    lines.skip(end.count)
    line += 2
  }
}

extension JSON.Parser {
  fileprivate mutating func plainLines() -> (PlainLines, LogEvent.Origin)? {
    isCompact = true
    // The event itself.
    depth = 1
    guard take(#"{"kind":"action","seq":"#), let seq = plainNumber(), take(#","at":"#),
      plainNumber() != nil, take(#","origin":"#), let origin = plainOrigin(),
      take(#","action":"#), let action = skippedValue(), take("}\n")
    else { return nil }
    let middle = position
    guard take(#"{"kind":"change","seq":"#), plainNumber() == seq, take(#","patch":"#) else {
      return nil
    }
    let rest = UnsafeBufferPointer(rebasing: bytes[position...])
    // One that is torn is none.
    guard let first = rest.baseAddress, memchr(first, 0x0A, rest.count) != nil else { return nil }
    return (
      PlainLines(seq: seq, action: action, rest: rest, start: position, middle: middle), origin
    )
  }

  /// Passes over what stands behind the patch of a change of which nothing else is told.
  fileprivate mutating func takeEndOfChange() -> Bool {
    if take(#","us":"#), plainNumber() == nil { return false }
    return take("}\n")
  }
}
