import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Compares the replays of an audit with each other and with the log.
struct UnstablePathFinder {
  let log: LogSlice
  let runs: [AuditRun]
  /// The current date.
  ///
  /// Values close to it are recognized as the current time.
  var date = Date()

  private typealias Key = UnstablePath.Key

  /// The first difference at a path between the first replay and others.
  private struct FirstDifference {
    var seq: Int
    /// The path into the state, or `nil` if the difference is not in the state.
    var pointer: JSON.Pointer?
    /// The value in the first replay.
    var expected: JSON?
    /// The values in replays that differ from the first replay, keyed by the index of the replay.
    var actual: [Int: JSON?]
  }

  /// Compares the replays and returns the paths at which they differ, in the order of the actions.
  ///
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch`.
  func findings() throws -> Findings {
    var notes: [LogEvent.Finding] = []
    let sightings = try sightings(&notes)
    var places = try described(sightings.map { ($0.key, $0.value) })
    if let trap = trap() { places.append(trap) }
    var unlike: [LogDifference] = []
    var clocks: Set<Key> = []
    for difference in try differencesFromLog(&notes) {
      let key = Key(difference)
      guard sightings[key] == nil else { continue }
      if let now = clockPlace(difference, key) {
        // Replays within one second agree on the time, but the log has another time.
        if clocks.insert(key).inserted { places.append(now) }
      } else {
        unlike.append(difference)
      }
    }
    // A difference after an unstable path that is not in the state can be a consequence, so it is skipped.
    let first = unlike.first { difference in
      !places.contains { $0.seq < difference.seq && $0.aspect != .difference(.state) }
    }
    places.sort { ($0.seq, $0.path) < ($1.seq, $1.path) }
    return Findings(
      places: places,
      difference: first,
      notCompared: try UncomparedValues(in: log).list(.opaque, with: notes)
    )
  }

  /// The differences that a comparison of all replays found.
  struct Findings {
    var places: [UnstablePath]
    /// The first difference from the log that no unstable path explains, or `nil` if there is none.
    var difference: LogDifference?
    /// The opaque values in the log, which can't be compared.
    var notCompared: [UncomparedValue]
  }

  private func clockPlace(_ difference: LogDifference, _ key: Key) -> UnstablePath? {
    guard difference.cause == .state, let actual = difference.actual,
      DifferenceReasonFinder(runs: runs, date: date).isNow(actual)
    else { return nil }
    var place = UnstablePath(seq: difference.seq, aspect: key.aspect, path: key.path)
    place.action = try? ValueLookup(actions: [place.seq]).values(in: log).actions[place.seq]
    place.reasons = [.clock]
    place.values = [
      UnstablePath.Value(value: actual, runs: runs.indices.map { $0 + 1 }, isInLog: false),
      UnstablePath.Value(value: difference.expected, runs: [], isInLog: true),
    ]
    return place
  }

  private func sightings(_ notes: inout [LogEvent.Finding]) throws -> [Key: FirstDifference] {
    var sightings: [Key: FirstDifference] = [:]
    for (index, run) in runs.enumerated().dropFirst() {
      for difference in try differences(of: run, &notes) {
        let key = Key(difference)
        guard let known = sightings[key] else {
          sightings[key] = FirstDifference(
            seq: difference.seq,
            pointer: Key.location(of: difference)?.pointer,
            expected: difference.expected,
            actual: [index: difference.actual]
          )
          continue
        }
        if difference.seq < known.seq {
          sightings[key] = FirstDifference(
            seq: difference.seq,
            pointer: Key.location(of: difference)?.pointer,
            expected: difference.expected,
            actual: [index: difference.actual]
          )
        } else if difference.seq == known.seq, known.actual[index] == nil {
          sightings[key]?.actual[index] = difference.actual
        }
      }
    }
    return sightings
  }

  /// Comparison options that keep array indexes, because a value is looked up by the same path in all replays.
  private static var comparison: LogComparison.Options {
    var options = LogComparison.Options()
    options.isInPlace = true
    return options
  }

  /// Returns the differences between the log and the first replay.
  private func differencesFromLog(
    _ notes: inout [LogEvent.Finding]
  ) throws -> [LogDifference] {
    guard let first = runs.first else { return [] }
    var check = LogComparison(
      recorded: try log.events(),
      replayed: try first.log.events(),
      options: Self.comparison
    )
    check.isReplay = true
    let result = try check.run()
    notes += result.notes
    // The replay may end with a signal at an action after which the log continues.
    if case .replayStops(let open) = result.stop, let trap = first.trap {
      return [
        LogDifference(
          seq: open ?? result.seq,
          cause: .sequence,
          subject: trap,
          message: Wording.trapsUnlikeLog(trap)
        )
      ]
    }
    guard !result.differences.isEmpty else { return [] }
    var comparison = LogComparison(
      recorded: try log.events(),
      replayed: try first.log.events(),
      extent: .all,
      options: Self.comparison
    )
    comparison.isReplay = true
    return try comparison.run().differences
  }

  private func differences(
    of run: AuditRun,
    _ notes: inout [LogEvent.Finding]
  ) throws -> [LogDifference] {
    guard let first = runs.first else { return [] }
    let result = try Self.differences(between: Replay(first), and: Replay(run))
    notes += result.notes
    return result.differences
  }

  /// A replay whose events can be compared with those of another replay.
  struct Replay {
    let events: LogComparison.Events
    let end: ReplayEnd
    /// The number of the last action that the replay started to reduce.
    let last: Int

    init(_ run: AuditRun) throws {
      (events, end, last) = (try run.log.events(), run.end, run.last)
    }

    init(_ outcome: EventReplayer.ReplayedEvents) {
      var rest = outcome.events[...]
      (events, end, last) = ({ rest.popFirst() }, outcome.end, outcome.lastAction)
    }
  }

  /// Compares two replays of the same log, including the events after the first difference.
  ///
  /// - Throws: `LogReadError`.
  static func differences(
    between first: Replay,
    and other: Replay
  ) throws -> LogComparison.Result {
    var comparison = LogComparison(
      recorded: first.events,
      replayed: other.events,
      extent: .all,
      options: Self.comparison
    )
    var result = try comparison.run()
    // If only one replay ends with a signal, the other's later events are not differences.
    guard first.end != other.end else { return result }
    result.differences.removeAll {
      $0.cause == .sequence || $0.seq >= min(first.last, other.last)
    }
    return result
  }

  private func trap() -> UnstablePath? {
    let trapped = runs.filter { $0.trap != nil }
    guard Set(runs.map(\.trap)).count > 1 || Set(trapped.map(\.last)).count > 1 else { return nil }
    let values: [JSON?] = runs.map { run in run.trap.map(JSON.string) }
    var place = UnstablePath(
      seq: trapped.map(\.last).min() ?? 0,
      aspect: .trap,
      path: ""
    )
    place.reasons = DifferenceReasonFinder(runs: runs).reasons(for: values)
    place.values = Self.grouped(values)
    place.action = try? ValueLookup(actions: [place.seq]).values(in: log).actions[place.seq]
    return place
  }

  private func described(_ found: [(key: Key, sighting: FirstDifference)]) throws -> [UnstablePath]
  {
    var wanted = ValueLookup(actions: Set(found.map(\.sighting.seq)))
    for (_, sighting) in found {
      if let pointer = sighting.pointer { wanted.places[sighting.seq, default: []].insert(pointer) }
    }
    let replayed = try runs.map { try wanted.values(in: $0.log) }
    let recorded = try wanted.values(in: log)
    let finder = DifferenceReasonFinder(runs: runs)
    return found.map { key, sighting in
      var place = UnstablePath(seq: sighting.seq, aspect: key.aspect, path: key.path)
      place.action = replayed.first?.actions[sighting.seq]
      let values: [JSON?] = runs.indices.map { index in
        if let pointer = sighting.pointer {
          return replayed[index].values[sighting.seq]?[pointer]
        }
        return sighting.actual[index] ?? sighting.expected
      }
      place.reasons = finder.reasons(for: values)
      place.values = Self.grouped(values)
      if let pointer = sighting.pointer, let logged = recorded.values[sighting.seq]?[pointer],
        let index = place.values.firstIndex(where: { $0.value == logged })
      {
        place.values[index].isInLog = true
      }
      return place
    }
  }

  private static func grouped(_ values: [JSON?]) -> [UnstablePath.Value] {
    values.enumerated().reduce(into: []) { groups, entry in
      if let index = groups.firstIndex(where: { $0.value == entry.element }) {
        groups[index].runs.append(entry.offset + 1)
      } else {
        groups.append(
          UnstablePath.Value(value: entry.element, runs: [entry.offset + 1], isInLog: false)
        )
      }
    }
  }
}

/// Looks up actions and values of several states in one pass through a log.
struct ValueLookup {
  var actions: Set<Int>
  var places: [Int: Set<JSON.Pointer>] = [:]

  /// The actions and values that were found, keyed by action number.
  struct LookedUpValues {
    var actions: [Int: JSON] = [:]
    var values: [Int: [JSON.Pointer: JSON]] = [:]
  }

  /// Reads a log up to the last requested action, and returns the requested values.
  ///
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch`.
  func values(in log: LogSlice) throws -> LookedUpValues {
    var answer = LookedUpValues()
    guard let last = actions.union(places.keys).max() else { return answer }
    let events = try log.events()
    var cursor = LogCursor()
    while let event = try events() {
      try cursor.move(to: event)
      switch event {
      case .action(let action) where actions.contains(action.seq):
        answer.actions[action.seq] = action.action
      case .change(let change):
        try cursor.apply()
        guard let state = cursor.state, let wanted = places[change.seq] else { break }
        for place in wanted {
          if let value = state[place] { answer.values[change.seq, default: [:]][place] = value }
        }
      default: break
      }
      if case .change(let change) = event, change.seq >= last { break }
    }
    return answer
  }
}
