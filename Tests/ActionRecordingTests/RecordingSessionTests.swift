import ActionLog
import ActionRecording
import Foundation
import TestSupport
import Testing

/// A session that receives events from a handwritten model.
///
/// The test does not import the programming model.
@Suite struct RecordingSessionTests {
  @LogValue struct State: Sendable {
    var count = 0
    var names: [String] = []
  }

  @LogValue enum Action: Sendable {
    case increment
    case load
    case loaded(String)
  }

  private struct Model: RecordedModel {
    var environment: JSON.Object { ["locale": "en_US"] }
    var nextStackElement: Int? { 3 }
  }

  /// A store with one reducer that reports its events to a session.
  private final class Host {
    var state = State()
    private let recording: FeatureRecording<State, Action>
    private var number = 0
    private var step = RecordingSession.Step()

    init(_ configuration: RecorderConfiguration) {
      recording = FeatureRecording(
        RecordingSession(
          feature: "Counter",
          stateType: "Counter.State",
          ownsState: true,
          model: Model(),
          configuration: configuration
        )
      )
    }

    var session: RecordingSession { recording.session }

    func send(_ action: Action, by origin: ActionSender.Origin = .view) {
      number += 1
      step = recording.willReduce(action, from: ActionSender(origin, number: number), state: state)
      let old = state
      let effects = reduce(action)
      recording.didReduce(
        step,
        from: old,
        to: state,
        effects: effects.isEmpty ? [] : session.start(effects, of: step),
        us: 2
      )
    }

    private func reduce(_ action: Action) -> [EffectDescription] {
      switch action {
      case .increment:
        state.count += 1
        return []
      case .load:
        session.didRead("uuid", value: "A-1", seq: step.seq, isExcluded: step.isExcluded)
        var effect = EffectDescription(.run)
        effect.id = EffectID(seq: step.seq, index: 0)
        effect.name = "load"
        return [effect]
      case .loaded(let name):
        state.names.append(name)
        return []
      }
    }
  }

  private func record(
    _ change: (inout RecorderConfiguration) -> Void = { _ in },
    _ body: (Host) -> Void
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/counter.jsonl"
    var configuration = RecorderConfiguration(.file(path))
    configuration.now = { 7 }
    change(&configuration)
    let host = Host(configuration)
    body(host)
    host.session.storeDidClose()
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func play(_ host: Host) {
    host.send(.increment)
    host.send(.load)
    host.send(.loaded("Ann"), by: .effect(EffectID(seq: 2, index: 0), via: nil))
    host.session.effect(EffectID(seq: 2, index: 0), did: .finished(sent: 1))
    host.send(.load)
    host.send(.increment, by: .reentrant)
    host.session.effect(
      EffectID(seq: 4, index: 0),
      did: .cancelled(by: .action(number: 5), dropping: 0)
    )
    host.session.note("the end is near")
    host.session.storeDidFallIdle()
  }

  @Test("A recording session writes what the model reports, in the order of the events")
  func wholeLog() throws {
    let lines = try record { play($0) }
    #expect(
      Array(lines.dropFirst()) == [
        #"{"kind":"checkpoint","seq":0,"state":{"count":0,"names":[]},"effects":[],"nextStackElement":3}"#,
        #"{"kind":"action","seq":1,"at":7,"origin":"view","action":{"increment":{}}}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"us":2}"#,
        #"{"kind":"action","seq":2,"at":7,"origin":"view","action":{"load":{}}}"#,
        #"{"kind":"read","seq":2,"key":"uuid","value":"A-1"}"#,
        #"{"kind":"change","seq":2,"patch":[],"effects":[{"id":"2.0","op":"run","name":"load"}],"us":2}"#,
        #"{"kind":"action","seq":3,"at":7,"origin":{"effect":"2.0"},"action":{"loaded":{"_0":"Ann"}}}"#,
        #"{"kind":"change","seq":3,"patch":[{"op":"add","path":"/names/0","value":"Ann"}],"us":2}"#,
        #"{"kind":"effect","id":"2.0","event":"finished","sent":1,"at":7}"#,
        #"{"kind":"action","seq":4,"at":7,"origin":"view","action":{"load":{}}}"#,
        #"{"kind":"read","seq":4,"key":"uuid","value":"A-1"}"#,
        #"{"kind":"change","seq":4,"patch":[],"effects":[{"id":"4.0","op":"run","name":"load"}],"us":2}"#,
        #"{"kind":"action","seq":5,"at":7,"origin":{"reentrant":4},"action":{"increment":{}}}"#,
        #"{"kind":"change","seq":5,"patch":[{"op":"replace","path":"/count","value":2}],"us":2}"#,
        #"{"kind":"effect","id":"4.0","event":"cancelled","by":{"action":5},"at":7}"#,
        #"{"kind":"note","seq":5,"at":7,"text":"the end is near"}"#,
        #"{"kind":"end","seq":5,"reason":"closed"}"#,
      ]
    )
    let header = try JSON(parsing: lines[0])
    #expect(header["feature"] == "Counter")
    #expect(header["environment"]?["locale"] == "en_US")
  }

  @Test("A recording session writes the patches that a state tracker finds")
  func changes() throws {
    var tracker = StateTracker()
    var patches: [JSON] = []
    let lines = try record { host in
      _ = tracker.begin(host.state)
      for action: Action in [.increment, .loaded("Ann"), .load, .loaded("Bob")] {
        let old = host.state
        host.send(action)
        patches.append(tracker.patch(from: old, to: host.state).json)
      }
    }
    let events = try lines.map { try JSON(parsing: $0) }
    #expect(events.filter { $0["kind"] == "change" }.compactMap { $0["patch"] } == patches)
    #expect(patches.map { $0.array?.count } == [1, 1, 0, 1])
  }

  @Test(
    "A recording session masks state, actions and reads, and writes filtered actions as excluded"
  )
  func masksAndFilters() throws {
    let lines = try record {
      $0.masks.state = ["/names/*"]
      $0.masks.action = ["/loaded/_0"]
      $0.masks.read = ["uuid"]
      $0.actions.exclude = ["/increment"]
      $0.maskSecret = (1, 2)
    } _: {
      play($0)
    }
    let text = lines.joined(separator: "\n")
    #expect(!text.contains("Ann"))
    #expect(!text.contains("A-1"))
    #expect(!text.contains(#""action":{"increment""#))
    #expect(lines.filter { $0.hasPrefix(#"{"kind":"excluded""#) }.count == 2)
  }
}
