import ActionLog
import Testing

@testable import ReplayEngine

@Suite struct VerdictTests {
  private static let divergence = Verdict.Divergence(
    [
      LogDifference(seq: 3, cause: .state, subject: "/count", expected: 1, actual: .null),
      LogDifference(seq: 3, cause: .effects, subject: "3.0", member: "name", expected: "a"),
      LogDifference(seq: 3, cause: .sequence, subject: "change 3", message: "odd"),
    ],
    causes: [
      .init(seq: 3, origin: .effect(EffectID(seq: 1, index: 0), via: "dismiss"), action: "a"),
      .init(seq: 1, origin: .view, action: ["tap": [:]]),
    ]
  )

  static let verdicts: [Verdict] =
    [
      .identical, .cut(at: 3), .trapReproduced(at: 3, signal: "SIGILL"), .trapGone(at: 3),
      .trapped(at: 3, signal: "SIGTRAP"),
      .undecodable(.init(at: 2, path: "/a", message: "why")),
      .notReplayable(.init(at: 2, path: "/a", message: "why")),
    ] + (divergence.map { [.diverged($0)] } ?? [])

  @Test(arguments: verdicts)
  func `Verdict reads back from its JSON`(_ verdict: Verdict) {
    #expect(Verdict(json: verdict.json) == verdict)
  }

  @Test func `the JSON of a divergence lists its differences and causes`() throws {
    let divergence = try #require(Self.divergence)
    #expect(
      Verdict.diverged(divergence).json.description
        == #"{"verdict":"diverged","at":3,"cause":"state","paths":["/count","3.0/name","change 3"],"#
        + #""differences":[{"seq":3,"cause":"state","subject":"/count","expected":1,"actual":null},"#
        + #"{"seq":3,"cause":"effects","subject":"3.0","member":"name","expected":"a"},"#
        + #"{"seq":3,"cause":"sequence","subject":"change 3","message":"odd"}],"#
        + #""causes":[{"seq":3,"origin":{"effect":"1.0","via":"dismiss"},"action":"a"},"#
        + #"{"seq":1,"origin":"view","action":{"tap":{}}}]}"#
    )
  }

  @Test(arguments: [
    JSON.null, [:], ["verdict": "same"], ["verdict": "cut"], ["verdict": "diverged", "at": 1],
  ])
  func `Verdict refuses JSON that is not a verdict`(_ json: JSON) {
    #expect(Verdict(json: json) == nil)
  }

  @Test func `the verdict is a trap only if a signal ends the replay in the middle of an action`() {
    var result = LogComparison.Result()
    result.seq = 4
    result.stop = .replayStops(openAction: 4)
    #expect(Verdict(result, signal: nil) == nil)
    #expect(Verdict(result, signal: "SIGILL") == .trapped(at: 4, signal: "SIGILL"))
    result.stop = .recordingStops(openAction: 4, isReplayed: false)
    #expect(Verdict(result, signal: nil) == nil)
    #expect(Verdict(result, signal: "SIGILL") == .trapReproduced(at: 4, signal: "SIGILL"))
    result.stop = .recordingStops(openAction: 4, isReplayed: true)
    #expect(Verdict(result, signal: "SIGKILL") == .cut(at: 4))
    #expect(Verdict.cut(at: 4).considering(trapAt: 4) == .trapGone(at: 4))
    #expect(Verdict.cut(at: 4).considering(trapAt: 5) == .cut(at: 4))
  }

  @Test(
    arguments: [
      ("rnu", "run"), ("replya", "replay"), ("Counter", nil), ("", nil), ("feature", "features"),
    ] as [(String, String?)]
  )
  func `SpellingSuggestion finds the known word that is closest to a misspelled one`(
    text: String,
    word: String?
  ) {
    let known = ["run", "replay", "record", "show", "diff", "features"]
    #expect(SpellingSuggestion.closest(to: text, among: known) == word)
  }
}
