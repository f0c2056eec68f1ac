/// An action of which nothing came but a change of the state, in the two lines that tell of it.
///
/// Its texts stand where the lines were read into, until the next event is asked for.
package struct PlainLines {
  /// The action's number, in both lines.
  package let seq: Int
  /// The action.
  package let action: SkimmedEvent.Text
  /// The patch.
  package let patch: SkimmedEvent.Text
  /// How many bytes the lines have, with their ends.
  fileprivate let count: Int
}

extension LogReader {
  /// The action that comes next with its change, when both have been read from the file, are written as recorders write, and stand
  /// one behind the other, and nothing else has come of the action.
  ///
  /// They stay where they are: what looks different is read by `next()`, which also finds out what is wrong with it.
  ///
  /// - Returns: The lines, and where the action came from.
  package func peekPlainLines() -> (lines: PlainLines, origin: LogEvent.Origin)? {
    guard isWithinLog else { return nil }
    var parser = JSON.Parser(bytes: lines.waiting)
    return parser.plainLines(longest: lines.longest)
  }

  /// Takes the action and its change, which come next.
  package mutating func take(_ plain: PlainLines) {
    lines.skip(plain.count)
    line += 2
  }
}

extension JSON.Parser {
  fileprivate mutating func plainLines(longest: Int) -> (PlainLines, LogEvent.Origin)? {
    isCompact = true
    // The event itself.
    depth = 1
    guard take(#"{"kind":"action","seq":"#), let seq = plainNumber(), take(#","at":"#),
      plainNumber() != nil, take(#","origin":"#), let origin = plainOrigin(),
      take(#","action":"#), let action = skippedValue(), take("}\n")
    else { return nil }
    let middle = position
    guard take(#"{"kind":"change","seq":"#), plainNumber() == seq, take(#","patch":"#),
      let patch = skimmedPatch()
    else { return nil }
    if take(#","us":"#), plainNumber() == nil { return nil }
    guard take("}\n"), middle <= longest, position - middle <= longest else { return nil }
    return (PlainLines(seq: seq, action: action, patch: patch.text, count: position), origin)
  }
}
