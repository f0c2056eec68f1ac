import ActionLog

/// Compares pairs of states and reports only differences that earlier comparisons did not find.
struct AlignedStateComparison {
  private var compared: ComparedStates
  /// The differences in each part of the state, from the last comparison of that part.
  private var known: [StatePart: KnownDifferences] = [:]
  /// The number of values that may still be compared.
  ///
  /// The limit bounds the time for long logs with large states, because comparing a value takes about a microsecond. It
  /// allows comparing 2,000 pairs of states with 1,000 values each.
  private var budget = 4_000_000

  /// A part of the state whose differences are tracked separately: a row, or a member outside of its rows.
  private struct StatePart: Hashable {
    let member: String
    /// The id of the row, or `nil` if the part is a member without its rows.
    var row: JSON?
    /// The path to the array that contains the row, or `nil` if the part is a member without its rows.
    var array: JSON.Pointer?
  }

  private struct KnownDifferences {
    var differences: Set<JSON.Difference> = []
    /// The number of times that each difference occurs, counted without the indexes of rows.
    var values: [UnindexedDifference: Int] = [:]
    var places: Set<JSON.Pointer> = []
  }

  /// A difference without row indexes, because inserted and removed rows shift them.
  private struct UnindexedDifference: Hashable {
    let place: JSON.Pointer
    let expected: JSON?
    let actual: JSON?

    init(_ difference: JSON.Difference) {
      place = difference.location.anyElement
      (expected, actual) = (difference.expected, difference.actual)
    }
  }

  /// The result of a comparison, without differences that were known before.
  struct FoundDifferences {
    var new: [LogDifference] = []
    /// Differences at paths whose values already differed before, but differ in another way now.
    var continuing: [LogDifference] = []
  }

  init(_ options: LogComparison.Options, masks: LogMasks?) {
    compared = ComparedStates(options, masks: masks)
  }

  var masks: LogMasks? { compared.masks }

  /// Removes the limit on the number of compared values.
  mutating func removeLimit() { budget = .max }

  /// Excludes a path from later comparisons, because only one log has it.
  mutating func ignore(_ place: String) { compared.ignore(place) }

  /// Returns findings about the values that a log holds only as a type name.
  ///
  /// - Parameter seq: The action number for the findings.
  /// - Returns: One finding for each such value.
  func findings(at seq: Int) -> [LogEvent.Finding] { compared.opaque.findings(at: seq) }

  /// Returns the differences, except those between values that a log holds only as a type name.
  mutating func classified(_ differences: [LogDifference]) -> [LogDifference] {
    compared.opaque.classified(differences)
  }

  /// Compares two states.
  ///
  /// - Parameters:
  ///   - first: The state of the first log.
  ///   - second: The state of the second log.
  ///   - touched: The paths that may have changed since the last comparison.
  ///   - seq: The action number for the differences.
  ///   - ids: The mapping between the ids and dates of both logs. The comparison adds pairs that it finds in the
  ///     states.
  ///   - origin: The origin of values that appear for the first time in these states.
  /// - Returns: The new differences, or `nil` if the states hold more values than may still be compared.
  mutating func compare(
    _ first: JSON,
    _ second: JSON,
    _ touched: TouchedPaths,
    of seq: Int,
    _ ids: inout IDMapping,
    from origin: IDMapping.IDProvenance
  ) -> FoundDifferences? {
    let (old, new, places) = touched.parts(first, second)
    var left = budget
    old.subtractCount(from: &left)
    new.subtractCount(from: &left)
    guard left > 0 else { return nil }
    budget = left
    var replayed = ids.translated(new)
    if case .input = origin, ids.learn(old, replayed, from: origin) {
      replayed = ids.translated(new)
    }
    var all = compared.differences(from: old, to: replayed)
    // Mapping an id can reveal which rows correspond, so the states are compared again.
    for _ in 0..<3 {
      var hasLearned = false
      for difference in all {
        guard let expected = difference.expected, let actual = difference.actual else { continue }
        if ids.learn(expected, actual, from: origin) { hasLearned = true }
      }
      guard hasLearned else { break }
      replayed = ids.translated(new)
      all = compared.differences(from: old, to: replayed)
    }
    return unknown(all.map { ($0, Self.part(of: $0, in: old)) }, in: places, of: seq)
  }

