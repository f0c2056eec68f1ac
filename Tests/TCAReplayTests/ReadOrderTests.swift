import ActionLog
import Foundation
import ReplayEngine
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// Code that reads its dependencies in another order than in the recording, or reads fewer of them.
@MainActor @Suite("Reads in another order") struct ReadOrderTests {
  @Reducer struct Feature {
    @ObservableState struct State: Equatable {
      var ids: [UUID] = []
    }

    enum Action { case tap }

    enum Question: Sendable { case date, uuid }

    /// The reads of the reducer in order.
    let questions: [Question]

    @Dependency(\.date.now) var now
    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        for question in questions {
          switch question {
          case .date: _ = now
          case .uuid: state.ids.append(uuid())
          }
        }
        return .none
      }
    }
  }

  /// An id, the date, and another id.
  nonisolated private static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"Feature","stateType":"Feature.State"}
    {"kind":"checkpoint","seq":0,"state":{"ids":[]},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"tap":{}}}
    {"kind":"read","seq":1,"key":"uuid","value":"00000000-0000-0000-0000-000000000001"}
    {"kind":"read","seq":1,"key":"date","value":"2026-01-01T00:00:00Z"}
    {"kind":"read","seq":1,"key":"uuid","value":"00000000-0000-0000-0000-000000000002"}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/ids/0","value":"00000000-0000-0000-0000-000000000001"},{"op":"add","path":"/ids/1","value":"00000000-0000-0000-0000-000000000002"}]}
    {"kind":"end","seq":1,"reason":"closed"}
    """#

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let questions: [Feature.Question]
    let text: String
  }

  nonisolated private static func diverged(_ paths: String, _ differences: String) -> String {
    """
    log: diverged at action 1: \(paths)

      action 1  .tap
        sent by the view

      − recorded, + replayed
    \(differences)

    """
  }

  nonisolated private static let cases = [
    Case(
      testDescription: "as recorded",
      questions: [.uuid, .date, .uuid],
      text: "log: identical, through action 1\n"
    ),
    Case(
      testDescription: "without the date",
      questions: [.uuid, .uuid],
      text: diverged(
        "reads date",
        """
          reads
            date
              − 2026-01-01T00:00:00Z
        """
      )
    ),
    Case(
      testDescription: "the date at the end",
      questions: [.uuid, .uuid, .date],
      text: diverged(
        "reads uuid",
        """
          reads
            − read date
            + read uuid
        """
      )
    ),
    Case(
      testDescription: "one id more",
      questions: [.uuid, .date, .uuid, .uuid],
      text: diverged(
        "reads uuid",
        """
          reads
            + read uuid
          state
            ids[2]
              + …0001
        """
      )
    ),
  ]

  @Test(
    "A read gets its recorded answer by key, and missing, moved and added reads diverge",
    arguments: cases
  )
  func answers(testCase: Case) throws {
    let feature = ReplayFeature("Feature") {
      Feature(questions: testCase.questions)
    } initialState: {
      Feature.State()
    }
    let log = try check(Self.log, of: feature)
    // The recorded values for the action are also shown, after the differences.
    let text = log.text.components(separatedBy: "\n\n  recorded").first ?? ""
    #expect(
      text.trimmingCharacters(in: .newlines) == testCase.text.trimmingCharacters(in: .newlines)
    )
  }
}
