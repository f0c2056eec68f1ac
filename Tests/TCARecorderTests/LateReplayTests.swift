import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder
@testable import TCAReplay
@testable import TCAReplaying

/// Tests for the segments of a ring, each of which begins with children and effects from before it.
@MainActor
@Suite("Late replays")
struct LateReplayTests {
  @Test(
    "A segment replays as identical, whatever is presented and alive at its beginning",
    arguments: [
      [.show, .list(.element(id: 1, action: .send)), .list(.element(id: 1, action: .send))],
      [.show, .list(.element(id: 1, action: .work(0))), .list(.element(id: 1, action: .send))],
      [.work(0), .work(1), .work(0), .stop(1), .work(2)],
      [.work(1), .add, .stop(0), .work(1), .work(0), .work(3), .work(2)],
      // The sheet of a row goes with the row. The operator in the row notices that at the row's next action.
      [
        .show, .list(.element(id: 1, action: .sheet(.presented(.work)))), .replace, .add,
        .list(.element(id: 1, action: .work(0))),
      ],
    ] as [[Presenting.Action]]
  )
  func segments(actions: [Presenting.Action]) async throws {
    let folder = try TemporaryFolder()
    do {
      let store = Store(initialState: Presenting.State()) {
        // Each action begins a segment.
        Presenting().recorded(to: .ring(folder.path + "/ring.jsonl", bytes: 64_000, segments: 640))
      }
      for action in actions { store.send(action) }
    }
    let segments = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(segments.count > actions.count / 2)
    for segment in segments {
      let verdicts = try Verdict.ofReplay(logAt: folder.path + "/" + segment) { _ in
        ReducerEngine(reducer: { Presenting() }, initialState: { Presenting.State() })
      }
      #expect(verdicts == [.identical], "\(segment)")
    }
  }
}

/// An id that equals others by a part of it, and that a log can't read back.
private struct LooseID: Hashable, Sendable {
  var number: Int
  var label: String

  init(_ number: Int) { (self.number, label) = (number, "label \(number)") }
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number / 2 == rhs.number / 2 }
  func hash(into hasher: inout Hasher) { hasher.combine(number / 2) }
}

@Reducer
struct Presenting: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { var list: IdentifiedArrayOf<Presenter.State> = [] }

  enum Action: Sendable {
    case show, add, replace
    case work(Int)
    case stop(Int)
    case list(IdentifiedActionOf<Presenter>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .show: state.list = [Presenter.State(id: 1, sheet: PresentedSheet.State())]
      case .replace: state.list = [Presenter.State(id: 1)]
      case .add: state.list.append(Presenter.State(id: state.list.count))
      case .work(let number):
        return .run { _ in try await Task.never() }.cancellable(id: LooseID(number))
      case .stop(let number): return .cancel(id: LooseID(number))
      case .list: break
      }
      return .none
    }
    .forEach(\.list, action: \.list) { Presenter() }
  }
}

@Reducer
struct Presenter: Sendable {
  @ObservableState
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    @Presents var sheet: PresentedSheet.State?
  }

  enum Action: Sendable {
    case send
    case work(Int)
    case sheet(PresentationAction<PresentedSheet.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { _, action in
      switch action {
      case .send: .send(.sheet(.presented(.count)))
      case .work(let number):
        .run { _ in try await Task.never() }.cancellable(id: LooseID(number))
      case .sheet: .none
      }
    }
    .ifLet(\.$sheet, action: \.sheet) { PresentedSheet() }
  }
}

@Reducer
struct PresentedSheet: Sendable {
  @ObservableState struct State: Equatable, Sendable { var count = 0 }
  enum Action: Sendable { case count, work }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .count:
        state.count += 1
        return .none
      case .work: return .run { _ in try await Task.never() }
      }
    }
  }
}
