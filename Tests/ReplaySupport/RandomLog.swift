import ActionLog
import ReplayAnalyses
import ReplayEngine
import TestSupport

/// A log of random events, in the form in which recorders write.
package struct RandomLog {
  private var random: SplitMix64
  private var state: JSON
  package private(set) var lines: [String] = []

  package init(seed: UInt64, actions: Int) {
    random = SplitMix64(seed: seed)
    state = [:]
    lines = Array(SampleLog.lines.prefix(1))
    state = ["a": value(3), "rows": [value(2), value(2)], "text": value(0), "é": 1, "x/y~": 2]
    write(.checkpoint(LogEvent.Checkpoint(seq: 0, state: state)))
    for seq in 1...actions { add(seq) }
  }

  private mutating func write(_ event: LogEvent) {
    lines.append(String(decoding: event.line, as: UTF8.self))
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// Returns `true` about once in the given number of calls.
  private mutating func rarely(_ times: Int) -> Bool { number(times) == 0 }

  private mutating func id(_ seq: Int) -> EffectID { EffectID(seq: seq, index: number(3)) }

  private mutating func add(_ seq: Int) {
    let origins: [LogEvent.Origin] = [
      .view, .parent, .reentrant(seq: number(seq)), .effect(id(seq)), .effect(id(seq), via: "é"),
    ]
    let origin = origins[number(origins.count)]
    write(.action(LogEvent.Action(seq: seq, at: seq, origin: origin, action: value(3))))
    while rarely(3) { write(.read(LogEvent.Read(seq: seq, key: "uuid", value: value(1)))) }
    let patch = patch()
    try? patch.apply(to: &state)
    let effects = (0..<number(3)).map { _ in effect(seq, 3) }
    write(.change(LogEvent.Change(seq: seq, patch: patch, effects: effects, us: 1)))
    if rarely(2) { write(.effect(LogEvent.Effect(id: id(seq), event: turn(seq), at: seq))) }
    if rarely(5) {
      write(.checkpoint(LogEvent.Checkpoint(seq: seq, state: state, effects: effects)))
    }
  }

  /// Returns a patch that fits the state.
  private mutating func patch() -> JSON.Patch {
    let count = state["rows"]?.array?.count ?? 0
    let row = JSON.Pointer(["rows", String(number(count + 1))])
    switch number(8) {
    case 0: return JSON.Patch()
    case 1: return JSON.Patch([.add(row, value(2))])
    case 2 where count > 1: return JSON.Patch([.remove(JSON.Pointer(["rows", "1"]))])
    case 3: return JSON.Patch([.replace(JSON.Pointer(["x/y~"]), value(1))])
    case 4: return JSON.Patch([.replace(JSON.Pointer(["é"]), value(1))])
    case 5:
      let place = JSON.Pointer(["a"])
      return JSON.Patch([
        .copy(from: place, to: JSON.Pointer(["b"])), .test(place, state["a"] ?? .null),
        .move(from: JSON.Pointer(["b"]), to: JSON.Pointer(["c"])), .replace(place, value(2)),
        .replace(place, value(2)),
      ])
    default:
      var next = state.object ?? JSON.Object()
      next["a"] = value(3)
      next["text"] = value(0)
      return JSON.Patch(from: state, to: .object(next))
    }
  }

  private mutating func turn(_ seq: Int) -> LogEvent.Effect.Event {
    let turns: [LogEvent.Effect.Event] = [
      .started, .finished(sent: 0), .finished(sent: 1), .finished(sent: 12), .failed(value(1)),
      .cancelled(by: .action(seq: seq)), .cancelled(by: .effect(id(seq)), dropping: 2),
      .cancelled(by: .task), .cancelled(by: .store),
    ]
    return turns[number(turns.count)]
  }

  private mutating func effect(_ seq: Int, _ depth: Int) -> EffectDescription {
    let operations = EffectDescription.Operation.allCases
    var effect = EffectDescription(operations[number(operations.count)])
    if rarely(2) { effect.id = id(seq) }
    if rarely(2) { effect.name = rarely(5) ? "\"ü\"" : "save" }
    if rarely(3) {
      let path: [JSON] = rarely(2) ? [value(1)] : []
      effect.cancelID = EffectDescription.CancelID(type: "ID", value: value(2), path: path)
    }
    effect.cancelInFlight = rarely(3)
    if rarely(3) { effect.action = value(2) }
    if rarely(3) { effect.input = value(2) }
    if rarely(3) { effect.priority = "high" }
    if rarely(3) { effect.source = "A.swift:1" }
    effect.isInternal = rarely(4)
    effect.isCancelled = rarely(6)
    if depth > 0 { effect.effects = (0..<number(3)).map { _ in self.effect(seq, depth - 1) } }
    return effect
  }

  private mutating func value(_ depth: Int) -> JSON {
    switch number(depth > 0 ? 9 : 6) {
    case 0: return .null
    case 1: return .bool(rarely(2))
    case 2: return .number(JSON.Number(number(1_000_000) - 500_000))
    case 3: return JSON.Number(Double(number(1000)) / 7).map(JSON.number) ?? 0
    case 4: return .string(text(number(5)))
    // About as long as the displayed part of a value.
    case 5: return .string(rarely(8) ? text(395 + number(12)) : "")
    case 6: return .array((0..<number(4)).map { _ in value(depth - 1) })
    default:
      var object = JSON.Object()
      for _ in 0..<number(4) { object[text(1 + number(2))] = value(depth - 1) }
      return .object(object)
    }
  }

  private mutating func text(_ count: Int) -> String {
    let common = ["a", "b", "~", "/", "$", "1"]
    let rare = ["\"", "\\", "\n", "\u{0}", "é", "e\u{301}", "👩‍👩‍👧", "\u{301}", "\u{2028}"]
    let isPlain = rarely(2)
    return (0..<count)
      .map { _ in !isPlain && rarely(20) ? rare[number(rare.count)] : common[number(6)] }
      .joined()
  }
}
