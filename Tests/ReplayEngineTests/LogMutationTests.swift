import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayEngine

/// Logs that were tampered with: whatever changes values or causality shows.
@Suite struct LogMutationTests {
  /// Behind this line nothing of the last complete action follows any more.
  private static let lastLine = SampleLog.lines.count - 2

  /// Lines without which the log tells the same: an effect that has nothing left to send, and that no checkpoint after it would
  /// list; and a checkpoint.
  private static func isInformational(_ line: String) -> Bool {
    line.contains(#""kind":"checkpoint","seq":9"#)
      || line.contains(#""event":"finished""#) && !line.contains(#""id":"10.0""#)
        && !line.contains(#""id":"3.0""#)
      || line.contains(#""by":"task""#)
      // The start follows from the end of the effect before it; only the effect's own actions need it.
      || line.contains(#""event":"finished","sent":0"#)
  }

  @Test(arguments: 2..<lastLine)
  func aDroppedEventIsNoticed(index: Int) throws {
    var lines = SampleLog.lines
    let dropped = lines.remove(at: index)
    let verdict = try SampleLog.verdict(lines)
    if Self.isInformational(dropped) {
      #expect(verdict == .identical, "\(dropped)")
    } else {
      #expect(verdict?.isSame == false, "\(dropped)")
      #expect(verdict?.at != nil)
    }
  }

  /// Pairs of neighbours that may stand in either order: a reducer may cancel what runs while it handles an action.
  private static func commute(_ first: String, _ second: String) -> Bool {
    first.contains(#""kind":"change""#) && second.contains(#""by":"task""#)
  }

  @Test(arguments: 2..<lastLine - 1)
  func swappedEventsAreNoticed(index: Int) throws {
    var lines = SampleLog.lines
    lines.swapAt(index, index + 1)
    let verdict = try SampleLog.verdict(lines)
    if Self.commute(lines[index + 1], lines[index]) {
      #expect(verdict == .identical, "\(lines[index]) before \(lines[index + 1])")
      return
    }
    #expect(verdict?.isSame == false, "\(lines[index]) before \(lines[index + 1])")
  }

  struct Edit: Sendable, CustomTestStringConvertible {
    let line: Int
    let pointer: JSON.Pointer
    var testDescription: String { "line \(line) \(pointer)" }
  }

  /// Every scalar of every line but the header.
  static let edits: [Edit] = SampleLog.lines.enumerated().dropFirst(2).dropLast().flatMap {
    index,
    line in
    guard let json = try? JSON(parsing: line) else { return [Edit]() }
    return scalars(of: json, at: JSON.Pointer()).map { Edit(line: index, pointer: $0) }
  }

  private static func scalars(of json: JSON, at path: JSON.Pointer) -> [JSON.Pointer] {
    switch json {
    case .object(let object):
      object.flatMap { scalars(of: $0.value, at: path.appending($0.key)) }
    case .array(let elements):
      elements.enumerated().flatMap { scalars(of: $1, at: path.appending(String($0))) }
    default: [path]
    }
  }

  @Test(arguments: edits)
  func anEditedMemberIsNoticed(_ edit: Edit) throws {
    let line = SampleLog.lines[edit.line]
    var json = try JSON(parsing: line)
    let old = try #require(json[edit.pointer])
    let new: JSON =
      switch old {
      case .number(let number): .number(JSON.Number((number.int ?? 0) + 1))
      case .bool(let value): .bool(!value)
      default: .string((old.string ?? "") + "0")
      }
    try JSON.Patch([.replace(edit.pointer, new)]).apply(to: &json)
    var lines = SampleLog.lines
    lines[edit.line] = json.description
    let result = Result { try SampleLog.verdict(lines) }
    switch edit.pointer.tokens.last {
    // Informational, and what a checkpoint says of effects, which the replay knows for itself.
    case "at", "us", "source": #expect(try result.get() == .identical)
    case _ where line.contains(#""kind":"checkpoint""#) && edit.pointer.tokens.first == "effects":
      break
    // An event of a kind that is not known is left out, as if it were dropped.
    case "kind" where Self.isInformational(line): #expect(try result.get() == .identical)
    default:
      if case .success(let verdict) = result {
        #expect(verdict?.isSame == false, "\(json)")
      }
    }
  }
}
