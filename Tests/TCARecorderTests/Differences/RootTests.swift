import ActionLog
import ReplayCommands
import ReplayEngine
import Synchronization
import TCARecorder
import Testing

/// The number of encodings of a state while actions are recorded.
@MainActor
@Suite("Recording the store's own reducer")
struct RootTests {
  @Reducer
  struct Counting {
    @ObservableState
    struct State {
      var count = 0
      var rows: [CountedRow] = [CountedRow()]
    }
    enum Action { case count, change }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .count: state.count += 1
        case .change: state.rows[0].number += 1
        }
        return .none
      }
    }
  }

  /// A row that counts its encodings.
  struct CountedRow: LogValue {
    static let written = Atomic(0)
    var number = 0

    func encode(to encoder: inout LogEncoder) {
      Self.written.add(1, ordering: .relaxed)
      encoder.value(number)
    }
    static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self { Self() }
    static func survey(_ type: inout LogTypeSurvey) { type.contains(Int.self) }
  }

  @Test("A recorded store writes its complete state once, and then only changed rows")
  func writesOnce() {
    let sink = MemorySink()
    let store = Store(initialState: Counting.State()) {
      Counting().recorded(to: sink.destination)
    }
    func written(_ action: Counting.Action) -> Int {
      let before = CountedRow.written.load(ordering: .relaxed)
      store.send(action)
      return CountedRow.written.load(ordering: .relaxed) - before
    }
    #expect(written(.count) == 1)
    #expect(written(.count) == 0)
    // The old and the new row are encoded for a comparison, because the row is not `Equatable`.
    #expect(written(.change) == 2)
  }
}
