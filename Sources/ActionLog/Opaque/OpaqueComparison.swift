/// What a comparison makes of values of which one of the logs holds the type alone.
///
/// Such a value is no difference: nothing was compared. Renderings of it that differ are one, of low confidence, unless the replay
/// has started from values that are not those of the recording.
package struct OpaqueComparison: Sendable {
  /// Whether the second log was made from the first.
  private let isReplay: Bool
  /// Whether the states that are compared are those from which a replay starts.
  var isAtStart = false
  /// Whether the replay has started with a value of its own where the log holds none.
  private var hasStandIns = false
  /// The values that only one log holds in full, and those whose renderings may differ.
  package private(set) var values = UncomparedValues()

  /// A comparison that has met no such value.
  package init(isReplay: Bool) { self.isReplay = isReplay }

  /// The differences without those that are none.
  package mutating func classified(_ differences: [LogDifference]) -> [LogDifference] {
    guard !differences.isEmpty else { return differences }
    var (known, renderings): ([LogDifference], [LogDifference]) = ([], [])
    for difference in differences {
      guard let kept = classified(difference) else { continue }
      if kept.cause == .opaque { renderings.append(kept) } else { known.append(kept) }
    }
    // What is certain comes first.
    return known + renderings
  }

  private mutating func classified(_ difference: LogDifference) -> LogDifference? {
    guard let part = UncomparedValue.Part(difference), let expected = difference.expected,
      let actual = difference.actual, expected.holdsOpaque || actual.holdsOpaque
    else { return difference }
    var pairs = OpaquePairs()
    guard pairs.match(expected, actual, at: []) else { return difference }
    // A log that is not a replay starts from no other values.
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

  /// The findings on the values that were not compared.
  package func findings(at seq: Int) -> [LogEvent.Finding] {
    values.list(.opaque).map { $0.finding(at: seq) }
  }
}

/// The places at which two values are the same but for parts of which one log holds the type alone.
private struct OpaquePairs {
  /// A place, with `*` for each index, and the type that stands there in one of the logs.
  struct TypedPath {
    let place: [String]
    let type: String
  }

  private(set) var uncompared: [TypedPath] = []
  /// Where both logs have renderings that differ.
  private(set) var renderings: [TypedPath] = []
  /// Whether no pair is one that only a value of the replay's own explains.
  private(set) var isCertain = true

  /// Adds the parts of two values; `false` when something else differs.
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
      // There is a value or there is none, whatever it is.
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

extension UncomparedValue.Part {
  /// The part of a log that two logs differ in; `nil` where no values are compared.
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

  /// Whether the subject of a difference is a place in it.
  fileprivate var isPlace: Bool { self == .state || self == .action }
}

extension JSON {
  /// The type of a value that the log does not hold; `nil` for one that it holds.
  package var opaqueType: String? {
    guard case .object(let object) = self, object.firstKey == "$opaque" else { return nil }
    return object.values.first?.string
  }

  /// Whether both are one error: of the same type, whichever module that is in, and with the same description.
  ///
  /// Where one log holds no more, nothing else is compared.
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

  /// Whether the value, or a part of it, is one that a log may not hold in full.
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
  /// Applies the patch and returns the error, if there is one; what it changes within a value that the log does not hold is left
  /// out.
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
  /// Whether a path leads into a value that the log does not hold.
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
