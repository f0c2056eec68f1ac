import ActionLog

/// Numbers about the events of a log, gathered while they are read.
struct LogStatistics: Equatable {
  /// How often something occurred, and how many bytes it took.
  struct Count: Equatable {
    var count = 0
    var bytes = 0
  }

  /// How often an endpoint was called, what came of it, and how long that took.
  struct Calls: Equatable {
    var count = 0
    var failed = 0
    var cancelled = 0
    /// How many had not ended when the log did.
    var unended = 0
    /// The times of those that ended, in microseconds.
    var times = Durations()
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
  var kinds = Counters<Count>()
  var actions = Counters<Timing>()
  var origins = Counters<Int>()
  var reads = Counters<Int>()
  var effects = Counters<Int>()
  var turns = Counters<Int>()
  var calls = Counters<Calls>()
  /// The values that the log does not hold in full.
  var notHeld = UncomparedValues()
  /// The largest event.
  var largest = Largest()

  struct Largest: Equatable {
    var kind = ""
    var bytes = 0
    var line = 0
  }

  /// The action that is being reduced, and the index of its name.
  private var openAction: (seq: Int, index: Int)?

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.json == rhs.json }
}

extension LogStatistics {
  mutating func add(_ entry: LogReader.Entry) {
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
    case .header(let header):
      feature = header.feature
      id = header.id
    case .action(let action):
      let name = action.logged.onlyName ?? action.action.caseName
      let index = actions.index(of: name, from: Timing())
      add(action.seq, at: action.at, action.origin, index)
    case .read(let read): reads.change(read.key, from: 0) { $0 += 1 }
    case .change(let change): add(change)
    case .effect(let effect): add(effect)
    case .call(let call): add(call)
    // They are counted as lines of their kind.
    case .checkpoint, .withheld, .external, .excluded, .gap, .note, .finding, .end, .unknown: break
    }
  }

  private mutating func add(_ seq: Int, at: Int, _ origin: LogEvent.Origin, _ index: Int) {
    duration = max(duration, at)
    openAction = (seq, index)
    actions.values[index].count += 1
    origins.change(Self.name(origin), from: 0) { $0 += 1 }
  }

  private mutating func add(_ change: LogEvent.Change) {
    for effect in change.effects.lazy.flatMap(\.flattened) where effect.id != nil {
      effects.change(effect.name ?? effect.operation.rawValue, from: 0) { $0 += 1 }
    }
    guard let openAction, openAction.seq == change.seq, let time = change.us else { return }
    actions.values[openAction.index].timed += 1
    actions.values[openAction.index].total += time
    actions.values[openAction.index].longest = max(actions.values[openAction.index].longest, time)
  }

  private mutating func add(_ effect: LogEvent.Effect) {
    duration = max(duration, effect.at)
    turns.change(Self.name(effect.event), from: 0) { $0 += 1 }
  }

  private mutating func add(_ call: LogEvent.Call) {
    duration = max(duration, call.at + call.us)
    calls.change(call.key, from: Calls()) {
      $0.count += 1
      if call.isCancelled { $0.cancelled += 1 }
      switch call.outcome {
      case nil: $0.unended += 1
      // What a cancelled call throws is no failure of the endpoint's.
      case .threw where !call.isCancelled: $0.failed += 1
      case .threw, .returned: break
      }
      if call.outcome != nil { $0.times.add(call.us) }
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
    func counted<Counter>(_ counters: Counters<Counter>, _ body: (Counter) -> JSON) -> JSON {
      .object(
        JSON.Object(
          members: counters.rows.sorted { $0.name.precedesInBytes($1.name) }
            .map { ($0.name, body($0.value)) }
        )
      )
    }
    var object: JSON.Object = [
      "feature": .string(feature), "id": .string(id), "lines": number(lines),
      "bytes": number(bytes), "microseconds": number(duration),
      "events": counted(kinds) { ["count": number($0.count), "bytes": number($0.bytes)] },
      "actions": counted(actions) {
        [
          "count": number($0.count), "timed": number($0.timed),
          "microseconds": number($0.total), "longest": number($0.longest),
        ]
      },
      "origins": counted(origins, number), "reads": counted(reads, number),
      "effects": counted(effects, number), "turns": counted(turns, number),
      "largest": [
        "kind": .string(largest.kind), "bytes": number(largest.bytes),
        "line": number(largest.line),
      ],
    ]
    if !calls.values.isEmpty {
      object["calls"] = counted(calls) { calls in
        [
          "count": number(calls.count), "failed": number(calls.failed),
          "cancelled": number(calls.cancelled), "unended": number(calls.unended),
          "p50": number(calls.times.percentile(50)), "p95": number(calls.times.percentile(95)),
          "longest": number(calls.times.longest),
        ]
      }
    }
    for (name, kind) in [("notCompared", UncomparedValue.Kind.opaque), ("notReadBack", .error)] {
      let values = notHeld.list(kind)
      if !values.isEmpty { object[name] = .array(values.map(\.json)) }
    }
    return .object(object)
  }
}

/// Counters by name, in the order in which the names first occurred.
struct Counters<Counter> {
  private var names: [String] = []
  /// The counters, in the order of the names.
  var values: [Counter] = []
  private var indices: [String: Int] = [:]

  /// The names with their counters.
  var rows: [(name: String, value: Counter)] { zip(names, values).map { ($0, $1) } }

  /// Up to so many names, a linear search is faster than hashing.
  private static var fewNames: Int { 16 }

  /// The index of a name; a new one starts with this counter.
  mutating func index(of name: String, from value: @autoclosure () -> Counter) -> Int {
    for index in 0..<min(names.count, Self.fewNames) where names[index] == name { return index }
    if let index = indices[name] { return index }
    indices[name] = names.count
    names.append(name)
    values.append(value())
    return names.count - 1
  }

  /// Changes the counter of a name.
  mutating func change(
    _ name: String,
    from value: @autoclosure () -> Counter,
    _ body: (inout Counter) -> Void
  ) {
    body(&values[index(of: name, from: value())])
  }
}
