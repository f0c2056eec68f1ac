import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import Synchronization
import TCARecorder
import Testing

/// The number of encodings of values while actions are recorded, and the types that are skipped.
@MainActor
@Suite("Values that have not changed", .serialized)
struct UnchangedValueTests {
  /// A value that counts its encodings.
  struct Counted: Codable, Hashable {
    static let written = Atomic(0)
    var id = UUID()
    var number = 0
    var price: Decimal = 0

    init(_ number: Int = 0) { self.number = number }
    func encode(to encoder: any Encoder) throws {
      Self.written.add(1, ordering: .relaxed)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
      try container.encode(price, forKey: .price)
      try container.encode(id, forKey: .id)
    }
  }

  @Reducer
  struct Counting {
    @ObservableState
    struct State {
      var count = 0
      var rows = (0..<100).map { Counted($0) }
      var table = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", Counted($0)) })
      var pairs = Dictionary(uniqueKeysWithValues: (0..<100).map { (Counted($0), $0) })
      var set = Set((0..<100).map { Counted($0) })
      var optional: Counted? = Counted()
      @Shared var shared: [Counted]
      var path = StackState<Screen>()

      init() {
        _shared = Shared(value: (0..<100).map { Counted($0) })
        for _ in 0..<3 { path.append(Screen(shared: $shared[17])) }
      }
    }
    /// A screen that shows a shared row.
    @ObservableState
    struct Screen {
      var rows = (0..<100).map { Counted($0) }
      @Shared var shared: Counted

      init(shared: Shared<Counted>) { _shared = shared }
    }
    enum Action: CaseIterable {
      case count, row, rowAdded, entry, pair, element, optional, shared, sharedAlike, screen
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .count: state.count += 1
        case .row: state.rows[17].number += 1
        case .rowAdded: state.rows.insert(Counted(-1), at: 50)
        case .entry: state.table["17"]?.number += 1
        case .pair: state.pairs[Counted(-1)] = -1
        case .element: state.set.insert(Counted(-1))
        case .optional: state.optional?.number += 1
        case .shared: state.$shared.withLock { $0[17].number += 1 }
        case .sharedAlike: state.$shared.withLock { $0[17].number += 0 }
        case .screen: state.path[id: state.path.ids[0]]?.rows[17].number += 1
        }
        return .none
      }
    }
  }

  @Test("Recording a change does not write unchanged values")
  func counts() throws {
    let sink = MemorySink()
    let store = Store(initialState: Counting.State()) {
      Counting().recorded(to: sink.destination)
    }
    func written(_ action: Counting.Action) -> Int {
      let before = Counted.written.load(ordering: .relaxed)
      store.send(action)
      return Counted.written.load(ordering: .relaxed) - before
    }
    for action in Counting.Action.allCases { store.send(action) }
    #expect(written(.count) == 0)
    // Encoded as the old value, as the new value, and as a replacement if that is shorter.
    // Shared values are also in the three screens, and each occurrence has these three texts.
    #expect(written(.shared) == 12)
    for action: Counting.Action in [.row, .entry, .optional, .screen] {
      #expect((2...3).contains(written(action)), "\(action)")
    }
    for action: Counting.Action in [.rowAdded, .pair, .element] {
      #expect(written(action) == 1, "\(action)")
    }
    #expect(written(.sharedAlike) == 0)
    #expect(written(.count) == 0)

    var log = JSON.null
    for event in try sink.events() {
      switch event {
      case .checkpoint(let checkpoint): log = checkpoint.state
      case .change(let change): try change.patch.apply(to: &log)
      case .external(let external): try external.patch.apply(to: &log)
      default: break
      }
    }
    #expect(log == JSON(logging: store.state))
  }

  @Test("A tracker that does not own the state writes only changed elements of an array")
  func inner() throws {
    let state = (0..<100).map { Counted($0) }
    var tracker = StateTracker(ownsState: false, splices: true)
    tracker.track(state)
    var changed = state
    changed[3].number += 1
    func written(_ state: [Counted]) -> Int {
      let before = Counted.written.load(ordering: .relaxed)
      var encoder = LogEncoder()
      encoder.beginArray()
      tracker.write(state, into: &encoder)
      return Counted.written.load(ordering: .relaxed) - before
    }
    #expect(written(state) == 0)
    #expect((2...3).contains(written(changed)))
    #expect(written(changed) == 0)
  }

  @Test("A tracker that does not own the state writes only the inserted element of a set")
  func innerSet() throws {
    var state = Set((0..<100).map { Counted($0) })
    var tracker = StateTracker(ownsState: false, splices: true)
    tracker.track(state)
    func writtenByInsertion() -> Int {
      state.insert(Counted(-1))
      let before = Counted.written.load(ordering: .relaxed)
      var encoder = LogEncoder()
      encoder.beginArray()
      tracker.write(state, into: &encoder)
      return Counted.written.load(ordering: .relaxed) - before
    }
    #expect(writtenByInsertion() == 101)
    #expect(writtenByInsertion() == 1)
  }

  enum Payload {
    case none
    case one(Counted)
    indirect case more([Payload], labelled: Bool?)
  }
  enum Closing { case run(() -> Void) }
  struct Recursive { var children: [Recursive] }
  struct Mixed {
    var (a, b) = (1, Optional("b"))
    @Wrapping var c = 1
    var d = (1, x: UUID())
  }
  @propertyWrapper struct Wrapping { var wrappedValue: Int }
  struct Pointing { var pointer: UnsafePointer<Int> }
  struct Weak { weak var box: Box? }
  struct Deep<Value> { var values: [[String: Value]?] }

  struct Case: Sendable, CustomTestStringConvertible {
    let type: Any.Type
    let isPlain: Bool
    var testDescription: String { "\(type)" }
  }

  nonisolated static let cases: [Case] = [
    Case(type: Counted.self, isPlain: true), Case(type: Payload.self, isPlain: true),
    Case(type: Recursive.self, isPlain: true), Case(type: Mixed.self, isPlain: true),
    Case(type: Deep<Counted>.self, isPlain: true), Case(type: Deep<Box>.self, isPlain: false),
    Case(type: Deep<Any>.self, isPlain: false), Case(type: Closing.self, isPlain: false),
    Case(type: Pointing.self, isPlain: false), Case(type: Weak.self, isPlain: false),
    Case(type: Box.self, isPlain: false), Case(type: Model.self, isPlain: false),
    Case(type: (any Encodable).self, isPlain: false), Case(type: AnyHashable.self, isPlain: false),
    Case(type: Range<Date>.self, isPlain: true), Case(type: IndexSet.self, isPlain: true),
    Case(type: DateComponents.self, isPlain: true), Case(type: CGRect.self, isPlain: true),
    Case(type: Measurement<UnitLength>.self, isPlain: true),
    Case(type: Int.Type.self, isPlain: true),
    Case(type: AttributedString.self, isPlain: false), Case(type: SIMD4<Float>.self, isPlain: true),
    Case(type: Shared<Int>.self, isPlain: false), Case(type: Data?.self, isPlain: true),
    Case(type: [Model].self, isPlain: false),
  ]

  @Test("A type is plain when none of its members can contain a reference", arguments: cases)
  func plain(_ testCase: Case) {
    func isPlain<Value>(_: Value.Type) -> Bool {
      var builder = PatchBuilder()
      return builder.isPlain(Value.self)
    }
    #expect(isPlain(testCase.type) == testCase.isPlain)
  }
}
