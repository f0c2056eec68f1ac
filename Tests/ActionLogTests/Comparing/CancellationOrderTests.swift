import ActionLog
import Testing

/// The effects that one action cancels, in two logs.
struct CancellationOrderTests {
  /// Returns a log in which action 4 cancels effects in a given order, and action 5 cancels another one.
  ///
  /// - Parameters:
  ///   - cancelled: The effects in the order of their cancellation.
  ///   - last: The effect that action 5 cancels.
  ///   - between: A line that another thread has written after the first of them.
  /// - Returns: The events.
  /// - Throws: The error of a line that is not an event.
  private func events(
    _ cancelled: [Int],
    last: Int = 3,
    between: String? = nil
  ) throws -> LogComparison.Events {
    let begin =
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"A","#
      + #""feature":"Test","stateType":"State","startedAt":"2026-01-01T00:00:00Z","#
      + #""recorder":"0.2.0","environment":{},"segment":1}"#
    var lines = [begin, #"{"kind":"checkpoint","seq":0,"state":{},"effects":[]}"#]
    for seq in 1...3 {
      lines.append(#"{"kind":"action","seq":\#(seq),"at":0,"origin":"view","action":{"go":{}}}"#)
      lines.append(
        #"{"kind":"change","seq":\#(seq),"patch":[],"effects":[{"id":"\#(seq).0","op":"run"}]}"#
      )
    }
    for (seq, effects) in [(4, cancelled), (5, [last])] {
      lines.append(#"{"kind":"action","seq":\#(seq),"at":0,"origin":"view","action":{"stop":{}}}"#)
      lines.append(#"{"kind":"change","seq":\#(seq),"patch":[]}"#)
      for effect in effects {
        lines.append(
          #"{"kind":"effect","id":"\#(effect).0","event":"cancelled","by":{"action":\#(seq)},"at":0}"#
        )
        if seq == 4, effect == cancelled[0], let between { lines.append(between) }
      }
    }
    lines.append(#"{"kind":"end","seq":5,"reason":"closed"}"#)
    var events = try lines.map { try LogEvent(json: JSON(parsing: $0)) }.makeIterator()
    return { events.next() }
  }

  /// Returns the effects that only one of the logs has as canceled, after their actions.
  private func differences(_ recorded: [Int], _ replayed: [Int], last: Int = 3) throws -> [String] {
    var comparison = LogComparison(
      recorded: try events(recorded),
      replayed: try events(replayed, last: last),
      extent: .all
    )
    return try comparison.run().differences.map {
      "\($0.seq) \($0.subject) \($0.expected == nil ? "only replayed" : $0.actual == nil ? "only recorded" : "\($0)")"
    }
  }

  @Test(arguments: [[1, 2], [2, 1]])
  func `a comparison ignores the order in which one action cancels effects`(
    replayed: [Int]
  ) throws {
    #expect(try differences([1, 2], replayed) == [])
    #expect(try differences([2, 1], replayed) == [])
  }

  @Test(arguments: [
    #"{"kind":"note","seq":4,"at":0,"text":"saved"}"#,
    #"{"kind":"call","id":"3.0","key":"API.load","arguments":[7],"result":1,"at":0,"us":9}"#,
    #"{"kind":"more","seq":4}"#,
  ])
  func `a comparison ignores events of other threads between the cancellations of an action`(
    line: String
  ) throws {
    for replayed in [[1, 2], [2, 1]] {
      var comparison = LogComparison(
        recorded: try events([2, 1], between: line),
        replayed: try events(replayed),
        extent: .all
      )
      #expect(try comparison.run().differences == [])
    }
  }

  @Test
  func `a comparison reports a cancellation that only one log has, at the action that cancels`()
    throws
  {
    #expect(try differences([2, 1], [1]) == ["4 2.0 only recorded"])
    #expect(try differences([2, 1], [2]) == ["4 1.0 only recorded"])
    #expect(try differences([1], [2, 1]) == ["4 2.0 only replayed"])
  }

  @Test
  func `a comparison reports a difference if two actions exchange the effects that they cancel`()
    throws
  {
    #expect(try differences([1], [3], last: 1).isEmpty == false)
  }
}
