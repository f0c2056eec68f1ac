import ActionLog
import ReplayTestSupport
import Testing

@testable import ReplayEngine

/// Manipulated logs: every change of values or causality is detected.
@Suite struct LogMutationTests {
  /// After this line, no event belongs to the last complete action.
  private static let lastLine = SampleLog.lines.count - 2

  /// Returns whether the log has the same meaning without a line.
  ///
  /// This holds for an effect that sends no more actions and is in no later checkpoint, and for a checkpoint.
  private static func isInformational(_ line: String) -> Bool {
    line.contains(#""kind":"checkpoint","seq":9"#)
      || line.contains(#""event":"finished""#) && !line.contains(#""id":"10.0""#)
        && !line.contains(#""id":"3.0""#)
      || line.contains(#""by":"task""#)
      // The start follows from the end of the previous effect. Only the effect's own actions need it.
      || line.contains(#""event":"finished","sent":0"#)
  }

  @Test(arguments: 2..<lastLine)
  func `a comparison detects that an event is missing, unless the event is informational`(
    index: Int
  ) throws {
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

  /// Returns whether two adjacent lines can be swapped: a reducer may cancel running effects while it handles an
  /// action.
  private static func commute(_ first: String, _ second: String) -> Bool {
    first.contains(#""kind":"change""#) && second.contains(#""by":"task""#)
  }

  @Test(arguments: 2..<lastLine - 1)
  func `a comparison detects that two events are swapped, unless their order has no effect`(
    index: Int
  ) throws {
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

  /// Every scalar of every line except the header.
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
  func `a comparison detects that a member of an event is changed, unless it is informational`(
    _ edit: Edit
  ) throws {
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
    // Informational values, and the effects in a checkpoint, which the replay computes itself.
    case "at", "us", "source": #expect(try result.get() == .identical)
    case _ where line.contains(#""kind":"checkpoint""#) && edit.pointer.tokens.first == "effects":
      break
    // An event of an unknown kind is skipped, as if it were deleted.
    case "kind" where Self.isInformational(line): #expect(try result.get() == .identical)
    default:
      if case .success(let verdict) = result {
        #expect(verdict?.isSame == false, "\(json)")
      }
    }
  }
}
