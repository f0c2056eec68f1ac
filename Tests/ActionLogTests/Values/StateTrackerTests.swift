import ActionLog
import Testing

/// The view of changes for an adapter of another model.
///
/// The test uses only public API.
@Suite struct StateTrackerTests {
  @LogValue struct State: Sendable {
    var count = 0
    var names: [String] = []
    var text = ""
  }

  /// A value behind a reference, which shows its current state in all copies.
  final class Box { var count = 0 }
  struct Boxed: LogValue {
    let box = Box()
    func encode(to encoder: inout LogEncoder) {
      encoder.beginObject()
      encoder.member("count", box.count)
      encoder.endObject()
    }
    static func decode(from decoder: LogDecoder, over template: Boxed?) throws -> Boxed { Boxed() }
  }

  @Test("StateTracker returns a patch from one state to the next")
  func patches() {
    var tracker = StateTracker()
    var state = State(count: 1)
    #expect(tracker.begin(state) == ["count": 1, "names": [], "text": ""])
    let old = state
    (state.count, state.names) = (2, ["Ann"])
    #expect(
      tracker.patch(from: old, to: state).json.description
        == #"[{"op":"replace","path":"/count","value":2},{"op":"add","path":"/names/0","value":"Ann"}]"#
    )
    #expect(tracker.patch(from: state, to: state).isEmpty)
    #expect(tracker.patch(to: state).isEmpty)
  }

  @Test("StateTracker compares with the last written state when it does not own the state")
  func others() {
    var tracker = StateTracker(ownsState: false)
    _ = tracker.begin(State())
    // The given previous state is ignored.
    let patch = tracker.patch(from: State(count: 7), to: State(count: 7))
    #expect(patch.json == [["op": "replace", "path": "/count", "value": 7]])
    #expect(tracker.patch(to: State(count: 7)).isEmpty)
    #expect(
      tracker.patch(to: State(count: 8)).json == [["op": "replace", "path": "/count", "value": 8]]
    )
  }

  @Test(
    "StateTracker finds changes behind references by comparing with what was written",
    arguments: [true, false]
  )
  func references(ownsState: Bool) {
    var tracker = StateTracker(ownsState: ownsState)
    let state = Boxed()
    #expect(tracker.begin(state) == ["count": 0])
    state.box.count = 3
    #expect(
      tracker.patch(from: state, to: state).json
        == [["op": "replace", "path": "/count", "value": 3]]
    )
    #expect(tracker.patch(from: state, to: state).isEmpty)
  }

  @Test("StateTracker splices long texts only when it is set to", arguments: [true, false])
  func splices(splices: Bool) throws {
    var tracker = StateTracker(splices: splices)
    let old = State(text: String(repeating: "a long text ", count: 100))
    var new = old
    new.text += "!"
    var json = tracker.begin(old)
    let patch = tracker.patch(from: old, to: new)
    #expect(patch.json.description.contains("splice") == splices)
    try patch.apply(to: &json)
    #expect(json == JSON(logging: new))
  }

  @Test(
    "StateTracker returns an empty patch for types that cannot be compared",
    arguments: [true, false]
  )
  func opaque(ownsState: Bool) {
    var tracker = StateTracker(ownsState: ownsState)
    let function = { 1 }
    #expect(tracker.begin(function)["$opaque"] == "() -> Int")
    #expect(tracker.patch(from: function, to: function).isEmpty)
  }
}
