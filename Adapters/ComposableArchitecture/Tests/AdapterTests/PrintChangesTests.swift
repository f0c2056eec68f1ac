import ComposableArchitecture
import ComposableReplay
import Foundation
import Testing

/// A feature that prints its changes in its body.
@Reducer @Loggable
struct SelfPrinting {
  @ObservableState
  struct State: Equatable { var count = 0 }

  enum Action { case incremented }

  let printer: _ReducerPrinter<State, Action>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.count += 1
      return .none
    }
    ._printChanges(printer)
  }
}

@Suite @MainActor
struct PrintChangesTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  @Test func `a feature with _printChanges is recorded like one without it`() async throws {
    let (prints, printer) = AsyncStream.makeStream(of: [Int].self)
    let url = folder.log("log.jsonl")
    let recorder = Recorder(to: .file(url))
    let store = Store(initialState: Counter.State()) {
      Counter()._printChanges(
        _ReducerPrinter { _, old, new in printer.yield([old.count, new.count]) }
      )
      .recorded(to: recorder)
    }
    store.send(.incremented)
    store.send(.incremented)
    recorder.flush()
    // The library prints on a queue of its own.
    var printed = prints.makeAsyncIterator()
    #expect(await printed.next() == [0, 1])
    #expect(await printed.next() == [1, 2])
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(#""feature":"Counter""#))
    #expect(!text.contains(#""op":"run""#))
    try expectReplay(of: url) { Counter() }
    try expectReplay(of: url) { Counter()._printChanges() }
    printer.finish()
    #expect(await printed.next() == nil)
  }

  @Test func `a recorder reports a feature that prints changes in its body`() {
    let printer = _ReducerPrinter<SelfPrinting.State, SelfPrinting.Action> { _, _, _ in }
    let recorder = Recorder(to: .file(folder.log("log.jsonl")))
    _ = SelfPrinting(printer: printer).recorded(to: recorder)
    #expect(
      RecordingAttachment.said.contains(
        "found _printChanges() in the body of SelfPrinting, which has an effect for every action in debug builds alone, so that logs of"
          + " debug and release builds differ; move it to the store: SelfPrinting()._printChanges().recorded(to:)"
      )
    )
  }
}