  /// Returns the differences that the last comparison did not find, and stores all current differences.
  private mutating func unknown(
    _ all: [(difference: JSON.Difference, part: StatePart)],
    in places: TouchedPaths,
    of seq: Int
  ) -> FoundDifferences {
    var (new, continuing): ([JSON.Difference], [JSON.Difference]) = ([], [])
    var next: [StatePart: KnownDifferences] = [:]
    var rest = consumeKnown(in: places)
    for (difference, part) in all where rest[part]?.differences.contains(difference) == true {
      rest[part]?.values[UnindexedDifference(difference), default: 1] -= 1
    }
    for (difference, part) in all {
      let value = UnindexedDifference(difference)
      next[part, default: KnownDifferences()].differences.insert(difference)
      next[part, default: KnownDifferences()].values[value, default: 0] += 1
      next[part, default: KnownDifferences()].places.insert(value.place)
      if rest[part]?.differences.contains(difference) == true { continue }
      if let count = rest[part]?.values[value], count > 0 {
        // The difference is known: its row has moved.
        rest[part]?.values[value] = count - 1
      } else if rest[part]?.places.contains(value.place) == true {
        continuing.append(difference)
      } else {
        new.append(difference)
      }
    }
    known.merge(next) { $1 }
    return FoundDifferences(
      new: compared.logged(new, of: seq),
      continuing: compared.logged(continuing, of: seq)
    )
  }

  /// Removes and returns the known differences in the parts of the state that contain the paths.
  private mutating func consumeKnown(in places: TouchedPaths) -> [StatePart: KnownDifferences] {
    guard let members = places.members else {
      defer { known = [:] }
      return known
    }
    var consumed: [StatePart: KnownDifferences] = [:]
    var whole: Set<String> = []
    for (name, member) in members {
      switch member {
      case .whole: whole.insert(name)
      case .rows(let rows):
        for id in rows.rows.keys {
          let part = StatePart(member: name, row: id, array: rows.array)
          consumed[part] = known.removeValue(forKey: part)
        }
      }
    }
    guard !whole.isEmpty else { return consumed }
    for (part, differences) in known where whole.contains(part.member) {
      consumed[part] = differences
      known[part] = nil
    }
    return consumed
  }

  /// Returns the row or member that contains a difference.
  private static func part(of difference: JSON.Difference, in state: JSON) -> StatePart {
    let steps = difference.location.steps
    let part = StatePart(member: steps.first?.token ?? "")
    guard let depth = steps.firstIndex(where: \.isIndex), depth + 1 < steps.count else {
      return part
    }
    let array = JSON.Pointer(steps[..<depth].map(\.token))
    guard case .index(let index) = steps[depth], let rows = state[array]?.array,
      rows.indices.contains(index), let id = rows[index]["id"]
    else { return part }
    return StatePart(member: part.member, row: id, array: array)
  }
}

extension JSONPath.Node.Step {
  fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}

extension JSON {
  /// Subtracts the number of values in this tree from `left` and stops when `left` reaches zero.
  ///
  /// A `null` value isn't counted, because it stands for a value that is not compared.
  fileprivate func subtractCount(from left: inout Int) {
    switch self {
    case .null: return
    case .object(let object):
      left -= 1
      for value in object.values where left > 0 { value.subtractCount(from: &left) }
    case .array(let elements):
      left -= 1
      for element in elements {
        guard left > 0 else { return }
        element.subtractCount(from: &left)
      }
    default: left -= 1
    }
  }
}
