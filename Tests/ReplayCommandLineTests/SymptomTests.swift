import ActionLog
import Foundation
import ReplayAnalyses
import ReplayHosts
import TestSupport
import Testing

@testable import ReplayCommandLine
@testable import ReplayEngine

@Suite struct SymptomTests {
  private func symptom(
    _ subject: String,
    _ cause: LogDifference.Cause = .state,
    action: String = #"{"increment":{}}"#
  ) throws -> Symptom {
    let difference = LogDifference(seq: 7, cause: cause, subject: subject, member: nil)
    let link = Verdict.Divergence.Link(
      seq: 7,
      origin: .view,
      action: try JSON(parsing: Data(action.utf8))
    )
    let divergence = try #require(Verdict.Divergence([difference], causes: [link]))
    let result = ReplayCheck.Result(verdict: .diverged(divergence), seq: 7, unknown: 0)
    return Symptom(LogRunReport(name: "a.jsonl", outcome: .verdict(result)))
  }

  @Test(
    "A symptom contains the case names of the action",
    arguments: [
      (#"{"increment":{}}"#, ".increment"),
      (#"{"inbox":{"_0":{"queryChanged":{"_0":"a"}}}}"#, ".inbox.queryChanged"),
      (#"{"saved":{"revision":2}}"#, ".saved"),
      (#"{"rows":{"_0":{"element":{"id":3,"action":{"tapped":{}}}}}}"#, ".rows[].tapped"),
    ]
  )
  func actions(action: String, name: String) throws {
    #expect(
      try symptom("/rows/12/title", action: action).text
        == "diverged: state rows[*].title, action \(name)"
    )
  }

  @Test(
    "A symptom leaves out indices, ids and effect numbers, which differ between logs",
    arguments: [
      ("/rows/12/title", "/rows/3/title", LogDifference.Cause.state),
      (
        "/byID/1E8571D9-6CC2-437E-8A5C-07C344379EC5/title",
        "/byID/00000000-0000-0000-0000-000000000000/title", .state
      ),
      ("1.0", "17.3", .effects),
      ("/names/masked0123456789abcdef01", "/names/maskedfedcba987654321001", .state),
    ]
  )
  func sameCause(first: String, second: String, cause: LogDifference.Cause) throws {
    let (first, second) = (try symptom(first, cause), try symptom(second, cause))
    #expect(first == second)
    #expect(first.fingerprint == second.fingerprint)
  }

  @Test(
    "Divergences with another path, cause or action have different symptoms",
    arguments: [
      ("/rows/12/name", LogDifference.Cause.state, #"{"increment":{}}"#),
      ("/rows/12/title", .effects, #"{"increment":{}}"#),
      ("/rows/12/title", .state, #"{"decrement":{}}"#),
    ]
  )
  func otherCause(place: String, cause: LogDifference.Cause, action: String) throws {
    let one = try symptom("/rows/12/title")
    let other = try symptom(place, cause, action: action)
    #expect(one != other)
    #expect(one.fingerprint != other.fingerprint)
  }

  @Test("A symptom leaves out numbers in messages, but keeps numbers in names")
  func failures() {
    let failures: [(HostFailure, String)] = [
      (
        .exited(3, at: 12),
        "the host ended with status N at action N; expected it to replay the whole log"
      ), (.unknownFeature("no Board2.State"), "no Board2.State"),
    ]
    for (failure, text) in failures {
      #expect(Symptom(LogRunReport(name: "a.jsonl", outcome: .failure(failure))).text == text)
    }
  }

  @Test(
    "The symptom of a missing or unreadable log does not contain the file name",
    arguments: [
      (LogReadError.noSuchFile("a/b.jsonl"), "there is no file LOG"),
      (.system(path: "a/b.jsonl", code: EACCES), "cannot read LOG: Permission denied"),
    ]
  )
  func paths(error: LogReadError, text: String) {
    let symptom = Symptom(LogRunReport(name: "a/b.jsonl", outcome: .failure(error)))
    #expect(symptom.text == text)
  }

  // Users compare stored results with those of other versions.
  @Test("Symptoms have the same fingerprint in all versions")
  func fixed() throws {
    #expect(try symptom("/rows/12/title").fingerprint == "15d298920eb25460")
    #expect(
      Symptom(kind: "trapped", detail: "SIGILL", action: ".rows[].tapped").fingerprint
        == "1f443030d5852af8"
    )
  }
}
