import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import SampleApp
import Testing

@Suite("Recording and replaying an app")
@MainActor
struct RecordAndReplayTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  /// Performs all actions of the app.
  static func useApp(_ store: Store<Meetings.State, Meetings.Action>) async throws {
    store.send(.addTapped)
    let edit: (EditMeeting.Action) -> Meetings.Action = {
      .destination(.presented(.edit($0)))
    }
    store.send(edit(.binding(.set(\.meeting.title, "Monday"))))
    store.send(edit(.binding(.set(\.isFocused, true))))
    store.send(edit(.saveTapped))
    store.send(.addTapped)
    store.send(edit(.cancelTapped))
    try await wait { store.state.destination == nil }
    store.send(.rollTapped)
    store.send(.chainTapped(left: 3))
    store.send(.tipRequested)
    try await wait { store.state.tip != nil }
    store.send(.meetingTapped(id: store.state.meetings[0].id))
    let id = try #require(store.state.path.ids.first)
    let detail: (MeetingDetail.Action) -> Meetings.Action = {
      .path(.element(id: id, action: .detail($0)))
    }
    store.send(detail(.startTapped))
    try await wait { store.state.path.first.map { seconds(of: $0) >= 2 } ?? false }
    store.send(detail(.pauseTapped))
    store.send(detail(.startTapped))
    store.send(detail(.stopTapped))
    store.send(detail(.alert(.presented(.stopConfirmed))))
    store.send(detail(.closeTapped))
    try await wait { store.state.path.isEmpty }
    store.send(.deleteAllTapped)
    store.send(.destination(.presented(.alert(.confirmed))))
  }

  static func seconds(of state: Meetings.Path.State) -> Int {
    switch state {
    case .detail(let detail): detail.seconds
    }
  }

  @Test(
    "An app of stacks, sheets, bindings, timers, alerts, enum reducers and shared state replays"
  )
  func app() async throws {
    let log = try await folder.record { try await Self.useApp($0) }
    let replay = try replay(log)
    #expect(replay.isSame, "\(replay.text)")
    #expect(replay.verdict == .identical)
    // The number of ticks depends on the machine.
    let actions = try String(contentsOfFile: log.path, encoding: .utf8)
      .split(separator: "\n").count { $0.hasPrefix(#"{"kind":"action""#) }
    // The verdict is never plainly identical.
    #expect(replay.notCompared.map(\.part) == [.effects, .effects, .effects, .effects])
    // Properties that the library never reveals are reported once for all logs.
    #expect(replay.text == "\(log.path): identical, through action \(actions)\n")
    try expectReplay(of: log) {
      Meetings()
    } initialState: {
      Meetings.State()
    }
  }

  @Test("A ring that begins during a presentation replays with unknown effects")
  func ring() async throws {
    let recorder = Recorder(
      RecorderConfiguration(.ring(folder.log("ring.jsonl").path, megabytes: 0.05))
    )
    try await folder.record("ring.jsonl", recorder) { store in
      store.send(.addTapped)
      // More actions than the ring can hold, while the sheet is open.
      for number in 0..<400 {
        store.send(
          .destination(.presented(.edit(.binding(.set(\.meeting.title, "Title \(number)")))))
        )
      }
      store.send(.destination(.presented(.edit(.saveTapped))))
      store.send(.meetingTapped(id: store.state.meetings[0].id))
      let id = try #require(store.state.path.ids.first)
      for _ in 0..<400 {
        store.send(.path(.element(id: id, action: .detail(.stopTapped))))
        store.send(.path(.element(id: id, action: .detail(.alert(.dismiss)))))
      }
      // The list changes the value that it shares with the screen.
      store.send(.path(.element(id: id, action: .detail(.delegate(.ended(seconds: 7))))))
      store.send(.path(.element(id: id, action: .detail(.closeTapped))))
      try await wait { store.state.path.isEmpty }
    }
    let exported = folder.log("export.jsonl")
    try recorder.export(to: exported)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    let segments = files.filter { $0.hasPrefix("ring.segment") }
    #expect(segments.count > 2)
    for name in segments + ["export.jsonl"] {
      let replay = try replay(folder.log(name))
      #expect(replay.isSame, "\(replay.text)")
      let began = replay.notCompared.filter { $0.type.contains("began earlier") }
      #expect(began.count == 1, "\(name): \(replay.notCompared.map(\.type))")
    }
  }

  @Test("Actions of a script refer to the state by $state")
  func script() async throws {
    let feature = ReplayFeature("Meetings") {
      Meetings()
    } initialState: {
      Meetings.State()
    }
    let record = try #require(feature.entry.record)
    let save: JSON = [
      "destination": ["_0": ["presented": ["_0": ["edit": ["_0": ["saveTapped": [:]]]]]]]
    ]
    func request(_ id: JSON) -> RecordRequest {
      RecordRequest(
        feature: "Meetings",
        steps: [
          .send(["addTapped": [:]]), .send(save),
          .send(["meetingTapped": ["id": id]]),
        ],
        path: folder.log("script.jsonl").path
      )
    }
    let summary = try await withDependencies {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSince1970: 1_234_567_890))
    } operation: {
      try await record(request(["$state": "/meetings/0/id"]))
    }
    #expect(summary.actions == 3)
    let text = try String(contentsOfFile: summary.path, encoding: .utf8)
    #expect(!text.contains("$state"))
    #expect(text.contains(#"{"op":"add","path":"/path/0","value":"#))
    #expect(try replay(folder.log("script.jsonl")).isSame)
    await #expect(throws: RecordRequest.StepError.self) {
      try await withDependencies {
        $0.uuid = .incrementing
        $0.date = .constant(Date(timeIntervalSince1970: 1_234_567_890))
      } operation: {
        _ = try await record(request(["$state": "/meetings/7/id"]))
      }
    }
  }

  @Test("The adapter's recorder has masks, filters, notes and exports")
  func configuration() async throws {
    var configuration = RecorderConfiguration(.file(folder.log("masked.jsonl")))
    configuration.masks.state = ["/**/title"]
    configuration.actions.exclude = ["/rollTapped"]
    let recorder = Recorder(configuration)
    try await folder.record("masked.jsonl", recorder) { store in
      store.send(.addTapped)
      store.send(
        .destination(.presented(.edit(.binding(.set(\.meeting.title, "a secret title")))))
      )
      recorder.note("here")
      store.send(.rollTapped)
      store.send(.destination(.presented(.edit(.saveTapped))))
    }
    let text = try String(contentsOf: folder.log("masked.jsonl"), encoding: .utf8)
    #expect(!text.contains("secret"))
    #expect(!text.contains("rollTapped"))
    #expect(text.contains(#""text":"here""#))
    #expect(text.contains(#""kind":"excluded""#))
    let replay = try replay(folder.log("masked.jsonl"))
    #expect(replay.isSame, "\(replay.text)")
  }
}
