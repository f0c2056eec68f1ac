/// A policy for comparing opaque values, of which a log holds only the type.
///
/// Such a value is not a difference, because its contents can't be compared. If its renderings differ, the comparison
/// reports a low-confidence difference, unless the replay started from other values than the recorded ones.
package struct OpaqueComparison: Sendable {
  /// Whether the second log is a replay of the first.
  private let isReplay: Bool
  /// Whether the compared states are those at the start of a replay.
  var isAtStart = false
  /// Whether the replay started with its own values, because the log lacks the recorded ones.
  private var hasStandIns = false
  /// The opaque values that were found and not compared.
  package private(set) var values = UncomparedValues()

  /// Creates a policy for a comparison that has found no opaque values yet.
  package init(isReplay: Bool) { self.isReplay = isReplay }

  /// Returns the differences, without those that opaque values explain.
  package mutating func classified(_ differences: [LogDifference]) -> [LogDifference] {
    guard !differences.isEmpty else { return differences }
    var (known, renderings): ([LogDifference], [LogDifference]) = ([], [])
    for difference in differences {
      guard let kept = classified(difference) else { continue }
      if kept.cause == .opaque { renderings.append(kept) } else { known.append(kept) }
    }
    // Differences of known values precede low-confidence ones.
    return known + renderings
  }

  private mutating func classified(_ difference: LogDifference) -> LogDifference? {
    guard let part = UncomparedValue.LogSection(difference), let expected = difference.expected,
      let actual = difference.actual, expected.holdsOpaque || actual.holdsOpaque
    else { return difference }
    var pairs = OpaquePairs()
    guard pairs.match(expected, actual, at: []) else { return difference }
    // Only a replay can start from other values than the recorded ones.
    if isReplay, isAtStart { hasStandIns = true }
    guard hasStandIns || pairs.isCertain else { return difference }
    guard hasStandIns || pairs.renderings.isEmpty else {
      var difference = difference
      difference.cause = .opaque
      return difference
    }
    let place = part.isPlace ? difference.location?.anyElement.tokens ?? [] : []
    for pair in pairs.uncompared {
      values.insert(
        UncomparedValue(
          .opaque,
          in: part,
          of: part == .read ? difference.subject : nil,
          at: JSON.Pointer(place + pair.place),
          type: pair.type
        )
      )
    }
    return nil
  }

  /// Returns a finding for each value that was not compared.
  package func findings(at seq: Int) -> [LogEvent.Finding] {
    values.list(.opaque).map { $0.finding(at: seq) }
  }
}

/// The corresponding opaque parts of two values that are otherwise equal.
private struct OpaquePairs {
  /// A path with `*` for each index, and the type of the opaque value.
  struct TypedPath {
    let place: [String]
    let type: String
  }

  private(set) var uncompared: [TypedPath] = []
  /// The paths at which both values are opaque and have different renderings.
  private(set) var renderings: [TypedPath] = []
  /// Whether all opaque parts can be equal.
  ///
  /// `false` if the types differ, or if one value is `null`. Only a value that the replay chose explains such a pair.
  private(set) var isCertain = true

  /// Adds the opaque parts of two values.
  ///
  /// - Returns: `false` if other parts of the values differ.
  mutating func match(_ expected: JSON, _ actual: JSON, at place: [String]) -> Bool {
    let (old, new) = (expected.opaqueType, actual.opaqueType)
    if old != nil || new != nil {
      add(expected, old, actual, new, at: place)
      return true
    }
    if expected.isError(like: actual) { return true }
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)) where expected.count == actual.count:
      for (name, value) in expected {
        guard let other = actual[name], match(value, other, at: place + [name]) else {
          return false
        }
      }
      return true
    case (.array(let expected), .array(let actual)) where expected.count == actual.count:
      for (old, new) in zip(expected, actual) {
        guard match(old, new, at: place + ["*"]) else { return false }
      }
      return true
    default: return expected == actual
    }
  }

  private mutating func add(
    _ expected: JSON,
    _ old: String?,
    _ actual: JSON,
    _ new: String?,
    at place: [String]
  ) {
    let pair = TypedPath(place: place, type: old ?? new ?? "")
    uncompared.append(pair)
    guard let old, let new else {
      // An opaque value is never `null`, even though its contents are unknown.
      if expected.isNull || actual.isNull { isCertain = false }
      return
    }
    guard old.hasSameBytes(as: new) else {
      isCertain = false
      return
    }
    guard let shown = expected["shown"], let other = actual["shown"], shown != other else { return }
    renderings.append(pair)
  }
}

extension UncomparedValue.LogSection {
  /// Creates the part of the log in which a difference was found, or returns `nil` if that part contains no values.
  fileprivate init?(_ difference: LogDifference) {
    switch difference.cause {
    case .state: self = .state
    case .action, .producedAction: self = .action
    case .reads: self = .read
    case .effects where difference.member == "input": self = .input
    case .effects where difference.member == "action": self = .action
    case .effects where difference.member == "cancelID": self = .cancelID
    default: return nil
    }
  }

  /// Whether a difference in this part of the log has a path as its subject.
  fileprivate var isPlace: Bool { self == .state || self == .action }
}

extension JSON {
  /// The type name of an opaque value, or `nil` for other values.
  package var opaqueType: String? {
    guard case .object(let object) = self, object.firstKey == "$opaque" else { return nil }
    return object.values.first?.string
  }

  /// Whether both values are logged errors with the same type name, description, and value.
  ///
  /// The type name doesn't include a module. If one of the logs has only the type and description, other members are
  /// not compared.
  func isError(like other: JSON) -> Bool {
    guard let error = self["$error"], let other = other["$error"],
      error["type"] == other["type"], error["description"] == other["description"]
    else { return false }
    guard let value = error["value"], let otherValue = other["value"] else {
      return error["value"] != nil || other["value"] != nil
        || error["localizedDescription"] == nil || other["localizedDescription"] == nil
    }
    return value == otherValue
  }

  /// Whether the value is or contains an opaque value or an error.
  ///
  /// A log can hold only a part of such a value.
  package var holdsOpaque: Bool {
    switch self {
    case .object(let object):
      opaqueType != nil || object.firstKey == "$error"
        || object.values.contains(where: \.holdsOpaque)
    case .array(let elements): elements.contains(where: \.holdsOpaque)
    default: false
    }
  }
}

extension JSON.Patch {
  /// Applies the patch, or only its changes outside opaque values if the complete patch doesn't fit.
  ///
  /// - Returns: The error, or `nil` if one of the two patches fits.
  func failure(
    skippingOpaquePartsOf json: inout JSON,
    _ copies: inout CopyBudget
  ) -> ApplyError? {
    guard let failure = failure(on: &json, &copies) else { return nil }
    let rest = operations.filter { !json.isOpaque(on: $0.path) }
    return rest.count == operations.count ? failure : JSON.Patch(rest).failure(on: &json, &copies)
  }
}

extension JSON {
  /// Whether a path leads into an opaque value.
  fileprivate func isOpaque(on path: Pointer) -> Bool {
    var value = self
    for token in path.tokens {
      if value.opaqueType != nil { return true }
      guard let next = value[Pointer([token])] else { return false }
      value = next
    }
    return false
  }
}
