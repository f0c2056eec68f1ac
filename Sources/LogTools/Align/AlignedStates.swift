import ActionLog

/// The states of two logs that are compared, and the differences that are known of them.
struct AlignedStates {
  private var compared: ComparedStates
  /// The differences of each member of the state, as they were found last.
  private var known: [String: Known] = [:]
  /// The number of values that may still be compared.
  ///
  /// Bounds the time for long logs with large states. The limit allows a full comparison of a state of 1,000 values at each of 20,000 actions.
  private var budget = 40_000_000
  /// Whether states are compared, and not the changes alone.
  var hasBudget: Bool {
    get { budget > 0 }
    set { if newValue { budget = max(budget, 1) } }
  }

  private struct Known {
    var differences: Set<JSON.Difference> = []
    /// The number of equal differences, regardless of the indexes of their rows.
    var values: [Value: Int] = [:]
    var places: Set<JSON.Pointer> = []
  }

  /// A difference without the indexes of rows, which others shift.
  private struct Value: Hashable {
    let place: JSON.Pointer
    let expected: JSON?
    let actual: JSON?

    init(_ difference: JSON.Difference) {
      place = difference.location.anyElement
      (expected, actual) = (difference.expected, difference.actual)
    }
  }

  /// Differences that were not known.
  struct Found {
    var new: [LogDifference] = []
    /// Those at places that differed before, with other values.
    var continuing: [LogDifference] = []
  }

  init(_ options: LogComparison.Options, masks: LogMasks?) {
    compared = ComparedStates(options, masks: masks)
  }

  var masks: LogMasks? { compared.masks }
  var matchedIgnores: Set<JSON.Pointer> { compared.matchedIgnores }

  /// Ignores a place that only one of the logs has.
  mutating func ignore(_ place: String) { compared.ignore(place) }

  /// The findings on the values of which a log has the type alone.
  func findings(at seq: Int) -> [LogEvent.Finding] { compared.opaque.findings(at: seq) }

  /// The differences without those of values of which a log has the type alone.
  mutating func classified(_ differences: [LogDifference]) -> [LogDifference] {
    compared.opaque.classified(differences)
  }

  /// Compares two states.
  ///
  /// - Parameters:
  ///   - first: The state of the first log.
  ///   - second: The state of the second log.
  ///   - members: The members that can differ otherwise than before; `nil` for all.
  ///   - seq: The action.
  ///   - ids: The mapping of ids and dates. Values that first appear here are added.
  ///   - origin: The source of such values.
  /// - Returns: The differences that were not known; `nil` where comparing takes too long.
  mutating func compare(
    _ first: JSON,
    _ second: JSON,
    _ members: Set<String>?,
    of seq: Int,
    _ ids: inout IDMapping,
    from origin: IDMapping.Origin
  ) -> Found? {
    guard hasBudget else { return nil }
    let (old, new) = (Self.part(first, members), Self.part(second, members))
    budget -= old.valueCount + new.valueCount
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
    return unknown(all, members, of: seq)
  }

  /// Leaves out the differences that are known, and remembers the others.
  private mutating func unknown(
    _ all: [JSON.Difference],
    _ members: Set<String>?,
    of seq: Int
  ) -> Found {
    var (new, continuing): ([JSON.Difference], [JSON.Difference]) = ([], [])
    var next: [String: Known] = [:]
    var rest = members == nil ? known : known.filter { members?.contains($0.key) == true }
    for difference in all where rest[difference.member]?.differences.contains(difference) == true {
      rest[difference.member]?.values[Value(difference), default: 1] -= 1
    }
    for difference in all {
      let (member, value) = (difference.member, Value(difference))
      next[member, default: Known()].differences.insert(difference)
      next[member, default: Known()].values[value, default: 0] += 1
      next[member, default: Known()].places.insert(value.place)
      if rest[member]?.differences.contains(difference) == true { continue }
      if let count = rest[member]?.values[value], count > 0 {
        // The same difference, of a row that stands elsewhere now.
        rest[member]?.values[value] = count - 1
      } else if rest[member]?.places.contains(value.place) == true {
        continuing.append(difference)
      } else {
        new.append(difference)
      }
    }
    if let members {
      for name in members { known[name] = next[name] }
    } else {
      known = next
    }
    return Found(
      new: compared.logged(new, of: seq),
      continuing: compared.logged(continuing, of: seq)
    )
  }

  private static func part(_ state: JSON, _ members: Set<String>?) -> JSON {
    guard let members, let object = state.object else { return state }
    return .object(JSON.Object(members: object.filter { members.contains($0.key) }))
  }
}

extension JSON.Difference {
  /// The member of the state in which it is.
  fileprivate var member: String { location.steps.first?.token ?? "" }
}

extension JSON {
  /// The number of values within this one, itself included.
  fileprivate var valueCount: Int {
    switch self {
    case .object(let object): object.values.reduce(1) { $0 + $1.valueCount }
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    default: 1
    }
  }
}
