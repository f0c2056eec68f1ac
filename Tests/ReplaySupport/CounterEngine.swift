import ActionLog
import ReplayEngine
import ReplayHosts

/// A small handwritten feature on JSON, with all kinds of effects, reads and mistakes.
package struct CounterEngine: FeatureEngine {
  /// The difference between the code and the recorded behavior.
  package enum Change: String, CaseIterable, Sendable {
    case none
    case countsByTwo
    case addsMember
    case renamesEffect
    case changesOperation
    case changesCancelID
    case changesCancelInFlight
    case changesInput
    case changesPriority
    case changesSentAction
    case addsEffect
    case dropsEffect
    case swapsSends
    case readsDate
    case readsNothing
    case movesSource
    case addsInternalEffect
    case refuses
    case isOpaque
  }

  package var change = Change.none
  private var state: JSON = .null
  private var sends: [EffectID: JSON] = [:]

  package init(_ change: Change = .none) { self.change = change }

  package mutating func load(
    _ checkpoint: LogEvent.Checkpoint,
    header: LogEvent.Header
  ) throws -> LoadedState {
    guard checkpoint.state["count"]?.int != nil else {
      _ = try LogDecoder(checkpoint.state["count"] ?? .null).value(Int.self)
      return LoadedState()
    }
    state = checkpoint.state
    guard change == .addsMember else { return LoadedState() }
    set("new", to: 0)
    let drift = SchemaDrift(path: JSON.Pointer(["new"]), kind: .missingInLog)
    return LoadedState(state: state, drift: [drift])
  }

  package var loggedState: JSONText { JSONText(state) }

  package func isEquivalent(to checkpoint: LogEvent.Checkpoint) -> Bool {
    checkpoint.state == state
  }

  package mutating func step(_ input: StepInput) throws -> StepOutcome {
    let action: JSON
    switch input.action {
    case .recorded(let json): action = json
    case .produced(let id): action = sends.removeValue(forKey: id) ?? .null
    }
    let old = state
    var outcome = StepOutcome()
    var builder = EffectBuilder(seq: input.seq, change: change)
    try reduce(action, input, &outcome, &builder)
    outcome.patch = JSON.Patch(from: old, to: state)
    outcome.effects = builder.effects
    for effect in builder.effects.flatMap(\.flattened) {
      if let id = effect.id, let action = effect.action { sends[id] = action }
    }
    return outcome
  }

  package var snapshotObstacle: SnapshotObstacle? { nil }

  package func snapshot() -> EngineSnapshot { CounterSnapshot(self) }

  package mutating func restore(_ snapshot: EngineSnapshot) {
    if let snapshot = snapshot as? CounterSnapshot { self = snapshot.engine }
  }

  package func isEquivalent(to snapshot: EngineSnapshot) -> Bool {
    guard let snapshot = snapshot as? CounterSnapshot else { return false }
    return snapshot.engine.state == state && snapshot.engine.sends == sends
  }

  private mutating func reduce(
    _ action: JSON,
    _ input: StepInput,
    _ outcome: inout StepOutcome,
    _ effects: inout EffectBuilder
  ) throws {
    switch action.object?.keys.first {
    case "increment":
      if change == .refuses { _ = try LogDecoder("x").value(Int.self) }
      if change == .isOpaque { _ = try LogDecoder(["$opaque": "Socket"]).value(Int.self) }
      add(change == .countsByTwo ? 2 : 1)
    case "add":
      guard change != .readsNothing else {
        outcome.findings += input.reads.map {
          LogEvent.Finding(
            seq: input.seq,
            code: .unusedRead,
            subject: $0.key,
            expected: $0.value
          )
        }
        return
      }
      let key = change == .readsDate ? "date" : "uuid"
      if let read = input.reads.first, read.key == key {
        set("id", to: read.value)
        outcome.reads = [read]
      } else if input.isUnfinished {
        set("id", to: "stand-in")
      } else if input.keepsStandIns {
        set("id", to: "stand-in")
        outcome.reads = [LogEvent.Read(seq: input.seq, key: key, value: "stand-in")]
        outcome.findings = [LogEvent.Finding(seq: input.seq, code: .unrecordedRead, subject: key)]
      } else {
        outcome.findings = [LogEvent.Finding(seq: input.seq, code: .unrecordedRead, subject: key)]
      }
    case "load": effects.load()
    case "loaded": set("count", to: action["loaded"]?["_0"] ?? .null)
    case "cancel": effects.cancel()
    case "burst": effects.burst()
    case "chain": effects.chain()
    case "first", "second", "third", "done":
      add(1)
      if action["first"] != nil { effects.send(["third": [:]]) }
    default: throw LogDecodingFailure(action: action)
    }
  }

  private mutating func add(_ number: Int) {
    let count = JSON.number(JSON.Number((state["count"]?.int ?? 0) &+ number))
    set("count", to: count)
    if change == .addsMember { set("new", to: count) }
  }

  private mutating func set(_ name: String, to value: JSON) {
    guard var object = state.object else { return }
    object[name] = value
    state = .object(object)
  }
}

private final class CounterSnapshot: EngineSnapshot {
  let engine: CounterEngine

  init(_ engine: CounterEngine) { self.engine = engine }
}

package struct LogDecodingFailure: Error, CustomStringConvertible {
  package let action: JSON

  package init(action: JSON) { self.action = action }
  package var description: String { "no such action: \(action)" }
}
