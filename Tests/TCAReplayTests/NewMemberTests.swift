import ActionLog
import Foundation
import ReplayEngine
import Testing

@testable import TCAReplay
@testable import TCAReplaying

/// Logs whose actions add rows.
///
/// The code has more or fewer members than the log.
@MainActor @Suite("New members of new rows") struct NewMemberTests {
  /// A row of the current code: `done` has no default, `note` is new and optional, `due` has its own type.
  @LogValue struct Row: Equatable, Sendable {
    var title: String
    var done: Bool
    var note: String?
    var due = Due()
  }

  @LogValue struct Due: Equatable, Sendable {
    var day = 1
    var month = 2
  }

  /// Encoded by `Codable`, where a missing member cannot be distinguished from a missing key.
  struct Coded: Codable, Equatable, Sendable {
    var title: String
    var note: String?
  }

  @Reducer struct Feature {
    @ObservableState struct State: Equatable {
      var rows: [Row] = []
      var coded: [Coded] = []
      var counts: [String: Int] = [:]
      var editing: Editing?
    }

    /// The edited value, in the payload of a case.
    @LogValue enum Editing: Equatable, Sendable {
      case row(Row)
      case coded(Coded)
    }

    enum Action {
      case add(String)
      case code(String)
      case count(String)
      case put(Row)
      case edit(String)
    }

