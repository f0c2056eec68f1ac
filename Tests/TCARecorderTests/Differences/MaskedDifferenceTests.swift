import ActionLog
import ReplayCommands
import ReplayEngine
import TCARecorder
import TestSupport
import Testing

/// Patches that are masked separately agree with states that are masked as a whole.
@MainActor
@Suite("Masked differences")
struct MaskedDifferenceTests {
  @Reducer
  struct Zoo {
    typealias State = Menagerie
    enum Action {
      case change(seed: UInt64, times: Int)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        guard case .change(let seed, let times) = action else { return .none }
        var mutator = Mutator(seed: seed)
        for _ in 0..<times { mutator.change(&state) }
        return .none
      }
    }
  }

  /// Wraps the base, so that a recorder inside cannot know which other reducers change the state.
  private struct Around<Base: Reducer>: Reducer {
    let base: Base
    func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
      base._reduce(into: &state, action: action)
    }
  }

  private nonisolated static let patterns: [MaskPath] = [
    "/text", "/list/2", "/rows/3/title", "/rows/*/title", "/list/0", "/list/0/title",
    "/list/*/tags", "/list/*/tags/1",
    "/table", "/table/*/title", "/**/title", "/child/note", "/**/note", "/numbers/1", "/child",
    "/path/**", "/index/*", "/index/1", "/names", "/boxed/inner", "/shape", "/shape/**/_0",
    "/shapes/*/named", "/odd", "/liar/text", "/grid/*/0", "/optional", "/data", "/result",
    "/boxes/*/value", "/model", "/models/0", "/pair",
  ]

  @Test(
    "Applying a masked patch to a masked state gives the masked new state",
    arguments: Thoroughness.seeds(6, thorough: 120)
  )
  func random(seed: UInt64) throws {
    var mutator = Mutator(seed: seed)
    var state = Menagerie()
    for _ in 0..<mutator.number(60) { mutator.change(&state) }
    var masks = LogMasks()
    for _ in 0...mutator.number(3) { masks.state.append(mutator.pick(Self.patterns)) }
    if mutator.number(3) == 0 { masks.omitted = [mutator.pick(Self.patterns)] }
    let (sink, innerSink) = (MemorySink(), MemorySink())
    func recorder(_ sink: MemorySink) -> Recorder {
      var configuration = RecorderConfiguration(sink.destination)
      configuration.masks = masks
      configuration.maskSecret = (seed, 0)
      if seed.isMultiple(of: 3) { configuration.actions.exclude = ["/change"] }
      return Recorder(configuration)
    }
    let (outer, inner) = (recorder(sink), recorder(innerSink))
    let store = Store(initialState: state) {
      Around(base: Zoo().recorded(to: inner)).recorded(to: outer)
    }
    let marks = MaskerMarkings(masks, of: Menagerie.self)
    var reference = LogMasker(masks, secret: (seed, 0), isMarked: true)
    func masked(_ state: Menagerie) -> JSON {
      reference.masked(state: JSON(logging: state, marking: marks))
    }
    var expected = [masked(store.state)]
    for _ in 0..<40 {
      store.send(.change(seed: mutator.next(), times: mutator.pick([0, 1, 1, 1, 2, 3])))
      expected.append(masked(store.state))
    }
    for (name, sink) in [("compared in step", sink), ("compared as text", innerSink)] {
      var (log, seq) = (JSON.null, 0)
      for event in try sink.events() {
        switch event {
        case .checkpoint(let checkpoint): log = checkpoint.state
        case .external(let external): try external.patch.apply(to: &log)
        case .change(let change): try change.patch.apply(to: &log)
        case .excluded(let excluded): try excluded.patch.apply(to: &log)
        default: continue
        }
        switch event {
        case .change(let change): seq = change.seq
        case .excluded(let excluded): seq = excluded.seq
        default: continue
        }
        try #require(
          log == expected[seq],
          "seed \(seed), action \(seq), \(name), masks \(masks.json): \(JSON.Patch(from: expected[seq], to: log).json)"
        )
      }
      #expect(seq == 40, "seed \(seed)")
    }
  }
}
