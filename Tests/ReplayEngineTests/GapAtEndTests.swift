import ActionLog
import ReplayEngine
import ReplayTestSupport
import Testing

/// Logs that end in a gap without a checkpoint, as after a limit of the recorder.
@Suite struct GapAtEndTests {
  private static func gap(_ seq: Int, dropped: Int) -> String {
    #"{"kind":"gap","seq":\#(seq),"at":90,"dropped":\#(dropped),"reason":"the limit is reached"}"#
  }

  private static func end(_ seq: Int) -> String {
    #"{"kind":"end","seq":\#(seq),"reason":"closed"}"#
  }

  /// The numbers of lines of the sample log before a gap, and the last action before it.
  static let places = [(4, 1), (9, 3), (13, 5), (17, 6), (19, 7), (26, 10), (34, 13)]

  @Test(arguments: places, [0, 12])
  func `a replay of a log that ends with a gap reaches the end, whatever the gap dropped`(
    place: (lines: Int, seq: Int),
    dropped: Int
  ) throws {
    let last = place.seq + dropped
    let gaps = [
      [Self.gap(last, dropped: dropped)],
      [Self.gap(place.seq, dropped: 0), Self.gap(last, dropped: dropped)],
    ]
    for gap in gaps {
      let lines = SampleLog.lines.prefix(place.lines) + gap + [Self.end(last)]
      #expect(try SampleLog.verdict(Array(lines)) == .identical)
      let replayed = try SampleLog.replay(Array(lines))
      #expect(replayed.suffix(gap.count + 1).map(\.kind) == gap.map { _ in "gap" } + ["end"])
      #expect(replayed.last?.seq == last)
    }
  }

  @Test func `a replay reports changed code before a gap at the end of the log`() throws {
    let lines = SampleLog.lines.prefix(4) + [Self.gap(20, dropped: 30), Self.end(20)]
    let verdict = try SampleLog.verdict(Array(lines), .countsByTwo)
    #expect(verdict?.isSame == false)
  }
}
