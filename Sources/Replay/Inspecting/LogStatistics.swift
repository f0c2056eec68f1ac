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
  var kinds: [String: Count] = [:]
  var actions: [String: Timing] = [:]
  var origins: [String: Int] = [:]
  var reads: [String: Int] = [:]
  var effects: [String: Int] = [:]
  var turns: [String: Int] = [:]
  /// The largest event.
  var largest = Largest()

  struct Largest: Equatable {
    var kind = ""
    var bytes = 0
    var line = 0
  }

  private var openAction: (seq: Int, name: String)?

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.json == rhs.json }
}

extension LogStatistics {
  mutating func add(_ entry: LogReader.Entry) {
    lines += 1
    bytes += entry.bytes
    let kind = entry.event.kind
    kinds[kind, default: Count()].count += 1
    kinds[kind, default: Count()].bytes += entry.bytes
    if entry.bytes > largest.bytes {
      largest = Largest(kind: kind, bytes: entry.bytes, line: entry.line)
    }
    switch entry.event {
    case .header(let header):
      feature = header.feature
      id = header.id
    case .action(let action):
      duration = max(duration, action.at)
      let name = action.action.caseName
      openAction = (action.seq, name)
      actions[name, default: Timing()].count += 1
      origins[Self.name(action.origin), default: 0] += 1
    case .read(let read): reads[read.key, default: 0] += 1
    case .change(let change):
      for effect in change.effects.flatMap(\.flattened) where effect.id != nil {
        effects[effect.name ?? effect.operation.rawValue, default: 0] += 1
      }
      guard let openAction, openAction.seq == change.seq, let time = change.us else { return }
      var timing = actions[openAction.name, default: Timing()]
      timing.timed += 1
      timing.total += time
      timing.longest = max(timing.longest, time)
      actions[openAction.name] = timing
    case .effect(let effect):
      duration = max(duration, effect.at)
      turns[Self.name(effect.event), default: 0] += 1
    default: break
    }
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
    func object<Value>(_ values: [String: Value], _ body: (Value) -> JSON) -> JSON {
      .object(
        JSON.Object(
          members: values.sorted { $0.key.precedesInBytes($1.key) }.map { ($0.key, body($0.value)) }
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
