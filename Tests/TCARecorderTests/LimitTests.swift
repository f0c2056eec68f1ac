import ActionLog
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder

@MainActor
@Suite("Limits of recordings")
struct LimitTests {
  private final class Clock: Sendable {
    private let time = Mutex(0)
    var now: Int { time.withLock { $0 } }
    func advance(by microseconds: Int) { time.withLock { $0 += microseconds } }
  }

  private func record(
    _ limits: RecordingLimits,
    _ body: (StoreOf<Counting>, Clock) -> Void
  ) throws -> [LogEvent] {
    let (sink, clock) = (MemorySink(), Clock())
    var configuration = RecorderConfiguration(sink.destination)
    configuration.limits = limits
    configuration.now = { clock.now }
    var store: StoreOf<Counting>? = Store(initialState: Counting.State()) {
      Counting().recorded(to: Recorder(configuration))
    }
    if let store { body(store, clock) }
    store = nil
    return try sink.events()
  }

  @Reducer
  struct Counting {
    @ObservableState
    struct State: Equatable { var count = 0 }
    enum Action { case tap }
    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
    }
  }

  private func kinds(_ events: [LogEvent]) -> String { events.map(\.kind).joined(separator: " ") }

  private func gaps(_ events: [LogEvent]) -> [LogEvent.Gap] {
    events.compactMap { event in if case .gap(let gap) = event { gap } else { nil } }
  }

  @Test("A log continues with a checkpoint after a second with too many actions")
  func second() throws {
    let events = try record(RecordingLimits(second: .init(actions: 2))) { store, clock in
      for _ in 0..<5 { store.send(.tap) }
      clock.advance(by: 1_000_000)
      store.send(.tap)
    }
    #expect(
      kinds(events)
        == "header checkpoint action change action change gap checkpoint action change end"
    )
    #expect(
      gaps(events) == [
        LogEvent.Gap(
          seq: 5,
          at: 1_000_000,
          dropped: 6,
          reason: "the recorder's limit of 2 actions a second is reached"
        )
      ]
    )
    guard case .checkpoint(let checkpoint) = events[7] else { return }
    #expect(checkpoint.state == ["count": 5])
  }

  @Test("A limit of bytes a day counts from the start of the log, including all segments")
  func day() throws {
    let events = try record(RecordingLimits(day: .init(bytes: 1200))) { store, clock in
      for _ in 0..<20 { store.send(.tap) }
      clock.advance(by: 86_399_999_999)
      store.send(.tap)
      clock.advance(by: 1)
      for _ in 0..<3 { store.send(.tap) }
    }
    let gap = try #require(gaps(events).first)
    #expect(gaps(events).count == 1)
    #expect(gap.seq == 21 && gap.at == 86_400_000_000)
    #expect(gap.reason == "the recorder's limit of 1200 bytes a day is reached")
    let before = events.prefix { $0.kind != "gap" }.reduce(0) { $0 + $1.line.count + 1 }
    #expect((1200..<1400).contains(before))
    #expect(events.suffix(2).map(\.kind) == ["change", "end"])
  }

  @Test(
    "A log that reaches its session limit says so at once, and counts dropped events at the end"
  )
  func session() throws {
    let events = try record(RecordingLimits(session: .init(actions: 3))) { store, clock in
      for _ in 0..<10 {
        store.send(.tap)
        clock.advance(by: 90_000_000_000)
      }
    }
    #expect(
      kinds(events) == "header checkpoint action change action change action change gap gap end"
    )
    let reason = "the recorder's limit of 3 actions a session is reached"
    #expect(gaps(events).map(\.reason) == [reason, reason])
    #expect(gaps(events).map(\.dropped) == [0, 14])
    #expect(gaps(events).map(\.seq) == [3, 10])
  }

  @Test func `a limit of one action is written in the singular`() throws {
    let events = try record(RecordingLimits(session: .init(actions: 1))) { store, _ in
      for _ in 0..<3 { store.send(.tap) }
    }
    let reason = "the recorder's limit of 1 action a session is reached"
    #expect(gaps(events).map(\.reason) == [reason, reason])
  }

  @Test("A recorder without limits drops no event")
  func none() throws {
    let events = try record(RecordingLimits()) { store, _ in
      for _ in 0..<50 { store.send(.tap) }
    }
    #expect(events.count == 103)
  }

  /// Returns a folder with logs of these sizes, each a day older than the next.
  private func folder(_ sizes: [Int], until now: Date) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let header = #"{"kind":"header","format":"tca-replay","version":1}"# + "\n"
    for (index, size) in sizes.enumerated() {
      let name = index == 0 ? "log.jsonl" : "log-\(index + 1).jsonl"
      let path = try folder.write(
        header + String(repeating: " ", count: max(0, size - header.utf8.count)),
        to: name
      )
      let age = Double(sizes.count - index) * 86_400
      try FileManager.default.setAttributes(
        [.modificationDate: now.addingTimeInterval(-age)],
        ofItemAtPath: path
      )
    }
    return folder
  }

  struct Retention: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var sessions: Int?
    var days: Double?
    var megabytes: Double?
    let kept: [String]
  }

  private nonisolated static let retentions = [
    Retention(
      testDescription: "everything",
      kept: ["log-2.jsonl", "log-3.jsonl", "log-4.jsonl", "log-5.jsonl", "log.jsonl"]
    ),
    Retention(
      testDescription: "three",
      sessions: 3,
      kept: ["log-3.jsonl", "log-4.jsonl", "log-5.jsonl"]
    ),
    Retention(
      testDescription: "of the last days",
      days: 2.5,
      kept: ["log-3.jsonl", "log-4.jsonl", "log-5.jsonl"]
    ),
    Retention(
      testDescription: "as much as there is room for",
      megabytes: 1.5,
      kept: ["log-4.jsonl", "log-5.jsonl"]
    ),
    Retention(
      testDescription: "what all of them let stay",
      sessions: 4,
      days: 1.5,
      megabytes: 100,
      kept: ["log-4.jsonl", "log-5.jsonl"]
    ),
  ]

  @Test("Logs are kept by number, age and size", arguments: retentions)
  func retention(row: Retention) throws {
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let folder = try folder([1_048_576, 1_048_576, 1_048_576, 1_048_576], until: now)
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.keptSessions = row.sessions
    configuration.keptDays = row.days
    configuration.keptMegabytes = row.megabytes
    configuration.date = { now }
    let store = Store(initialState: Counting.State()) {
      Counting().recorded(to: Recorder(configuration))
    }
    store.send(.tap)
    #expect(folder.files == row.kept)
  }
}
