import ActionLog

/// Compares the replays of an audit with each other.
struct UnstablePlaceFinder {
  let log: LogSlice
  let runs: [AuditRun]

  /// What the first place of its kind is known by.
  private struct Key: Hashable {
    let aspect: UnstablePlace.Aspect
    let path: String
  }

  /// The first sighting of a place.
  private struct Sighting {
    var seq: Int
    /// Where in the state it is; `nil` for what is no part of the state.
    var pointer: JSON.Pointer?
    /// What the first replay has there, and each of the others that differ from it.
    var expected: JSON?
    var actual: [Int: JSON?]
  }

  /// The places, in the order of the actions.
  ///
  /// - Throws: `LogReadError`, `CommandError.brokenPatch`.
  func places() throws -> [UnstablePlace] {
    var sightings: [Key: Sighting] = [:]
    var order: [Key] = []
    for (index, run) in runs.enumerated().dropFirst() {
      for difference in try differences(of: run) {
        let place = Self.place(of: difference)
        guard let known = sightings[place.key] else {
          order.append(place.key)
          sightings[place.key] = Sighting(
            seq: difference.seq,
            pointer: place.pointer,
            expected: difference.expected,
            actual: [index: difference.actual]
          )
          continue
        }
        if difference.seq < known.seq {
          sightings[place.key] = Sighting(
            seq: difference.seq,
            pointer: place.pointer,
            expected: difference.expected,
            actual: [index: difference.actual]
          )
        } else if difference.seq == known.seq, known.actual[index] == nil {
          sightings[place.key]?.actual[index] = difference.actual
        }
      }
    }
    var places = try described(order.compactMap { key in sightings[key].map { (key, $0) } })
    if let trap = trap() { places.append(trap) }
    return places.sorted { ($0.seq, $0.path) < ($1.seq, $1.path) }
  }

  /// In what the first replay differs from the log.
  func differenceFromLog() throws -> LogDifference? {
    guard let first = runs.first else { return nil }
    var comparison = LogComparison(
      recorded: try log.events(),
      replayed: try first.log.events()
    )
    let result = try comparison.run()
    if let difference = result.differences.first { return difference }
    // It may trap where the log goes on.
    guard case .replayStops(let open) = result.stop, let trap = first.trap else { return nil }
    return LogDifference(
      seq: open ?? result.seq,
      cause: .sequence,
      subject: trap,
      message: Wording.trapsUnlikeLog(trap)
    )
  }

  private func differences(of run: AuditRun) throws -> [LogDifference] {
    guard let first = runs.first else { return [] }
    var comparison = LogComparison(
      recorded: try first.log.events(),
      replayed: try run.log.events(),
      extent: .all
    )
    let differences = try comparison.run().differences
    // Where one of them trapped the other goes on; that is told as a trap.
    guard first.end != run.end else { return differences }
    return differences.filter { $0.cause != .sequence && $0.seq < min(first.last, run.last) }
  }

  /// What a difference is known by: elements of an array are one place, and so are effects of different actions.
  private static func place(
    of difference: LogDifference
  ) -> (key: Key, pointer: JSON.Pointer?) {
    let aspect = UnstablePlace.Aspect.difference(difference.cause)
    guard difference.cause == .state, var pointer = try? JSON.Pointer(parsing: difference.subject)
    else {
      // An effect is named after its action, which is told anyway.
      let path = EffectID(difference.subject).map { "effect \($0.index)" } ?? difference.subject
      let member = difference.member.map { "/\($0)" } ?? ""
      return (Key(aspect: aspect, path: path + member), nil)
    }
    while let last = pointer.tokens.last, JSON.Pointer.index(last) != nil || last == "-" {
      pointer.tokens.removeLast()
    }
    let pattern = JSON.Pointer(
      pointer.tokens.map { JSON.Pointer.index($0) == nil ? $0 : "*" }
    )
    return (Key(aspect: aspect, path: pattern.description), pointer)
  }

  private func trap() -> UnstablePlace? {
    guard Set(runs.map(\.trap)).count > 1 || Set(runs.filter { $0.trap != nil }.map(\.last)).count > 1
    else { return nil }
    let values: [JSON?] = runs.map { run in run.trap.map(JSON.string) }
    var place = UnstablePlace(
      seq: runs.filter { $0.trap != nil }.map(\.last).min() ?? 0,
      aspect: .trap,
      path: ""
    )
    place.reasons = ReasonFinder(runs: runs).reasons(for: values)
    place.values = Self.grouped(values)
    place.action = try? ValueLookup(actions: [place.seq]).look(into: log).actions[place.seq]
    return place
  }

  private func described(_ found: [(key: Key, sighting: Sighting)]) throws -> [UnstablePlace] {
    var wanted = ValueLookup(actions: Set(found.map(\.sighting.seq)))
    for (_, sighting) in found {
      if let pointer = sighting.pointer { wanted.places[sighting.seq, default: []].insert(pointer) }
    }
    let replayed = try runs.map { try wanted.look(into: $0.log) }
    let recorded = try wanted.look(into: log)
    let finder = ReasonFinder(runs: runs)
    return found.map { key, sighting in
      var place = UnstablePlace(seq: sighting.seq, aspect: key.aspect, path: key.path)
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

  private static func grouped(_ values: [JSON?]) -> [UnstablePlace.Value] {
    values.enumerated().reduce(into: []) { groups, entry in
      if let index = groups.firstIndex(where: { $0.value == entry.element }) {
        groups[index].runs.append(entry.offset + 1)
      } else {
        groups.append(
          UnstablePlace.Value(value: entry.element, runs: [entry.offset + 1], isInLog: false)
        )
      }
    }
  }
}
