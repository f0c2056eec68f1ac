/// The states of two logs during a comparison; there is one state as long as they agree.
package struct ComparedStates {
  /// The first log's state, to which the patches that wait are still to be applied.
  private var base: JSONText?
  /// The changes that are the same in both logs, of a replay in which nothing has differed: no one needs the state as long as
  /// the checkpoints agree.
  private var waiting = WaitingPatches()
  /// The other log's state, once it differs.
  private var replayed: JSON?
  /// The differences that were reported already.
  private var reported: Set<JSON.Difference> = []

  /// The places that are not compared.
  private var ignored: PlacePatterns
  private let isInPlace: Bool
  /// The ignored places that a differing state has had.
  package private(set) var matchedIgnores: Set<JSON.Pointer> = []
  /// The masks of the recording.
  package let masks: LogMasks?
  /// Whether the second log was made from the first, so that a patch that is the same in both fits the state.
  private var isReplay: Bool
  /// What is made of values that a log does not hold.
  package var opaque: OpaqueComparison

  package init(
    _ options: LogComparison.Options = LogComparison.Options(),
    masks: LogMasks? = nil,
    isReplay: Bool = false,
    opaque: OpaqueComparison? = nil
  ) {
    self.opaque = opaque ?? OpaqueComparison(isReplay: isReplay)
    ignored = PlacePatterns(options.ignored)
    isInPlace = options.isInPlace
    self.masks = masks
    self.isReplay = isReplay
  }

  /// Whether the states are the same, so that there is one.
  package var areEqual: Bool { replayed == nil }

  /// The first log's state, as far as it was asked for.
  package var recorded: JSON? { base?.json }

  /// Makes the first log's state that of both.
  mutating func adoptRecorded() {
    replayed = nil
    reported = []
  }

  /// Whether a place is, or lies within, a place that is not compared.
  package func ignores(_ place: JSON.Pointer) -> Bool { ignored.cover(place.withoutErrors) }

  /// Ignores a place that only one of the logs has, in all elements of the arrays on its path.
  package mutating func ignore(_ place: String) {
    guard let pointer = (try? JSON.Pointer(parsing: place))?.anyElement else { return }
    ignored.insert(pointer)
    // The replay has more than the log, so it may change a member that the log does not have.
    isReplay = false
  }

  /// Compares the checkpoints of both logs and continues from them.
  package mutating func compare(
    _ old: LogEvent.Checkpoint,
    _ new: LogEvent.Checkpoint
  ) -> [LogDifference] {
    opaque.isAtStart = base == nil
    defer { opaque.isAtStart = false }
    if isAlike, old.logged.hasSameText(as: new.logged) {
      // The replay has come to this state by the changes that wait.
      waiting.removeAll()
      base = old.logged.detached
      return []
    }
    var differences = catchUp()
    waiting.copies = JSON.Patch.CopyBudget()
    let (expected, actual) = (old.state, new.state)
    if let recorded, differences.isEmpty {
      differences = self.differences(from: recorded, to: expected).map {
        LogDifference(
          $0,
          seq: old.seq,
          cause: .sequence,
          message: "the checkpoint contradicts the changes before it"
        )
      }
    }
    base = JSONText(expected)
    replayed = Self.other(actual, than: expected)
    return differences.isEmpty ? newDifferences(at: old.seq) : differences
  }

  /// Applies a change of both logs and compares the states.
  mutating func compare(_ old: PatchText, _ new: PatchText, of seq: Int) -> [LogDifference] {
    guard isAlike, old.hasSameText(as: new) else {
      return compare(old.patch, new.patch, of: seq)
    }
    waiting.append(old, of: seq)
    return waiting.isFull ? catchUp() : []
  }

  /// Whether a patch that is the same in both logs fits the state, and may be applied later.
  private var isAlike: Bool { isReplay && replayed == nil && base != nil }

  /// Applies the patches that wait.
  private mutating func catchUp() -> [LogDifference] {
    guard !waiting.isEmpty, var state = base?.json else { return [] }
    base = nil
    let failure = waiting.apply(to: &state)
    waiting.removeAll()
    if let failure { return [Self.inapplicable(failure.error, of: failure.seq, by: .sequence)] }
    base = JSONText(state)
    return []
  }

  /// Applies a parsed change of both logs and compares the states.
  package mutating func compare(
    _ old: JSON.Patch,
    _ new: JSON.Patch,
    of seq: Int
  ) -> [LogDifference] {
    let late = catchUp()
    guard late.isEmpty, var expected = recorded else { return late }
    // With one owner, the state is changed in place.
    base = nil
    if old == new, replayed == nil {
      let failure = old.failure(on: &expected, &waiting.copies)
      base = JSONText(expected)
      return failure.map { [Self.inapplicable($0, of: seq, by: .sequence)] } ?? []
    }
    var actual = replayed ?? expected
    let failure = old.failure(on: &expected, &waiting.copies)
    let otherFailure = new.failure(skippingOpaquePartsOf: &actual, &waiting.copies)
    base = JSONText(expected)
    replayed = Self.other(actual, than: expected)
    if let failure { return [Self.inapplicable(failure, of: seq, by: .sequence)] }
    let differences = old == new ? [] : newDifferences(at: seq)
    guard differences.isEmpty, let otherFailure else { return differences }
    return [Self.inapplicable(otherFailure, of: seq, by: .state)]
  }

  private static func other(_ state: JSON, than first: JSON) -> JSON? {
    // No conditional expression: in one, `nil` would be read as the JSON value `null`.
    guard state != first else { return .none }
    return state
  }

  /// The differences of two states, without the places that are not compared.
  package mutating func differences(from old: JSON, to new: JSON) -> [JSON.Difference] {
    guard !ignored.isEmpty else {
      return JSON.differences(from: old, to: new, isInPlace: isInPlace)
    }
    for place in ignored.all where !matchedIgnores.contains(place) && new.has(place) {
      matchedIgnores.insert(place)
    }
    return JSON.differences(
      from: old.ignoring(ignored.all),
      to: new.ignoring(ignored.all),
      isInPlace: isInPlace
    )
  }

  private mutating func newDifferences(at seq: Int) -> [LogDifference] {
    guard let recorded, let replayed else {
      reported = []
      return []
    }
    let all = differences(from: recorded, to: replayed)
    defer { reported = Set(all) }
    return logged(all.filter { !reported.contains($0) }, of: seq)
  }

  /// The differences of states as those of logs, without the ones that masks and values of which a log has the type alone explain.
  package mutating func logged(_ differences: [JSON.Difference], of seq: Int) -> [LogDifference] {
    let logged: [LogDifference] = differences.compactMap {
      if $0.isOfSubstitutes { return nil }
      if masks?.hides($0.path, written: $0.expected) == true { return nil }
      if masks?.covers($0.path) == false, $0.isHiddenBySubstitutes { return nil }
      let isMasked = masks?.covers($0.path) == true || masks != nil && $0.followsFromSubstitute
      return LogDifference(
        $0,
        seq: seq,
        cause: isMasked ? .notReplayable : .state,
        message: isMasked ? Wording.needsMasked : nil
      )
    }
    return opaque.classified(logged)
  }

  private static func inapplicable(
    _ failure: JSON.Patch.ApplyError,
    of seq: Int,
    by cause: LogDifference.Cause
  ) -> LogDifference {
    LogDifference(
      seq: seq,
      cause: cause,
      subject: failure.operation.path.description,
      message: "the patch does not fit the state: \(failure)"
    )
  }
}

