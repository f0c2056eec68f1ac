import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayEngine

/// Logs that are out of order, out of range, or malformed: each gives a verdict or an error, and none ends the process.
@Suite struct FuzzTests {
  private func replay(_ bytes: [UInt8]) {
    var reader = LogReader(bytes: bytes)
    var other = LogReader(bytes: bytes)
    var session = ReplaySession(
      events: { try reader.next()?.event },
      makeEngine: { _ in CounterEngine() }
    )
    for extent in [LogComparison.Extent.first, .all] {
      var comparison = LogComparison(
        recorded: { try other.next()?.event },
        replayed: { try session.next() },
        extent: extent
      )
      guard let result = try? comparison.run() else { continue }
      if let verdict = Verdict(result, signal: nil) {
        #expect(Verdict(json: verdict.json) == verdict)
      }
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `a replay of a log with missing, repeated or swapped lines ends without a trap`(seed: UInt64)
  {
    var random = SplitMix64(seed: seed)
    let lines = SampleLog.lines.damaged(1...6, with: SampleLog.lines, using: &random)
    replay(Array(lines.joined(separator: "\n").utf8))
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `a replay of damaged bytes ends without a trap`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let others = Array("0179-\"{}[],:.eE \u{0}\u{7F}".utf8) + [0x80, 0xFF]
    replay(Array(SampleLog.text.utf8).damaged(1...8, with: others, using: &random))
  }

  @Test(arguments: ["9223372036854775807", "9223372036854775806", "99999999999999999999", "-1"])
  func `a replay of a log with extreme numbers ends without a trap`(number: String) {
    for old in [#""seq":0"#, #""seq":4"#, #""seq":16"#] {
      replay(Array(SampleLog.text.replacing(old, with: #""seq":\#(number)"#).utf8))
    }
    replay(Array(SampleLog.text.replacing("3.0", with: "\(number).\(number)").utf8))
  }

  @Test func `a divergence shortens a long chain of causes`() throws {
    var lines = [SampleLog.lines[0], SampleLog.lines[1]]
    let folder = try TemporaryFolder()
    for seq in 1...3000 {
      let origin = seq == 1 ? #""view""# : #"{"reentrant":\#(seq - 1)}"#
      lines.append(
        #"{"kind":"action","seq":\#(seq),"origin":\#(origin),"action":{"increment":{}}}"#
      )
      lines.append(
        #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/count","value":\#(seq % 3000)}]}"#
      )
    }
    let path = try folder.write(lines.joined(separator: "\n"), to: "a.jsonl")
    let verdict = try Verdict.ofReplay(logAt: path) { _ in CounterEngine() }
    guard case .diverged(let divergence) = verdict.first else {
      Issue.record("\(verdict)")
      return
    }
    #expect(divergence.at == 3000)
    #expect(divergence.causes.map(\.seq) == [3000] + (2982...2999).reversed() + [1])
    let text = VerdictText().details(.diverged(divergence))
    #expect(text[19...20] == ["  …", "  action 1 sent by the view"])
  }
}
