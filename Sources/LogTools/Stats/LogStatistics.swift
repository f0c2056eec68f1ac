import ActionLog
import ReplayEngine

/// Collects statistics about the events of a log while the log is read.
package struct LogStatistics: LogEventAccumulator, Equatable {
  /// The number of events of one kind, and their total size in bytes.
  struct EventCountAndSize: Equatable {
    var count = 0
    var bytes = 0
  }

  /// The number of calls to one endpoint, with their results and durations.
  struct Calls: Equatable {
    var count = 0
    var failed = 0
    var cancelled = 0
    /// The number of calls that had not returned when the log ended.
    var unended = 0
    /// The durations of calls that returned or threw, in microseconds.
    var times = DurationHistogram()

    mutating func add(_ others: Calls) {
      count += others.count
      failed += others.failed
      cancelled += others.cancelled
      unended += others.unended
      times.add(others.times)
    }
  }

  /// The number of times that an action was reduced, with durations.
  struct ReducerTiming: Equatable {
    var count = 0
    /// The reducer's durations in microseconds, for actions whose duration the log contains.
    var times = DurationHistogram()

    mutating func add(_ others: ReducerTiming) {
      count += others.count
      times.add(others.times)
    }
  }

  /// A change event that is among the largest of the log.
  struct LargeChange: Ranked {
    var seq: Int
    var action: String
    var bytes: Int

    var rank: Int { bytes }
  }

  /// An action that is among those with the longest reducer durations.
  struct SlowAction: Ranked {
    var seq: Int
    var action: String
    var microseconds: Int

    var rank: Int { microseconds }
  }

  var feature = ""
  var id = ""
  /// The log and the action after which this log continues, or `nil` if the log is the start of a recording.
  var continues: LogEvent.Header.Continuation?
  var lines = 0
  var bytes = 0
  /// The time from the start of the recording to its last event, in microseconds.
  var duration = 0
  var kinds = NamedCounters<EventCountAndSize>()
  /// The timings of actions by case path, such as `.path[].report.reload`.
  var actions = NamedCounters<ReducerTiming>()
  var origins = NamedCounters<Int>()
  var reads = NamedCounters<Int>()
  var effects = EffectLifetimeStatistics()
  var calls = NamedCounters<Calls>()
  /// The values that the log does not contain in full, for example because they are opaque.
  var notHeld = UncomparedValues()
  var growth = StateGrowth()
  var changes = TopList<LargeChange>()
  var slowest = TopList<SlowAction>()
  /// The kind, size, and line of the largest event.
  var largest = LargestEvent()

  struct LargestEvent: Equatable {
    var kind = ""
    var bytes = 0
    var line = 0
  }

  /// The maximum number of changes in the list of largest changes for one log.
  static let mostChanges = 5

  /// The number and time of the last action, and the index of its name in `actions`.
  private var openAction: (seq: Int, at: Int, index: Int)?
  /// Whether the first action was preceded by a change, whose action is in an earlier range.
  private var hasLooseChange = false
  private let notation = Notation()
  /// A buffer for case paths that is reused to avoid allocations.
  private var name: [UInt8] = []

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.json == rhs.json }
}

extension LogStatistics {
  /// Reads a log and collects its statistics.
  ///
  /// - Parameters:
  ///   - log: The log to read.
  ///   - check: A closure that is called after every 4,096 events. It can throw an error to stop reading.
  /// - Throws: `LogReadError`, or the error that `check` throws.
  package init(of log: LogSlice, check: () throws -> Void = {}) throws {
    var source = try LogEventIterator(log)
    while let entry = try source.next() {
      add(entry, at: source.position(of: entry))
      if lines % 4096 == 0 { try check() }
    }
    finish()
    notHeld = try UncomparedValues(in: log)
  }
}

extension LogStatistics {
  /// Adds an event.
  ///
  /// - Parameters:
  ///   - entry: The event with its line and size.
  ///   - position: The number of bytes in the log before the event.
  mutating func add(_ entry: LogReader.Entry, at position: Int) {
    lines += 1
    bytes += entry.bytes
    let kind = entry.event.kind
    kinds.update(kind, from: EventCountAndSize()) {
      $0.count += 1
      $0.bytes += entry.bytes
    }
    if entry.bytes > largest.bytes {
      largest = LargestEvent(kind: kind, bytes: entry.bytes, line: entry.line)
    }
    growth.add(entry.event, bytes: entry.bytes, at: position)
    switch entry.event {
    case .header(let header):
      feature = header.feature
      id = header.id
      continues = header.continues
    case .action(let action):
      name.removeAll(keepingCapacity: true)
      notation.append(casePath: action.logged, to: &name)
      let index = actions.index(of: String(decoding: name, as: UTF8.self), from: ReducerTiming())
      add(action.seq, at: action.at, action.origin, index)
    case .read(let read): reads.update(read.key, from: 0) { $0 += 1 }
    case .change(let change): add(change, bytes: entry.bytes)
    case .effect(let effect): duration = max(duration, effect.at)
    case .call(let call): add(call)
    // Other events are only counted by kind.
    default: break
    }
    effects.add(entry.event, at: openAction?.at ?? 0)
  }