    /// Whether the code behaves differently from the log.
    var isBroken = false

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add(let title):
          state.rows.append(Row(title: isBroken ? title + "!" : title, done: false))
        case .put(let row): state.rows.append(row)
        case .code(let title): state.coded.append(Coded(title: title, note: "new"))
        case .count(let name):
          state.counts[name, default: 0] += 1
          if isBroken { state.counts["other"] = 1 }
        case .edit(let title):
          state.editing = .row(Row(title: isBroken ? title + "!" : title, done: true, note: "n"))
        }
        return .none
      }
    }
  }

  /// The form of the previous code: rows had a title and a removed member `color`.
  private static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"Feature","stateType":"Feature.State"}
    {"kind":"checkpoint","seq":0,"state":{"rows":[],"coded":[],"counts":{},"editing":null},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"add":{"_0":"milk"}}}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/0","value":{"title":"milk","color":"red"}}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"count":{"_0":"milk"}}}
    {"kind":"change","seq":2,"patch":[{"op":"add","path":"/counts/milk","value":1}]}
    {"kind":"action","seq":3,"at":3,"origin":"view","action":{"add":{"_0":"bread"}}}
    {"kind":"change","seq":3,"patch":[{"op":"add","path":"/rows/1","value":{"title":"bread","color":"blue","due":{"day":1}}}]}
    {"kind":"end","seq":3,"reason":"closed"}
    """#

  private func check(
    _ log: String = log,
    isBroken: Bool = false,
    isStrict: Bool = false
  ) throws -> ReplayedLog {
    let feature = ReplayFeature("Feature") {
      Feature(isBroken: isBroken)
    } initialState: {
      Feature.State()
    }
    return try TCAReplayTests.check(
      log,
      of: feature,
      options: LogComparison.Options(isStrict: isStrict)
    )
  }

  @Test("Members of rows that are missing in log or code are noted and cause no divergence")
  func theyAreNoted() throws {
    let log = try check()
    #expect(
      log.text == """
        log: identical, through action 3
          note: rows[*].done: the log lacks it
          note: rows[*].color: the code no longer has it
          note: rows[*].note: the log lacks it
          note: rows[*].due: the log lacks it

        """
    )
  }

  @Test("A strict replay diverges at members of rows that are missing in log or code")
  func strictReplaysDiffer() throws {
    let log = try check(isStrict: true)
    guard case .diverged(let divergence)? = log.verdict else {
      Issue.record("\(log.text)")
      return
    }
    #expect(divergence.at == 1)
    #expect(divergence.cause == .schemaDrift)
    #expect(
      Set(divergence.paths) == ["/rows/*/done", "/rows/*/note", "/rows/*/due", "/rows/*/color"]
    )
  }

  @Test(
    "A replay diverges at differing members that log and code have in common, and at dictionary keys"
  )
  func realDifferencesStay() throws {
    guard case .diverged(let divergence)? = try check(isBroken: true).verdict else {
      Issue.record("nothing diverged")
      return
    }
    #expect(divergence.at == 1)
    #expect(divergence.paths == ["/rows/0/title"])
    let counting = Self.log.split(separator: "\n").filter {
      !$0.contains("rows/") && !$0.contains("\"add\":{\"_0\"")
    }
    .joined(separator: "\n").replacing("\"seq\":2", with: "\"seq\":1")
    .replacing("\"seq\":3,\"reason\"", with: "\"seq\":1,\"reason\"")
    #expect(try check(counting).verdict == .identical)
    guard case .diverged(let keys)? = try check(counting, isBroken: true).verdict else {
      Issue.record("nothing diverged")
      return
    }
    #expect(keys.paths == ["/counts/other"])
  }

  @Test("An optional member of a Codable row that the log lacks is a note")
  func codableRows() throws {
    let log =
      Self.log.split(separator: "\n").prefix(2).joined(separator: "\n") + #"""

        {"kind":"action","seq":1,"at":1,"origin":"view","action":{"code":{"_0":"milk"}}}
        {"kind":"change","seq":1,"patch":[{"op":"add","path":"/coded/0","value":{"title":"milk"}}]}
        {"kind":"end","seq":1,"reason":"closed"}
        """#
    #expect(
      try check(log).text == """
        log: identical, through action 1
          note: coded[*].note: the log lacks it

        """
    )
  }

  /// Rows from before the recording, and one from an action.
  ///
  /// No initial state contains them.
  private static let oldRows = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"Feature","stateType":"Feature.State"}
    {"kind":"checkpoint","seq":0,"state":{"rows":[{"title":"milk","done":true}],"coded":[],"counts":{},"editing":null},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"put":{"_0":{"title":"bread","done":false,"due":{"month":3}}}}}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/1","value":{"title":"bread","done":false,"due":{"month":3}}}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"count":{"_0":"milk"}}}
    {"kind":"change","seq":2,"patch":[{"op":"add","path":"/counts/milk","value":1}]}
    {"kind":"end","seq":2,"reason":"closed"}
    """#

  @Test("A member that the log lacks has its declared value in recorded rows and in actions")
  func declaredValues() throws {
    #expect(
      try check(Self.oldRows).text == """
        log: identical, through action 2
          note: rows[*].note: the log lacks it; it has its initial value
          note: rows[*].due: the log lacks it; it has its initial value

        """
    )
    guard case .diverged(let divergence)? = try check(Self.oldRows, isBroken: true).verdict else {
      Issue.record("nothing diverged")
      return
    }
    #expect(divergence.at == 2)
    #expect(divergence.paths == ["/counts/other"])
  }

  /// The effect of `edit` in the previous code.
  ///
  /// The state contains only the edited value.
  private static let editing =
    log.split(separator: "\n").prefix(1).joined() + #"""

      {"kind":"checkpoint","seq":0,"state":{"rows":[],"coded":[],"counts":{},"editing":null},"effects":[]}
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"edit":{"_0":"milk"}}}
      {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/editing","value":{"row":{"_0":{"title":"milk","color":"red"}}}}]}
      {"kind":"end","seq":1,"reason":"closed"}
      """#

  @Test("Members in the payload of a case are noted with the name of the case")
  func payloads() throws {
    #expect(
      try check(Self.editing).text == """
        log: identical, through action 1
          note: editing.row.done: the log lacks it
          note: editing.row.color: the code no longer has it
          note: editing.row.note: the log lacks it
          note: editing.row.due: the log lacks it

        """
    )
    guard case .diverged(let divergence)? = try check(Self.editing, isBroken: true).verdict else {
      Issue.record("nothing diverged")
      return
    }
    #expect(divergence.paths == ["/editing/row/_0/title"])
  }
}
