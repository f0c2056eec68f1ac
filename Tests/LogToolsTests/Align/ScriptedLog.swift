import ActionLog
import TestSupport

/// A log of a list of rows, created by a script of commands, with its own ids and dates.
struct ScriptedLog {
  /// A command of the user with its consequences.
  enum Command: Hashable {
    case add(row: Int)
    case rename(row: Int, title: String)
    case toggle(row: Int)
    case select(row: Int)
    /// An effect returns a new row from a server, or fails.
    case load(row: Int)
  }

  /// The generator of ids.
  enum IDs: CaseIterable { case random, counted }

  private(set) var lines: [String] = []
  /// The commands by the numbers of their actions.
  private(set) var commands: [Int: Command] = [:]
  private var state: JSON = ["rows": [], "selected": .null, "answers": 0]
  private var seq = 0
  private var rows: [Int: String] = [:]
  private var random: SplitMix64
  private let ids: IDs
  private var counter = 0

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - script: The commands.
  ///   - seed: The seed of the ids and dates.
  ///   - ids: The generator of ids.
  init(_ script: [Command], seed: UInt64, ids: IDs = .random) {
    (random, self.ids) = (SplitMix64(seed: seed), ids)
    lines.append(
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"Rows","stateType":"Rows.State","startedAt":"","recorder":"0.1.0","environment":{},"segment":1}"#
    )
    write(.checkpoint(LogEvent.Checkpoint(seq: 0, state: state)))
    for command in script { perform(command) }
    write(.end(LogEvent.End(seq: seq, reason: "closed")))
  }

  /// Returns a script in which every command refers to an existing row.
  static func script(_ count: Int, seed: UInt64) -> [Command] {
    var random = SplitMix64(seed: seed)
    var script: [Command] = [.add(row: 0), .add(row: 1)]
    var rows = 2
    for number in 2..<max(count, 2) {
      let row = Int.random(in: 0..<rows, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        script.append(.add(row: rows))
        rows += 1
      case 1: script.append(.rename(row: row, title: "title \(number)"))
      case 2: script.append(.select(row: row))
      case 3:
        script.append(.load(row: rows))
        rows += 1
      default: script.append(.toggle(row: row))
      }
    }
    return script
  }

  var events: LogComparison.Events {
    var events = lines.compactMap { LogEvent(line: $0.utf8) }[...]
    return { events.popFirst() }
  }

  private mutating func write(_ event: LogEvent) {
    lines.append(String(decoding: event.line, as: UTF8.self))
  }

  private mutating func newID() -> String {
    counter += 1
    let (high, low) =
      ids == .random ? (random.next(), random.next()) : (0, UInt64(truncatingIfNeeded: counter))
    let digits = [high, low].map { word in
      let text = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private mutating func newDate() -> String {
    counter += 1
    let fraction = Int.random(in: 100_000..<1_000_000, using: &random)
    let second = 10 + counter % 50
    return
      "2026-03-0\(1 + counter / 3000 % 9)T1\(counter / 300 % 10):\(10 + counter / 50 % 50):\(second).\(fraction)1Z"
  }

  private mutating func perform(_ command: Command) {
    switch command {
    case .add(let row):
      let (id, date) = (newID(), newDate())
      rows[row] = id
      var next = state
      next.prepend(["id": .string(id), "title": "", "done": false, "at": .string(date)])
      send(["add": [:]], command, next, reads: [("uuid", .string(id)), ("date", .string(date))])
    case .rename(let row, let title):
      change(row, command, ["rename": ["id": id(row), "title": .string(title)]]) {
        $0["title"] = .string(title)
      }
    case .toggle(let row):
      change(row, command, ["toggle": ["id": id(row)]]) { $0["done"] = .bool($0["done"] != true) }
    case .select(let row):
      var next = state.object ?? [:]
      next["selected"] = id(row)
      send(["select": ["id": id(row)]], command, .object(next))
    case .load(let row):
      var effect = EffectDescription(.run)
      (effect.id, effect.name) = (EffectID(seq: seq + 1, index: 0), "load")
      effect.input = ["selected": state["selected"] ?? .null]
      send(["load": [:]], command, state, effects: [effect])
      let cause = EffectID(seq: seq, index: 0)
      rows[row] = newID()
      var next = state.object ?? [:]
      next["answers"] = .number(JSON.Number((next["answers"]?.int ?? 0) + 1))
      var loaded = JSON.object(next)
      loaded.prepend(["id": id(row), "title": "loaded", "done": false, "at": .null])
      send(["loaded": ["id": id(row)]], command, loaded, from: .effect(cause))
      write(.effect(LogEvent.Effect(id: cause, event: .finished(sent: 1), at: seq)))
    }
  }

  private func id(_ row: Int) -> JSON { rows[row].map(JSON.string) ?? "none" }

  private mutating func change(
    _ row: Int,
    _ command: Command,
    _ action: JSON,
    _ change: (inout JSON.Object) -> Void
  ) {
    var next = state.object ?? [:]
    let elements = next["rows"]?.array ?? []
    next["rows"] = .array(
      elements.map { element in
        guard element["id"] == id(row), var object = element.object else { return element }
        change(&object)
        return .object(object)
      }
    )
    send(action, command, .object(next))
  }

  private mutating func send(
    _ action: JSON,
    _ command: Command,
    _ next: JSON,
    from origin: LogEvent.Origin = .view,
    reads: [(String, JSON)] = [],
    effects: [EffectDescription] = []
  ) {
    seq += 1
    commands[seq] = command
    write(.action(LogEvent.Action(seq: seq, at: seq, origin: origin, action: action)))
    for (key, value) in reads { write(.read(LogEvent.Read(seq: seq, key: key, value: value))) }
    let patch = JSON.Patch(from: state, to: next)
    write(.change(LogEvent.Change(seq: seq, patch: patch, effects: effects, us: 1)))
    state = next
  }
}

extension JSON {
  fileprivate mutating func prepend(_ row: JSON) {
    guard var object else { return }
    object["rows"] = .array([row] + (object["rows"]?.array ?? []))
    self = .object(object)
  }
}
