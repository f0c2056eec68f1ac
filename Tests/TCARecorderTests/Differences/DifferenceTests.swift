import ActionLog
import TCARecorder
import Testing

/// Whether walking states in step says the same as writing them and comparing the texts.
@Suite("Differences")
struct DifferenceTests {
  @Test("turn the old text into the new one, whatever changes", arguments: 1...60)
  func random(seed: UInt64) throws {
    var mutator = Mutator(seed: seed)
    var state = Menagerie()
    for _ in 0..<30 { mutator.change(&state) }
    var tracked = Tracked(state)
    for step in 1...60 {
      let old = state
      for _ in 0..<mutator.pick([0, 1, 1, 1, 2, 3]) { mutator.change(&state) }
      let (json, patch) = try tracked.change(from: old, to: state)
      try #require(json == JSON(logging: state), "seed \(seed), step \(step): \(patch)")
    }
  }

  @Test("are seen when an object changed between two actions")
  func changesFromOutside() throws {
    var state = Menagerie()
    state.boxes = [Box()]
    state.child = Child.State(box: Box())
    var tracked = Tracked(state)
    state.boxes[0].value = 1
    state.child?.box?.value = 2
    state.live = 3
    let (json, patch) = try tracked.change(from: state, to: state)
    #expect(json == JSON(logging: state))
    #expect(
      patch.operations.map(\.path.description).sorted() == [
        "/boxes/0/value", "/child/box/value", "/live",
      ]
    )
  }

  @Test("of values nested deeper than a log goes are none")
  func depth() throws {
    var state = Menagerie()
    for _ in 0..<200 { state.shape = .named("", state.shape) }
    var tracked = Tracked(state)
    let old = state
    state.shape = .named("a", .named("b", state.shape))
    let (json, _) = try tracked.change(from: old, to: state)
    #expect(json == JSON(logging: state))
  }
}

/// A state's text, kept up to date by patches alone.
struct Tracked: ~Copyable {
  private var tracker: StateTracker
  private var json: JSON

  /// - Parameters:
  ///   - state: The state to begin with.
  ///   - ownsState: Whether the tracker is told of the state before a change.
  init<State>(_ state: State, ownsState: Bool = true) {
    tracker = StateTracker(ownsState: ownsState, splices: true)
    json = tracker.begin(state)
  }

  /// Expects that no array takes more in a patch than as one value.
  private func expectShort(_ patch: JSON.Patch) {
    let members = Dictionary(grouping: patch.operations) { $0.path.tokens.first ?? "" }
    for (name, operations) in members where json[name]?.array != nil {
      let whole = JSON.Patch.Operation.replace(JSON.Pointer([name]), json[name] ?? .null)
      func length(_ operations: [JSON.Patch.Operation]) -> Int {
        operations.reduce(0) { $0 + $1.json.bytes.count + 1 }
      }
      #expect(
        operations.count == 1 || length(operations) <= length([whole]),
        "\(name), \(length(operations)) bytes for \(length([whole])): \(patch.json)"
      )
    }
  }

  mutating func change<State>(from old: State, to new: State) throws -> (JSON, JSON.Patch) {
    if tracker.isCurrent {
      // What a recorder need not look at before an action is as it was written.
      #expect(tracker.patch(to: old).isEmpty)
    }
    let patch = tracker.patch(from: old, to: new)
    try patch.apply(to: &json)
    expectShort(patch)
    return (json, patch)
  }
}
