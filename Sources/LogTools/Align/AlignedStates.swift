import ActionLog

/// The states of two compared logs and the differences between them that are already known.
struct AlignedStates {
  private var compared: ComparedStates
  /// The differences of each part of the state at the last comparison.
  private var known: [StatePart: KnownDifferences] = [:]
  /// The number of values that may still be compared.
  ///
  /// Bounds the time for long logs with large states: a value of a long list takes about a microsecond. The limit allows a full
  /// comparison of a state of 1,000 values at each of 2,000 actions.
  private var budget = 4_000_000

  /// A part of the state with differences of its own.
  private struct StatePart: Hashable {
    let member: String
    /// The id of a row, and the array that contains it; `nil` for all values of the member outside rows.
    var row: JSON?
    var array: JSON.Pointer?
  }

  private struct KnownDifferences {
    var differences: Set<JSON.Difference> = []
    /// The number of equal differences, regardless of the indexes of their rows.
    var values: [Value: Int] = [:]
    var places: Set<JSON.Pointer> = []
  }

  /// A difference without the indexes of rows, because other rows can shift them.
  private struct Value: Hashable {
    let place: JSON.Pointer
    let expected: JSON?
    let actual: JSON?

    init(_ difference: JSON.Difference) {
      place = difference.location.anyElement
      (expected, actual) = (difference.expected, difference.actual)
    }
  }

  /// Newly found differences.
  struct FoundDifferences {
    var new: [LogDifference] = []
    /// Differences at paths that differed before and have other values now.
    var continuing: [LogDifference] = []
  }

  init(_ options: LogComparison.Options, masks: LogMasks?) {
    compared = ComparedStates(options, masks: masks)
  }

  var masks: LogMasks? { compared.masks }

  /// Removes the time limit of the next comparison.
  mutating func removeLimit() { budget = .max }

  /// Ignores a path that only one of the logs has.
  mutating func ignore(_ place: String) { compared.ignore(place) }

  /// Returns the findings about values that a log holds only as a type name.
  func findings(at seq: Int) -> [LogEvent.Finding] { compared.opaque.findings(at: seq) }

  /// Returns the differences without those of values that a log holds only as a type name.
  mutating func classified(_ differences: [LogDifference]) -> [LogDifference] {
    compared.opaque.classified(differences)
  }

  /// Compares two states.
  ///
  /// - Parameters:
  ///   - first: The state of the first log.
  ///   - second: The state of the second log.
  ///   - touched: The paths that may have changed since the last comparison.
  ///   - seq: The number of the action.
  ///   - ids: The mapping of ids and dates. Values that first appear here are added.
  ///   - origin: The origin of such values.
  /// - Returns: The new differences; `nil` if a comparison takes too long.
  mutating func compare(
    _ first: JSON,
    _ second: JSON,
    _ touched: TouchedPaths,
    of seq: Int,
    _ ids: inout IDMapping,
    from origin: IDMapping.IDOrigin
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
    // Each round can reveal which rows correspond.
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

  /// Removes known differences and stores the others.
  private mutating func unknown(
    _ all: [(difference: JSON.Difference, part: StatePart)],
    in places: TouchedPaths,
    of seq: Int
  ) -> FoundDifferences {
    var (new, continuing): ([JSON.Difference], [JSON.Difference]) = ([], [])
    var next: [StatePart: KnownDifferences] = [:]
    var rest = consumeKnown(in: places)
    for (difference, part) in all where rest[part]?.differences.contains(difference) == true {
      rest[part]?.values[Value(difference), default: 1] -= 1
    }
    for (difference, part) in all {
      let value = Value(difference)
      next[part, default: KnownDifferences()].differences.insert(difference)
      next[part, default: KnownDifferences()].values[value, default: 0] += 1
      next[part, default: KnownDifferences()].places.insert(value.place)
      if rest[part]?.differences.contains(difference) == true { continue }
      if let count = rest[part]?.values[value], count > 0 {
        // The same difference, in a row that has moved.
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

  /// Removes and returns the known differences at some paths.
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

  /// Returns the part of a state that contains a difference.
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
  /// Subtracts the number of values in this value, including itself, until the count reaches zero.
  ///
  /// `null` marks a value that is not compared and is not counted.
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