  mutating func finishStretch(at entry: LogReader.Entry) {}

  /// Completes the statistics that depend on the last state.
  mutating func finish() { growth.finish() }

  private mutating func add(_ seq: Int, at: Int, _ origin: LogEvent.Origin, _ index: Int) {
    duration = max(duration, at)
    openAction = (seq, at, index)
    actions.values[index].count += 1
    origins.update(Self.name(origin), from: 0) { $0 += 1 }
  }

  private mutating func add(_ change: LogEvent.Change, bytes: Int) {
    if openAction == nil { hasLooseChange = true }
    guard let openAction, openAction.seq == change.seq else { return }
    let name = actions.name(at: openAction.index)
    if let time = change.us {
      actions.values[openAction.index].times.add(time)
      slowest.add(SlowAction(seq: change.seq, action: name, microseconds: time))
    }
    guard !change.logged.isEmpty else { return }
    changes.add(LargeChange(seq: change.seq, action: name, bytes: bytes))
  }

  private mutating func add(_ call: LogEvent.Call) {
    let (end, isTooLate) = call.at.addingReportingOverflow(call.us)
    if !isTooLate { duration = max(duration, end) }
    calls.update(call.key, from: Calls()) {
      $0.count += 1
      if call.isCancelled { $0.cancelled += 1 }
      switch call.outcome {
      case nil: $0.unended += 1
      // An error that a canceled call throws is not a failure of the endpoint.
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
}

extension LogStatistics {
  /// Adds the statistics of the next range of the log, which starts with a checkpoint.
  ///
  /// - Parameters:
  ///   - next: The statistics of the next range.
  ///   - line: The line number of the checkpoint.
  /// - Returns: `false` if the combined statistics could differ from those of a single pass. They are then incomplete.
  mutating func add(_ next: LogStatistics, from line: Int) -> Bool {
    guard !next.hasLooseChange, effects.add(next.effects) else { return false }
    lines += next.lines
    bytes += next.bytes
    duration = max(duration, next.duration)
    kinds.add(next.kinds) {
      $0.count += $1.count
      $0.bytes += $1.bytes
    }
    actions.add(next.actions) { $0.add($1) }
    origins.add(next.origins) { $0 += $1 }
    reads.add(next.reads) { $0 += $1 }
    calls.add(next.calls) { $0.add($1) }
    growth.add(next.growth)
    changes.add(next.changes)
    slowest.add(next.slowest)
    if next.largest.bytes > largest.bytes {
      largest = next.largest
      largest.line += line - 1
    }
    return actions.values.allSatisfy(\.times.isExact) && calls.values.allSatisfy(\.times.isExact)
  }
}

extension LogStatistics {
  /// The statistics as a JSON object.
  package var json: JSON {
    func number(_ value: Int) -> JSON { .number(JSON.Number(value)) }
    func counted<Counter>(_ counters: NamedCounters<Counter>, _ body: (Counter) -> JSON) -> JSON {
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
      "actions": counted(actions) { Self.times($0.times, ["count": number($0.count)]) },
      "origins": counted(origins, number), "reads": counted(reads, number),
      "effects": counted(effects.kinds) { kind in
        Self.times(
          kind.times,
          [
            "count": number(kind.count), "finished": number(kind.finished),
            "cancelled": number(kind.cancelled), "failed": number(kind.failed),
          ]
        )
      },
      "unended": .array(
        effects.unended.map { effect in
          var object: JSON.Object = [
            "id": .string(effect.id.description), "name": .string(effect.name),
          ]
          object["at"] = effect.start.map(number)
          return .object(object)
        }
      ),
      "largestChanges": .array(
        changes.elements.prefix(Self.mostChanges).map {
          ["seq": number($0.seq), "action": .string($0.action), "bytes": number($0.bytes)]
        }
      ),
      "slowestActions": .array(
        slowest.elements.map {
          [
            "seq": number($0.seq), "action": .string($0.action),
            "microseconds": number($0.microseconds),
          ]
        }
      ),
      "largest": [
        "kind": .string(largest.kind), "bytes": number(largest.bytes),
        "line": number(largest.line),
      ],
    ]
    if !effects.cut.isEmpty {
      object["cutByStore"] = .array(
        effects.cut.map { effect in
          var object: JSON.Object = [
            "id": .string(effect.id.description), "name": .string(effect.name),
            "end": number(effect.end),
          ]
          object["at"] = effect.start.map(number)
          return .object(object)
        }
      )
    }
    object["continues"] = continues?.json
    object["state"] = growth.json
    if !calls.values.isEmpty {
      object["calls"] = counted(calls) { calls in
        Self.times(
          calls.times,
          [
            "count": number(calls.count), "failed": number(calls.failed),
            "cancelled": number(calls.cancelled), "unended": number(calls.unended),
          ]
        )
      }
    }
    for (name, kind) in [("notCompared", UncomparedValue.Kind.opaque), ("notReadBack", .error)] {
      let values = notHeld.list(kind)
      if !values.isEmpty { object[name] = .array(values.map(\.json)) }
    }
    return .object(object)
  }
}

extension LogStatistics {
  /// Returns a JSON object that contains `members` and the percentiles of durations.
  private static func times(_ times: DurationHistogram, _ members: JSON.Object) -> JSON {
    var object = members
    object["timed"] = .number(JSON.Number(times.count))
    guard times.count > 0 else { return .object(object) }
    object["microseconds"] = .number(JSON.Number(times.total))
    object["p50"] = .number(JSON.Number(times.percentile(50)))
    object["p95"] = .number(JSON.Number(times.percentile(95)))
    object["longest"] = .number(JSON.Number(times.longest))
    return .object(object)
  }
}

extension StateGrowth {
  /// The sizes of the first, the last, and the largest state as JSON, or `nil` if no state is known.
  ///
  /// The first and the last state also have the sizes of their members.
  fileprivate var json: JSON? {
    guard let first, let last else { return nil }
    func sizes(_ sizes: Sizes) -> JSON {
      let members = sizes.members.sorted { $0.key.precedesInBytes($1.key) }
      return [
        "seq": .number(JSON.Number(sizes.seq)), "bytes": .number(JSON.Number(sizes.bytes)),
        "members": .object(
          JSON.Object(members: members.map { ($0.key, .number(JSON.Number($0.value))) })
        ),
      ]
    }
    var object: JSON.Object = ["first": sizes(first), "last": sizes(last)]
    object["largest"] = largest.map {
      ["seq": .number(JSON.Number($0.seq)), "bytes": .number(JSON.Number($0.bytes))]
    }
    return .object(object)
  }
}

/// Counters that are identified by name, in the order in which the names first occurred.
struct NamedCounters<Counter: Sendable>: Sendable {
  private var names: [String] = []
  /// The counters, at the same indexes as their names.
  var values: [Counter] = []
  private var indices: [String: Int] = [:]

  /// The names and their counters.
  var rows: [(name: String, value: Counter)] { zip(names, values).map { ($0, $1) } }

  /// The number of names that are searched linearly before the dictionary is used, because that is faster than hashing.
  private static var fewNames: Int { 16 }

  /// Returns the index for a name.
  ///
  /// A name that is not yet known is added, with `value` as its counter.
  mutating func index(of name: String, from value: @autoclosure () -> Counter) -> Int {
    for index in 0..<min(names.count, Self.fewNames) where names[index] == name { return index }
    if let index = indices[name] { return index }
    indices[name] = names.count
    names.append(name)
    values.append(value())
    return names.count - 1
  }

  /// Returns the name for an index that `index(of:from:)` returned.
  func name(at index: Int) -> String { names[index] }

  /// Adds the counters of another collection.
  ///
  /// - Parameters:
  ///   - others: The counters to add.
  ///   - body: A closure that adds the second counter to the first, if both collections have the name.
  /// - Returns: For each name in `others`, its index in this collection.
  @discardableResult
  mutating func add(
    _ others: NamedCounters<Counter>,
    _ body: (inout Counter, Counter) -> Void
  ) -> [Int] {
    others.rows.map { name, other in
      let known = names.count
      let index = index(of: name, from: other)
      if index < known { body(&values[index], other) }
      return index
    }
  }

  /// Changes the counter for a name, after adding the name if it is not yet known.
  mutating func update(
    _ name: String,
    from value: @autoclosure () -> Counter,
    _ body: (inout Counter) -> Void
  ) {
    body(&values[index(of: name, from: value())])
  }
}
