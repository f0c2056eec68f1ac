import ActionLog
import TCARecorder
import TestSupport
import Testing

/// Comparing states directly gives the same patches as encoding them and comparing the texts.
@Suite("Differences")
struct DifferenceTests {
  @Test(
    "Applying a patch to a random state gives the next state",
    arguments: Thoroughness.seeds(15, thorough: 60)
  )
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

  @Test("A patch contains changes of objects between two actions")
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

  @Test("A change below the nesting limit of a log is not logged")
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

/// A state's text, updated only by patches.
struct Tracked: ~Copyable {
  private var tracker: StateTracker
  private var json: JSON

  /// Creates a tracked state.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - ownsState: Whether the tracker receives the state before a change.
  init<State>(_ state: State, ownsState: Bool = true) {
    tracker = StateTracker(ownsState: ownsState, splices: true)
    json = tracker.begin(state)
  }

  /// Expects that no array takes more bytes in a patch than as one value.
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
      // Values that a recorder skips before an action are unchanged.
      #expect(tracker.patch(to: old).isEmpty)
    }
    let patch = tracker.patch(from: old, to: new)
    try patch.apply(to: &json)
    expectShort(patch)
    return (json, patch)
  }
}
