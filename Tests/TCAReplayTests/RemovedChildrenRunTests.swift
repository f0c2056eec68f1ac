import ActionLog
import Foundation
import ReplayAnalyses
import ReplayEngine
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// A feature whose children are removed by many methods, by reducers at each position around their operators.
@Reducer
struct Ramble: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    @Presents var editor: Editor.State?
    var path = StackState<Editor.State>()
  }

  enum Action: Sendable {
    case push
    case present
    case remove(Way, Place)
    case look
    case editor(PresentationAction<Editor.Action>)
    case path(StackActionOf<Editor>)

    enum Way: CaseIterable, Sendable {
      case emptied, assigned, shortened, popped, replaced, cleared, wholeState
    }

    enum Place: CaseIterable, Sendable {
      case before, within, after
    }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .remove(let way, .before) = action { state.remove(way) }
      return .none
    }
    Reduce { state, action in
      switch action {
      case .push: state.path.append(Editor.State())
      case .present: state.editor = Editor.State()
      case .remove(let way, .within): state.remove(way)
      default: break
      }
      return .none
    }
    .ifLet(\.$editor, action: \.editor) { Editor() }
    .forEach(\.path, action: \.path) { Editor() }
    Reduce { state, action in
      if case .remove(let way, .after) = action { state.remove(way) }
      return .none
    }
  }
}

extension Ramble.State {
  fileprivate mutating func remove(_ way: Ramble.Action.Way) {
    switch way {
    case .emptied: path.removeAll()
    case .assigned: path = StackState()
    case .shortened: _ = path.popLast()
    case .popped: if let id = path.ids.first { path.pop(from: id) }
    case .replaced: path.replaceSubrange(..<min(1, path.count), with: [Editor.State()])
    case .cleared: $editor = PresentationState(wrappedValue: nil)
    case .wholeState: self = Self()
    }
  }
}

/// Two of these features, which a reducer around them discards.
@Reducer
struct Rambles: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var left = Ramble.State()
    var right = Ramble.State()
  }

  enum Action: Sendable {
    case left(Ramble.Action)
    case right(Ramble.Action)
    case replaceLeft
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .replaceLeft = action { state.left = Ramble.State() }
      return .none
    }
    Scope(\.left, action: \.left) { Ramble() }
    Scope(\.right, action: \.right) { Ramble() }
  }
}

/// Effects of removed children end at the same point in a replay and in the recording, for all methods of removal.
@MainActor
@Suite("Runs whose children are removed")
struct RemovedChildrenRunTests {
  @Test(
    "A random run with removed children replays as identical",
    arguments: Thoroughness.seeds(4, thorough: 12)
  )
  func random(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let steps = (0..<80).map { _ in Self.step(using: &random) }
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    // Actions for missing elements are part of the run.
    await withIssueReporters([]) {
      await record(Rambles(), initialState: Rambles.State(), steps: steps, to: path)
    }
    let verdict = try verdict(of: path, replayedWith: Rambles()) { Rambles.State() }
    #expect(verdict == .identical, "seed \(seed): \(verdict)")
  }

  private static func step(using random: inout SplitMix64) -> SampleStep<Rambles.Action> {
    let id = StackElementID(Int.random(in: 0..<12, using: &random))
    let way = Ramble.Action.Way.allCases.randomElement(using: &random) ?? .emptied
    let place = Ramble.Action.Place.allCases.randomElement(using: &random) ?? .before
    let isLeft = Bool.random(using: &random)
    let action: Ramble.Action
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: action = .push
    case 2: action = .present
    case 3, 4, 5: action = .path(.element(id: id, action: .appeared))
    case 6: action = .path(.element(id: id, action: .closeButtonTapped))
    case 7: action = .editor(.presented(.appeared))
    case 8, 9: action = .remove(way, place)
    case 10: action = .look
    case 11: return .send(.replaceLeft)
    default: return .advance(.milliseconds(Int.random(in: 0...1500, using: &random)))
    }
    return .send(isLeft ? .left(action) : .right(action))
  }

  /// Returns the lines of a recording up to a second counted by an element, followed by those of its removal.
  private func log(recorder: String) async throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let steps: [SampleStep<Ramble.Action>] = [
      .send(.push), .send(.path(.element(id: 0, action: .appeared))), .tick(1),
    ]
    await record(Ramble(), initialState: Ramble.State(), steps: steps, to: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    let last = try #require(lines.lastIndex { $0.hasPrefix(#"{"kind":"change""#) })
    let tick = try #require(lines.last { $0.hasPrefix(#"{"kind":"action""#) })
    let own = #""recorder":"\#(Version.current)""#
    #expect(lines[0].contains(own))
    // The earlier behavior: the effect was not canceled and sent once more.
    return
      ([lines[0].replacing(own, with: #""recorder":"\#(recorder)""#)] + lines[1...last] + [
        #"{"kind":"action","seq":4,"at":4000000,"origin":"view","action":{"remove":{"_0":{"assigned":{}},"_1":{"before":{}}}}}"#,
        #"{"kind":"change","seq":4,"patch":[{"op":"remove","path":"/path/0"}]}"#,
        tick.replacing(#""seq":3"#, with: #""seq":5"#),
        #"{"kind":"change","seq":5,"patch":[]}"#,
        #"{"kind":"effect","id":"2.0","event":"finished","sent":2,"at":5000000}"#,
        #"{"kind":"end","seq":5,"reason":"closed"}"#, "",
      ]).joined(separator: "\n")
  }

  private func replay(ofLogBy recorder: String) async throws -> Verdict {
    let folder = try TemporaryFolder()
    let path = folder.path + "/old.jsonl"
    try await log(recorder: recorder).write(toFile: path, atomically: true, encoding: .utf8)
    return try verdict(of: path, replayedWith: Ramble()) { Ramble.State() }
  }

  @Test("A replay of a log of recorder 0.1.0 follows its cancellations of removed children")
  func earlierRecorder() async throws {
    #expect(try await replay(ofLogBy: "0.1.0") == .identical)
  }

  @Test("A log of the current recorder diverges if an effect continues after its child is removed")
  func thisRecorder() async throws {
    let verdict = try await replay(ofLogBy: Version.current)
    guard case .diverged(let divergence) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(divergence.at == 4)
  }
}
