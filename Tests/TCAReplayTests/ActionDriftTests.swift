import ActionLog
import Foundation
import ReplayEngine
import TCACore
import Testing

@testable import ReplayAnalyses
@testable import TCAReplay
@testable import TCAReplaying

/// Logs of code whose reducer sent itself actions with other members than those of the current code.
@MainActor @Suite("New members of the reducer's own actions") struct ActionDriftTests {
  /// The payload of the actions: `color` is new and has a default, `note` is new and optional, `done` is new and has
  /// neither.
  @LogValue struct Item: Equatable, Sendable {
    var title: String
    var done: Bool
    var color = "red"
    var note: String?
  }

  /// The payload from an effect: `color` is new and optional.
  @LogValue struct Loaded: Equatable, Sendable {
    var title: String
    var color: String?
  }

  @Reducer struct Feature {
    @ObservableState struct State: Equatable {
      var title = ""
      var counts = 0
    }

    enum Action {
      case save(String)
      case saved([Item])
      case count
      case counted([String: Int])
      case load
      case loaded(Loaded)
      case shout(String)
      case rename(to: String, isLoud: Bool = true)
    }

    /// Whether the code behaves differently from the log.
    var isBroken = false

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .save(let title):
          return .send(.saved([Item(title: isBroken ? title + "!" : title, done: true, note: "n")]))
        case .saved(let items): state.title = items[0].title
        case .count: return .send(.counted(isBroken ? ["a": 1, "b": 2] : ["a": 1]))
        case .counted(let counts): state.counts += counts.count
        case .load: return .run { _ in }
        case .shout(let title): return .send(.rename(to: title, isLoud: !isBroken))
        case .rename(let title, let isLoud): state.title = isLoud ? title.uppercased() : title
        case .loaded(let loaded): state.title = "\(loaded.title) \(loaded.color ?? "red")"
        }
        return .none
      }
    }
  }

  private static let head = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"Feature","stateType":"Feature.State"}
    {"kind":"checkpoint","seq":0,"state":{"title":"","counts":0},"effects":[]}

    """#

  /// The form of the previous code: items had a title and a `size`.
  private static let saving =
    head + #"""
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"save":{"_0":"milk"}}}
      {"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"send","action":{"saved":{"_0":[{"title":"milk","size":1}]}}}]}
      {"kind":"action","seq":2,"at":1,"origin":{"effect":"1.0"},"action":{"saved":{"_0":[{"title":"milk","size":1}]}}}
      {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/title","value":"milk"}]}
      {"kind":"end","seq":2,"reason":"closed"}
      """#

  private static let counting =
    head + #"""
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"count":{}}}
      {"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"send","action":{"counted":{"_0":{"a":1}}}}]}
      {"kind":"action","seq":2,"at":1,"origin":{"effect":"1.0"},"action":{"counted":{"_0":{"a":1}}}}
      {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/counts","value":1}]}
      {"kind":"end","seq":2,"reason":"closed"}
      """#

  private static let loading =
    head + #"""
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"load":{}}}
      {"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"run"}]}
      {"kind":"action","seq":2,"at":2,"origin":{"effect":"1.0"},"action":{"loaded":{"_0":{"title":"milk"}}}}
      {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/title","value":"milk red"}]}
      {"kind":"effect","id":"1.0","event":"finished","sent":1,"at":3}
      {"kind":"end","seq":2,"reason":"closed"}
      """#

  /// A log of code whose action contained only a name.
  private static let renaming =
    head + #"""
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"rename":{"to":"milk"}}}
      {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/title","value":"MILK"}]}
      {"kind":"action","seq":2,"at":1,"origin":"view","action":{"shout":{"_0":"bread"}}}
      {"kind":"change","seq":2,"patch":[],"effects":[{"id":"2.0","op":"send","action":{"rename":{"to":"bread"}}}]}
      {"kind":"action","seq":3,"at":1,"origin":{"effect":"2.0"},"action":{"rename":{"to":"bread"}}}
      {"kind":"change","seq":3,"patch":[{"op":"replace","path":"/title","value":"BREAD"}]}
      {"kind":"end","seq":3,"reason":"closed"}
      """#

  private func check(
    _ log: String,
    isBroken: Bool = false,
    isStrict: Bool = false,
    isContinuing: Bool = false
  ) throws -> ReplayedLog {
    let feature = ReplayFeature("Feature") {
      Feature(isBroken: isBroken)
    } initialState: {
      Feature.State()
    }
    return try TCAReplayTests.check(
      log,
      of: feature,
      options: LogComparison.Options(isStrict: isStrict),
      isContinuing: isContinuing
    )
  }

  private static let notes = """
    log: identical, through action 2
      note: saved[*].done: the log's action lacks it
      note: saved[*].size: the code's action no longer has it
      note: saved[*].color: the log's action lacks it
      note: saved[*].note: the log's action lacks it

    """

  @Test(
    "Members of a sent action that are missing in log or code are noted and cause no divergence",
    arguments: [false, true]
  )
  func theyAreNoted(isContinuing: Bool) throws {
    let text = try check(Self.saving, isContinuing: isContinuing).text
    #expect(text == Self.notes)
  }

  @Test("New members of a sent action are noted even if the log has the action only as an event")
  func sendsWithoutActions() throws {
    let log = Self.saving.replacing(
      #""op":"send","action":{"saved":{"_0":[{"title":"milk","size":1}]}}"#,
      with: #""op":"send""#
    )
    #expect(log != Self.saving)
    let text = try check(log).text
    #expect(text == Self.notes)
  }

  @Test("A strict replay diverges at members of an action that are missing in log or code")
  func strictReplaysDiffer() throws {
    guard case .diverged(let divergence)? = try check(Self.saving, isStrict: true).verdict else {
      Issue.record("nothing diverged")
      return
    }
    #expect(divergence.at == 1)
    #expect(divergence.cause == .schemaDrift)
    #expect(
      divergence.paths == [
        "/saved/_0/*/done", "/saved/_0/*/size", "/saved/_0/*/color", "/saved/_0/*/note",
      ]
    )
  }

  @Test(
    "An action diverges if a member that log and code have in common differs",
    arguments: [false, true]
  )
  func realDifferencesStay(isContinuing: Bool) throws {
    let log = try check(Self.saving, isBroken: true, isContinuing: isContinuing)
    guard case .diverged(let divergence)? = log.verdict else {
      Issue.record("\(log.text)")
      return
    }
    #expect(divergence.at == 1)
    #expect(divergence.cause == .effects)
    #expect(divergence.paths == ["1.0/action"])
  }

  @Test("A new dictionary key in an action diverges instead of being noted as a new member")
  func keysDiffer() throws {
    let text = try check(Self.counting).text
    #expect(text == "log: identical, through action 2\n")
    let log = try check(Self.counting, isBroken: true)
    guard case .diverged(let divergence)? = log.verdict else {
      Issue.record("\(log.text)")
      return
    }
    #expect(divergence.at == 1)
    #expect(divergence.paths == ["1.0/action"])
  }

  @Test("The action of an effect is decoded even if an optional member is missing in the log")
  func actionsOfEffects() throws {
    let text = try check(Self.loading).text
    #expect(text == "log: identical, through action 2\n")
  }

  @Test("An associated value that the log lacks is decoded as the default that its case declares")
  func associatedValues() throws {
    #expect(
      try check(Self.renaming).text == """
        log: identical, through action 3
          note: rename.isLoud: the log's action lacks it

        """
    )
    guard case .diverged(let divergence)? = try check(Self.renaming, isBroken: true).verdict else {
      Issue.record("nothing diverged")
      return
    }
    #expect(divergence.at == 3)
    #expect(divergence.paths == ["/title"])
  }
}
