import ActionLog
import Synchronization
import TCARecorder
import Testing

/// The recording of texts that masks meet for the first time.
@MainActor
@Suite(.serialized)
struct NewMaskedTextTests {
  /// A row that counts its encodings.
  struct Row: LogValue, Equatable {
    static let written = Atomic(0)
    var title: String

    func encode(to encoder: inout LogEncoder) {
      Self.written.add(1, ordering: .relaxed)
      encoder.value(title)
    }
    static func decode(from decoder: LogDecoder, over _: Row?) throws -> Row {
      Row(title: try decoder.value(String.self))
    }
    static func survey(_ type: inout LogTypeSurvey) { type.contains(String.self, below: 0) }
  }

  @Reducer
  struct Form {
    @ObservableState
    struct State: Equatable {
      var name = ""
      var note = ""
      var rows: [Row] = []
    }
    enum Action {
      case named(String)
      case noted(String)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .named(let name): state.name = name
        case .noted(let note): state.note = note
        }
        return .none
      }
    }
  }

  private func makeStore(_ sink: MemorySink, _ state: Form.State) -> StoreOf<Form> {
    var configuration = RecorderConfiguration(sink.destination)
    configuration.masks = LogMasks(state: ["/name"], action: ["/named/_0"])
    configuration.maskSecret = (1, 2)
    return Store(initialState: state) { Form().recorded(to: Recorder(configuration)) }
  }

  /// Returns the state at the end of a log.
  private func lastState(_ sink: MemorySink) throws -> JSON {
    var state = JSON.null
    for event in try sink.events() {
      if case .checkpoint(let checkpoint) = event { state = checkpoint.state }
      if let change = event.stateChange { try change.patch.apply(to: &state) }
    }
    return state
  }

  @Test(arguments: [10, 1_000])
  func `a new text does not encode the rows beside it`(rows: Int) throws {
    let sink = MemorySink()
    let state = Form.State(rows: (0..<rows).map { Row(title: "the title of row \($0)") })
    let store = makeStore(sink, state)
    store.send(.noted("first"))
    let before = Row.written.load(ordering: .relaxed)
    for name in ["J", "Ju", "Jul", "Juli", "Julia", "Julia C", "Julia Clay"] {
      store.send(.named(name))
    }
    #expect(Row.written.load(ordering: .relaxed) == before)
    // The rows have this text, so the state is written again.
    store.send(.named("row 7"))
    #expect(Row.written.load(ordering: .relaxed) >= before + rows)
    #expect(!sink.text.contains("Jul"))
    #expect(!"\(try #require(try lastState(sink)["rows"]))".contains("row 7\""))
  }

  @Test(
    arguments: [
      // A longer text contains an earlier one, which the log's state already shows masked.
      (["Julia", "Julia Clay"], "from Julia Clay."),
      (["Julia", "ia Clay"], "from Julia Clay."),
      // A short text is a word of the note.
      (["Jo"], "Jo and Julia"),
      // The text is in the note as a debug description.
      (["a \"quoted\" name"], "Name(a \\\"quoted\\\" name)"),
    ]
  )
  func `a new text is removed from a note that was written before`(
    names: [String],
    note: String
  ) throws {
    let sink = MemorySink()
    let store = makeStore(sink, Form.State())
    store.send(.noted(note))
    for name in names { store.send(.named(name)) }
    let last = try lastState(sink)
    let other = MemorySink()
    let another = makeStore(other, Form.State())
    for name in names { another.send(.named(name)) }
    another.send(.noted(note))
    #expect(last == (try lastState(other)))
    #expect(last["note"] != .string(note))
  }
}
