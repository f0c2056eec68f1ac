/// The states of two logs during a comparison.
///
/// Both logs share one stored state until their states differ.
package struct ComparedStates {
  /// The first log's state, before the patches in `waiting` are applied.
  private var base: JSONText?
  /// Patches that are identical in both logs and not yet applied.
  ///
  /// Used only while a replay has the same state as the recording. The patches are applied when the state is needed,
  /// such as for a patch or checkpoint that differs, or when the buffer is full. An identical checkpoint replaces them.
  private var waiting = WaitingPatches()
  /// The second log's state, or `nil` while it equals the first log's state.
  private var replayed: JSON?
  /// The differences between the current states that have already been reported.
  private var reported: Set<JSON.Difference> = []

  /// The paths that the comparison ignores.
  private var ignored: PathPatterns
  private let isInPlace: Bool
  /// The ignored paths that were found in the second log's state when the states differed.
  package private(set) var matchedIgnores: Set<JSON.Pointer> = []
  /// The masks of the recording, or `nil` if it has none.
  package let masks: LogMasks?
  /// Whether the second log is a replay of the first, so that an identical patch also fits the second log's state.
  private var isReplay: Bool
  /// The policy that decides whether values that a log contains only in part count as differences.
  package var opaque: OpaqueComparison

  package init(
    _ options: LogComparison.Options = LogComparison.Options(),
    masks: LogMasks? = nil,
    isReplay: Bool = false,
    opaque: OpaqueComparison? = nil
  ) {
    self.opaque = opaque ?? OpaqueComparison(isReplay: isReplay)
    ignored = PathPatterns(options.ignored)
    isInPlace = options.isInPlace
    self.masks = masks
    self.isReplay = isReplay
  }

  /// Whether both logs have the same state.
  package var areEqual: Bool { replayed == nil }

  /// The first log's state, before the patches in `waiting` are applied.
  package var recorded: JSON? { base?.json }

  /// Replaces the second log's state with the first log's state.
  mutating func adoptRecorded() {
    replayed = nil
    reported = []
  }

  /// Whether `place` equals an ignored path or lies within one.
  package func ignores(_ place: JSON.Pointer) -> Bool { ignored.cover(place.withoutErrors) }

  /// Ignores a member that only one log has, in all elements of the arrays on its path.
  package mutating func ignore(_ place: String) {
    guard let pointer = (try? JSON.Pointer(parsing: place))?.anyElement else { return }
    ignored.insert(pointer)
    // The replay's state has additional members, so its patches can change members that the log's state lacks.
    isReplay = false
  }

  /// Compares the checkpoints of both logs and returns the differences.
  ///
  /// Afterward, both states are those of the checkpoints.
  package mutating func compare(
    _ old: LogEvent.Checkpoint,
    _ new: LogEvent.Checkpoint
  ) -> [LogDifference] {
    opaque.isAtStart = base == nil
    defer { opaque.isAtStart = false }
    if isAlike, old.logged.hasSameText(as: new.logged) {
      // The waiting changes already led the replay to this state.
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

  /// Applies the changes of one action in both logs, and compares the resulting states.
  ///
  /// Identical changes of a recording and its replay are applied later, when the state is needed.
  mutating func compare(_ old: PatchText, _ new: PatchText, of seq: Int) -> [LogDifference] {
    guard isAlike, old.hasSameText(as: new) else {
      return compare(old.patch, new.patch, of: seq)
    }
    waiting.append(old, of: seq)
    return waiting.isFull ? catchUp() : []
  }

  /// Whether identical patches fit both states, so that the patches can wait to be applied.
  private var isAlike: Bool { isReplay && replayed == nil && base != nil }

  /// Applies the patches in `waiting` to the state.
  private mutating func catchUp() -> [LogDifference] {
    guard !waiting.isEmpty, var state = base?.json else { return [] }
    base = nil
    let failure = waiting.apply(to: &state)
    waiting.removeAll()
    if let failure { return [Self.inapplicable(failure.error, of: failure.seq, by: .sequence)] }
    base = JSONText(state)
    return []
  }

  /// Applies the parsed changes of one action in both logs, and compares the resulting states.
  package mutating func compare(
    _ old: JSON.Patch,
    _ new: JSON.Patch,
    of seq: Int
  ) -> [LogDifference] {
    let late = catchUp()
    guard late.isEmpty, var expected = recorded else { return late }
    // Releases the second reference, so that the state is changed without a copy.
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
    // A conditional expression would turn the missing value into the JSON value `null`.
    guard state != first else { return .none }
    return state
  }

  /// Returns the differences between two states, except at ignored paths.
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

  /// Converts differences between states to differences between logs.
  ///
  /// Drops differences that masks or opaque values explain. A difference that can follow from a masked value gets the
  /// cause `notReplayable`.
  package mutating func logged(_ differences: [JSON.Difference], of seq: Int) -> [LogDifference] {
    let differences =
      masks == nil ? differences : withoutMaskedOrder(differences.withoutMaskedNames)
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

  /// Returns the differences without elements that have moved because a set is written in the order of their texts.
  ///
  /// The recording sorts the texts before they are masked, and the replay sorts the substitutes.
  private func withoutMaskedOrder(_ differences: [JSON.Difference]) -> [JSON.Difference] {
    guard differences.contains(where: { $0.movedTo != nil }), let recorded, let replayed else {
      return differences
    }
    var known: [[JSON.Pointer]: Bool] = [:]
    func isMaskedSet(_ place: JSON.Pointer, _ other: JSON.Pointer) -> Bool {
      if let isSet = known[[place, other]] { return isSet }
      let texts = (replayed[other]?.array ?? []).map(\.bytes)
      let isSet =
        recorded[place]?.array?.contains { !$0.substitutes.isEmpty } == true
        && zip(texts, texts.dropFirst()).allSatisfy { $0.precedesInBytes($1) }
      known[[place, other]] = isSet
      return isSet
    }
    return differences.filter {
      guard let movedTo = $0.movedTo else { return true }
      return !isMaskedSet($0.path.container, movedTo.container)
    }
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

extension JSON {
  /// Returns the differences between a value of a recording, such as an action or the input of an effect, and the same
  /// value of another log.
  ///
  /// - Parameters:
  ///   - recorded: The value in the recording.
  ///   - other: The value in the other log.
  ///   - isMasked: Whether the recording has masks, so that its substitutes stand for any value.
  /// - Returns: The differences that substitutes don't explain.
  package static func valueDifferences(
    from recorded: JSON,
    to other: JSON,
    isMasked: Bool
  ) -> [Difference] {
    let all = differences(from: recorded.ignoringSubstitutes, to: other.ignoringSubstitutes)
    return isMasked ? all.withoutMaskedNames.filter { !$0.isHiddenBySubstitutes } : all
  }
}

extension JSON.Pointer {
  /// The path of the object or array that contains the value.
  fileprivate var container: JSON.Pointer { JSON.Pointer(Array(tokens.dropLast())) }
}

extension [JSON.Difference] {
  /// The differences without members that the first value has under a masked name, and the second under a clear one.
  ///
  /// A key of a dictionary is masked as soon as the masks know its text, also in the log of an action that leaves the
  /// dictionary unchanged.
  var withoutMaskedNames: [JSON.Difference] {
    let masked = indices.filter { self[$0].hasMaskedName }
    guard !masked.isEmpty else { return self }
    let added = indices.filter { self[$0].expected == nil }
    var additions = Dictionary(grouping: added) { self[$0].path.container }
    var explained: Set<Int> = []
    for index in masked {
      let container = self[index].path.container
      let clear = additions[container]?.firstIndex { self[$0].isClear(of: self[index]) }
      guard let clear, let addition = additions[container]?.remove(at: clear) else { continue }
      explained.formUnion([index, addition])
    }
    return enumerated().filter { !explained.contains($0.offset) }.map(\.element)
  }
}

extension JSON.Difference {
  /// Whether the second value lacks a member that has a masked name in the first.
  fileprivate var hasMaskedName: Bool {
    actual == nil && path.tokens.last.map { !JSON.string($0).substitutes.isEmpty } == true
  }

  /// Whether this is the addition of a member that has a masked name in `removal`, in the same object.
  fileprivate func isClear(of removal: JSON.Difference) -> Bool {
    guard let actual, let expected = removal.expected, let name = path.tokens.last,
      let masked = removal.path.tokens.last
    else { return false }
    return JSON.string(name).isHidden(by: .string(masked))
      && (actual == expected || actual.isHidden(by: expected))
  }

  /// Whether the expected value contains substitutes and otherwise equals the actual value.
  var isHiddenBySubstitutes: Bool {
    guard let expected, let actual else { return false }
    return actual.isHidden(by: expected)
  }

  /// Whether the values differ only in substitutes of values that are masked by their type.
  fileprivate var isOfSubstitutes: Bool {
    // An element that has moved has the same value at both paths.
    guard let expected, let actual, expected != actual else { return false }
    return expected.ignoringSubstitutes == actual.ignoringSubstitutes
  }

  /// Whether the actual value contains a substitute that the expected value lacks.
  fileprivate var followsFromSubstitute: Bool {
    guard let expected, let actual else { return false }
    return !actual.substitutes.isSubset(of: expected.substitutes)
  }
}

extension JSON.Pointer {
  /// The path without the tokens `$error` and `value` of logged errors.
  ///
  /// Patterns omit these tokens.
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

  /// The path with `*` in place of each index.
  ///
  /// Also replaces dictionary keys that consist of digits, because a pointer doesn't distinguish them from indexes.
  package var anyElement: JSON.Pointer {
    JSON.Pointer(tokens.map { Self.index($0) == nil ? $0 : "*" })
  }
}

extension JSON.Patch {
  /// Applies the patch to `json`, and returns the error if the patch doesn't fit.
  func failure(on json: inout JSON, _ copies: inout CopyBudget) -> ApplyError? {
    do throws(ApplyError) {
      try apply(to: &json, &copies)
      return nil
    } catch { return error }
  }
}
