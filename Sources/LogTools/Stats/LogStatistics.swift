import ActionLog

/// Numbers about the events of a log, gathered while they are read.
struct LogStatistics: Equatable {
  /// How often something occurred, and how many bytes it took.
  struct Count: Equatable {
    var count = 0
    var bytes = 0
  }

  /// How often an action was reduced, and how long that took.
  struct Timing: Equatable {
    var count = 0
    /// For how many of them the log has the time.
    var timed = 0
    /// Microseconds, of all that have a time.
    var total = 0
    var longest = 0
  }

  var feature = ""
  var id = ""
  var lines = 0
  var bytes = 0
  /// Microseconds from the start of the recording to its last event.
  var duration = 0
  var kinds = Tally<Count>()
  var actions = Tally<Timing>()
  var origins = Tally<Int>()
  var reads = Tally<Int>()
  var effects = Tally<Int>()
  var turns = Tally<Int>()
  /// The largest event.
  var largest = Largest()

  struct Largest: Equatable {
    var kind = ""
    var bytes = 0
    var line = 0
  }

  /// The action that is being reduced, and the place of its name.
  private var openAction: (seq: Int, place: Int)?

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.json == rhs.json }
}

extension LogStatistics {
  mutating func add(_ entry: LogReader.SkimmedEntry) {
    lines += 1
    bytes += entry.bytes
    let kind = entry.event.kind
    kinds.change(kind, from: Count()) {
      $0.count += 1
      $0.bytes += entry.bytes
    }
    if entry.bytes > largest.bytes {
      largest = Largest(kind: kind, bytes: entry.bytes, line: entry.line)
    }
    switch entry.event {
    case .action(let action):
      let place = actions.place(of: caseName(of: action.action), from: Timing())
      add(action.seq, at: action.at, action.origin, place)
    case .read(let read): reads.change(read.key, from: 0) { $0 += 1 }
    case .change(let change): add(change.seq, change.effects.skimmed, change.us)
    case .effect(let effect): add(effect)
    case .checkpoint: break
    case .whole(let event): add(event)
    }
  }

  private mutating func add(_ event: LogEvent) {
    switch event {
    case .header(let header):
      feature = header.feature
      id = header.id
    case .action(let action):
      let place = actions.place(of: action.action.caseName, from: Timing())
      add(action.seq, at: action.at, action.origin, place)
    case .read(let read): reads.change(read.key, from: 0) { $0 += 1 }
    case .change(let change):
      let effects = change.effects.flatMap(\.flattened).map { SkimmedEffect($0) }
      add(change.seq, effects, change.us)
    case .effect(let effect): add(effect)
    default: break
    }
  }

  private mutating func add(_ seq: Int, at: Int, _ origin: LogEvent.Origin, _ place: Int) {
    duration = max(duration, at)
    openAction = (seq, place)
    actions.values[place].count += 1
    origins.change(Self.name(origin), from: 0) { $0 += 1 }
  }

  private mutating func add(_ seq: Int, _ described: [SkimmedEffect], _ time: Int?) {
    for effect in described where effect.id != nil {
      effects.change(effect.name ?? effect.operation.rawValue, from: 0) { $0 += 1 }
    }
    guard let openAction, openAction.seq == seq, let time else { return }
    actions.values[openAction.place].timed += 1
    actions.values[openAction.place].total += time
    actions.values[openAction.place].longest = max(actions.values[openAction.place].longest, time)
  }

  private mutating func add(_ effect: LogEvent.Effect) {
    duration = max(duration, effect.at)
    turns.change(Self.name(effect.event), from: 0) { $0 += 1 }
  }

  private static func name(_ origin: LogEvent.Origin) -> String {
    switch origin {
    case .view: "view"
    case .parent: "parent"
    case .effect: "effect"
    case .reentrant: "reentrant"
    }
  }

  private static func name(_ turn: LogEvent.Effect.Event) -> String {
    switch turn {
    case .started: "started"
    case .finished: "finished"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  /// The name of the case of an action that is written as text.
  private func caseName(of action: SkimmedEvent.Text) -> String {
    JSON.onlyName(in: action) ?? (try? JSON(parsing: action))?.caseName ?? ""
  }
}

extension JSON {
  /// The name of the case of an action: the only member of `{"saved":{...}}`.
  var caseName: String {
    if let object, object.count == 1, let name = object.keys.first { return name }
    return string ?? kind
  }
}

extension LogStatistics {
  var json: JSON {
    func number(_ value: Int) -> JSON { .number(JSON.Number(value)) }
    func object<Value>(_ tally: Tally<Value>, _ body: (Value) -> JSON) -> JSON {
      .object(
        JSON.Object(
          members: tally.rows.sorted { $0.name.precedesInBytes($1.name) }
            .map { ($0.name, body($0.value)) }
        )
      )
    }
    return [
      "feature": .string(feature), "id": .string(id), "lines": number(lines),
      "bytes": number(bytes), "microseconds": number(duration),
      "events": object(kinds) { ["count": number($0.count), "bytes": number($0.bytes)] },
      "actions": object(actions) {
        [
          "count": number($0.count), "timed": number($0.timed),
          "microseconds": number($0.total), "longest": number($0.longest),
        ]
      },
      "origins": object(origins, number), "reads": object(reads, number),
      "effects": object(effects, number), "turns": object(turns, number),
      "largest": [
        "kind": .string(largest.kind), "bytes": number(largest.bytes),
        "line": number(largest.line),
      ],
    ]
  }
}
