import ActionLog
import ReplayTestSupport
import Testing

@testable import LogTools

/// What inspecting a log holds does not grow with the log.
@Suite struct BoundedInspectionTests {
  private func verify(_ lines: [String], mostListed: Int) throws -> LogVerifier {
    var reader = LogReader(bytes: Array(lines.joined(separator: "\n").utf8 + [0x0A]))
    var verifier = LogVerifier(mostListed: mostListed)
    while let entry = try reader.nextSkimmed() { verifier.add(entry) }
    return verifier
  }

  @Test func ofManyProblemsTheFirstAreListed() throws {
    let wrong = (1...50).map {
      #"{"kind":"read","seq":\#($0),"key":"uuid","value":"A"}"#
    }
    let verifier = try verify(Array(SampleLog.lines.prefix(2)) + wrong, mostListed: 10)
    #expect(verifier.problemCount == 50)
    #expect(verifier.problems.map(\.line) == Array(3...12))
    let log = VerifiedLog(verifier, tornTail: nil)
    let text = log.text("a", file: "a").split(separator: "\n")
    #expect(text.count == 12)
    #expect(text[10] == "a: note: 40 problems more behind these; repair what stands here first")
    #expect(text[11] == "a: 50 problems")
    #expect(log.json("a")["unlisted"]?.int == 40)
    #expect(!log.isSound)
  }

  @Test func effectsOfOneLogTakeABitEach() {
    var set = EffectSet()
    for seq in 1...1_000 {
      #expect(!set.contains(EffectID(seq: seq, index: 0)))
      let inserted = [
        set.insert(EffectID(seq: seq, index: 0)), set.insert(EffectID(seq: seq, index: 0)),
      ]
      #expect(inserted == [true, false])
    }
    #expect(set.contains(EffectID(seq: 1_000, index: 0)))
    #expect(!set.contains(EffectID(seq: 1_000, index: 1)))
    #expect(!set.contains(EffectID(seq: 1_001, index: 0)))
    #expect(set.blockCount == 1_000 / 64 + 1)
  }
}