extension JSON.Difference {
  /// Whether the expected value has substitutes, and is the actual one but for these.
  package var isHiddenBySubstitutes: Bool {
    guard let expected, let actual else { return false }
    return actual.isHidden(by: expected)
  }

  /// Whether the values are the same but for substitutes of values that are masked by their type.
  fileprivate var isOfSubstitutes: Bool {
    // A value that has moved is the same at both places.
    guard let expected, let actual, expected != actual else { return false }
    return expected.ignoringSubstitutes == actual.ignoringSubstitutes
  }

  /// Whether the actual value holds a substitute of a masked value that the expected one does not hold.
  fileprivate var followsFromSubstitute: Bool {
    guard let expected, let actual else { return false }
    return !actual.substitutes.isSubset(of: expected.substitutes)
  }
}

extension JSON.Pointer {
  /// The place without the steps to what errors hold, which no place names.
  var withoutErrors: JSON.Pointer {
    guard tokens.contains("$error") else { return self }
    var rest: [String] = []
    for (index, token) in tokens.enumerated() {
      let isError = token == "$error" && index + 1 < tokens.count && tokens[index + 1] == "value"
      let isValue = token == "value" && index > 0 && tokens[index - 1] == "$error"
      if !isError, !isValue { rest.append(token) }
    }
    return JSON.Pointer(rest)
  }

  /// The same place in every element of the arrays on its path, and in the values of all keys of digits: nothing tells them apart.
  package var anyElement: JSON.Pointer {
    JSON.Pointer(tokens.map { Self.index($0) == nil ? $0 : "*" })
  }
}

extension JSON.Patch {
  /// Applies the patch and returns the error, if there is one.
  func failure(on json: inout JSON, _ copies: inout CopyBudget) -> ApplyError? {
    do throws(ApplyError) {
      try apply(to: &json, &copies)
      return nil
    } catch { return error }
  }
}
