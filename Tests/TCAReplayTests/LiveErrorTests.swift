import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCAReplay
@testable import TCAReplaying

/// The points from which stores continue, and the errors if they can't.
@MainActor
@Suite("Places of live stores", .serialized)
struct LiveErrorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private nonisolated static let header =
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"A","feature":"Counter","stateType":"Counter.State","startedAt":"2026-11-20T09:12:03Z","recorder":"0.2.0","environment":{},"segment":1}"#

  private nonisolated static func checkpoint(_ seq: Int, _ count: Int = 0) -> String {
    #"{"kind":"checkpoint","seq":\#(seq),"state":{"count":\#(count),"isTimerRunning":false,"die":null},"effects":[]}"#
  }

  private nonisolated static func increment(_ seq: Int, to count: Int) -> String {
    """
    {"kind":"action","seq":\(seq),"at":0,"origin":"view","action":{"incrementButtonTapped":{}}}
    {"kind":"change","seq":\(seq),"patch":[{"op":"replace","path":"/count","value":\(count)}]}
    """
  }

  private nonisolated static func log(_ lines: String...) -> RecordedLog {
    .lines(([header] + lines).joined(separator: "\n") + "\n")
  }

  private func open(_ log: RecordedLog, through seq: Int? = nil) throws(ResumeError) -> Int {
    let store = try Store(replaying: log, through: seq) {
      Counter()
    } initialState: {
      Counter.State()
    }
    return store.count
  }

  @Test("A store opens a log in memory at its start, at an action and at its end")
  func places() throws {
    let log = Self.log(Self.checkpoint(0), Self.increment(1, to: 1), Self.increment(2, to: 2))
    #expect(try open(log, through: 0) == 0)
    #expect(try open(log, through: 1) == 1)
    #expect(try open(log) == 2)
  }

  @Test(
    "A store that opens a log has the recorded state, even if its reducer computes another state"
  )
  func otherCode() throws {
    let log = Self.log(Self.checkpoint(0), Self.increment(1, to: 40), Self.increment(2, to: 7))
    #expect(try open(log, through: 1) == 40)
    #expect(try open(log, through: 2) == 7)
  }

  @Test("A store that opens a log ignores an unfinished action at the end of the log")
  func unfinished() throws {
    let last = #"{"kind":"action","seq":2,"at":0,"origin":"view","action":{"nonsense":{}}}"#
    let log = Self.log(Self.checkpoint(0), Self.increment(1, to: 1), last)
    #expect(try open(log) == 1)
    #expect(
      try open(Self.log(Self.checkpoint(0), last.replacing("\"seq\":2", with: "\"seq\":1"))) == 0
    )
  }

  @Test("A store that opens a log at an action does not have later changes from outside")
  func outside() throws {
    let log = Self.log(
      Self.checkpoint(0),
      Self.increment(1, to: 1),
      #"{"kind":"external","seq":1,"at":0,"patch":[{"op":"replace","path":"/count","value":9}]}"#
    )
    #expect(try open(log, through: 1) == 1)
    #expect(try open(log) == 9)
  }

  @Test("In a store that opens a log, members that the log lacks have their initial values")
  func drift() throws {
    let log = Self.log(
      #"{"kind":"checkpoint","seq":0,"state":{"count":3,"isTimerRunning":true,"old":1},"effects":[]}"#
    )
    let store = try Store(replaying: log) {
      Counter()
    } initialState: {
      var state = Counter.State()
      state.die = 6
      return state
    }
    #expect(store.state.die == 6)
    #expect(store.isTimerRunning)
    #expect(
      store.restoredPosition?.drift == [
        SchemaDrift(path: JSON.Pointer(["die"]), kind: .missingInLog),
        SchemaDrift(path: JSON.Pointer(["old"]), kind: .unknownToCode),
      ]
    )
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let log: RecordedLog
    var seq: Int?
    let message: String
  }

  private nonisolated static let end = #"{"kind":"end","seq":2,"reason":"closed"}"#

  private nonisolated static let refusals: [Refusal] = [
    Refusal(
      testDescription: "no file",
      log: .file("/nowhere/log.jsonl"),
      message: "there is no file /nowhere/log.jsonl"
    ),
    Refusal(
      testDescription: "an empty log",
      log: .bytes([UInt8]()),
      message: "the log is empty; expected an event 'header' on the first line"
    ),
    Refusal(
      testDescription: "a damaged line",
      log: log(checkpoint(0), "{", increment(1, to: 1)),
      message: "line 3 is not JSON: the text ends in the middle of a JSON value, at byte 1"
    ),
    Refusal(
      testDescription: "no checkpoint",
      log: log(),
      message:
        "the log has no state: it ends before its first checkpoint, so nothing can go on from it"
    ),
    Refusal(
      testDescription: "an action after the end",
      log: log(checkpoint(0), increment(1, to: 1), increment(2, to: 2), end),
      seq: 3,
      message: "the log has no state after action 3; choose an action from 0 to 2"
    ),
    Refusal(
      testDescription: "an action before the start of what a ring has",
      log: log(checkpoint(40), increment(41, to: 1)),
      seq: 12,
      message: "the log has no state after action 12; choose an action from 40 to 41"
    ),
    Refusal(
      testDescription: "the only state",
      log: log(checkpoint(0)),
      seq: 1,
      message: "the log has no state after action 1; choose 0, the only one"
    ),
    Refusal(
      testDescription: "an action in a gap",
      log: log(
        checkpoint(0),
        increment(1, to: 1),
        #"{"kind":"gap","seq":4,"at":0,"dropped":6,"reason":"full"}"#,
        checkpoint(4, 9),
        increment(5, to: 10)
      ),
      seq: 3,
      message:
        "the log has no state after action 3, which is missing in a gap; choose another action from 0 to 5"
    ),
    Refusal(
      testDescription: "an action that was not finished",
      log: log(
        checkpoint(0),
        increment(1, to: 1),
        #"{"kind":"action","seq":2,"at":0,"origin":"view","action":{"incrementButtonTapped":{}}}"#
      ),
      seq: 2,
      message:
        "action 2 was not finished, the log ends while it is reduced; open the log through 1, and send the action to see what it does"
    ),
    Refusal(
      testDescription: "another feature",
      log: .lines(
        header.replacing("\"Counter\"", with: "\"Todos\"")
          .replacing("Counter.State", with: "Todos.State") + "\n" + checkpoint(0) + "\n"
      ),
      message:
        "the log is of feature 'Todos' with the state type Todos.State, not Counter.State; open it with the reducer of that feature"
    ),
    Refusal(
      testDescription: "several logs",
      log: .lines(
        [
          header, checkpoint(0), header.replacing("\"id\":\"A\"", with: "\"id\":\"B\""),
          checkpoint(0),
        ].joined(separator: "\n") + "\n"
      ),
      message: "there are several logs: the log#1, the log#2; choose one of them"
    ),
    Refusal(
      testDescription: "a change that does not fit",
      log: log(
        checkpoint(0),
        #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"incrementButtonTapped":{}}}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/sum/1","value":1}]}"#
      ),
      message:
        "the patch of action 1 does not fit the state before it: operation 0, {\"op\":\"replace\",\"path\":\"/sum/1\",\"value\":1}, finds no value at '/sum/1'; 'tca-replay verify' finds all such places, and --repair keeps the valid part"
    ),
    Refusal(
      testDescription: "a state of another shape",
      log: log(
        #"{"kind":"checkpoint","seq":0,"state":{"count":"one","isTimerRunning":false,"die":null},"effects":[]}"#
      ),
      message:
        "the state before the first action cannot be read: 'count' should be a whole number from -9223372036854775808 to 9223372036854775807 for Int; found \"one\""
    ),
    Refusal(
      testDescription: "a value that the log does not hold",
      log: log(
        #"{"kind":"checkpoint","seq":3,"state":{"count":0,"isTimerRunning":false,"die":{"$opaque":"Die"}},"effects":[]}"#
      ),
      message:
        "the state after action 3 cannot be read: 'die' was not recorded, only its type, Die: make Die conform to LogValue or Codable; or give an initial state that has the value"
    ),
  ]

  @Test(
    "A store that cannot open a log or a position throws an error that suggests a remedy",
    arguments: refusals
  )
  func refused(_ refusal: Refusal) throws {
    do {
      _ = try Store(replaying: refusal.log, through: refusal.seq) { Counter() }
      Issue.record("the log was opened")
    } catch {
      #expect("\(error)" == refusal.message)
    }
  }

  @Test("A store refuses a log of a newer schema version")
  func newer() throws {
    let text = Self.header.replacing(",\"segment\"", with: ",\"schemaVersion\":3,\"segment\"")
    do {
      _ = try Store(
        replaying: .lines(text + "\n" + Self.checkpoint(0) + "\n")
      ) {
        Counter()
      }
      Issue.record("the log was opened")
    } catch {
      #expect(
        "\(error)"
          == "the log of 'Counter' has schema version 3, this host goes up to 1: use a newer build of the app"
      )
    }
  }

  @Test("A store opens the segments of a ring by common name, by folder or individually")
  func ring() throws {
    let path = folder.path + "/flight.jsonl"
    let recorder = Recorder(to: .ring(path, bytes: 6000, segments: 3))
    var store: StoreOf<Counter>? = Store(initialState: Counter.State()) {
      Counter().recorded(to: recorder)
    }
    for _ in 0..<200 { store?.send(.incrementButtonTapped) }
    let exported = folder.path + "/whole.jsonl"
    try recorder.export(to: URL(fileURLWithPath: exported))
    store = nil
    let first = try #require(try RecordedRun(exported).events.compactMap(\.seq).first)
    #expect(first > 0)
    for log in [RecordedLog.file(path), .file(exported)] {
      for seq in [first, first + 1, 199, 200] { #expect(try open(log, through: seq) == seq) }
      #expect(try open(log) == 200)
      let error = #expect(throws: ResumeError.self) { try open(log, through: 3) }
      #expect(error == .noSuchAction(3, first: first, last: 200))
    }
    let segments = folder.files.filter { $0.contains("segment") }
    #expect(segments.count > 1)
    try FileManager.default.removeItem(atPath: exported)
    #expect(try open(.file(folder.path)) == 200)
    let last = try #require(segments.max { $0.count < $1.count || $0.count == $1.count && $0 < $1 })
    #expect(try open(.file(folder.url.appending(path: last))) == 200)
  }

  @Test("A store opens a masked log with its placeholders and records a log that replays")
  func masked() throws {
    let path = folder.path + "/log.jsonl"
    let new = folder.path + "/new.jsonl"
    var configuration = RecorderConfiguration(.file(path))
    configuration.masks.state = ["/todos/*/title"]
    let recorder = Recorder(configuration)
    var store: Store? = Store(initialState: Todos.State()) {
      Todos().recorded(to: recorder)
    } withDependencies: {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 0))
      $0.continuousClock = TestClock()
    }
    store?.send(.addButtonTapped)
    let id = UUID(0)
    store?.send(.titleChanged(id: id, "a secret title"))
    store?.send(.doneToggled(id: id))
    store = nil
    let states = try RecordedRun(path).states()
    for seq in 0...3 {
      let store = try Store(replaying: .file(path), through: seq) {
        Todos()
      } withDependencies: {
        $0.uuid = .incrementing
      }
      #expect(JSON(logging: store.withState { $0 }) == states[seq])
    }
    store = try Store(replaying: .file(path)) {
      Todos().recorded(to: .file(new))
    } withDependencies: {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 0))
      $0.continuousClock = TestClock()
    }
    let title = store?.todos.first?.title
    #expect(title?.hasPrefix("masked") == true)
    store?.send(.doneToggled(id: id))
    store = nil
    let found = try verdict(of: new, replayedWith: Todos()) { Todos.State() }
    #expect(found == .identical, "\(found)")
  }
}
