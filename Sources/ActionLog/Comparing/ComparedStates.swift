/// The states of two logs while they are compared: one as long as they agree.
package struct ComparedStates {
  package private(set) var recorded: JSON?
  /// The state to which both logs lead by the same text, while that is taken for a proof that it fits; then `recorded` is nil.
  private var shared: PatchedState?
  /// The other log's state, once it differs.
  private var replayed: JSON?
  /// What was reported already, and is not new when it shows again.
  private var reported: Set<JSON.Difference> = []

  /// What is not compared.
  private var ignored: [JSON.Pointer]
  private let isInPlace: Bool
  /// What of it a state has had that differed from the recorded one.
  private(set) var met: Set<JSON.Pointer> = []
  /// What the recording masked in the state.
  let masks: LogMasks?
  /// Whether the second log was made from the first, so that a patch that is the same in both fits the state.
  private var isReplay: Bool

  package init(
    _ options: LogComparison.Options = LogComparison.Options(),
    masks: LogMasks? = nil,
    isReplay: Bool = false
  ) {
    ignored = options.ignored
    isInPlace = options.isInPlace
    self.masks = masks
    self.isReplay = isReplay
  }

  /// Whether the states are the same, so that there is one.
  package var areSame: Bool { replayed == nil }

  /// Takes the first log's state for that of both.
  package mutating func unite() {
    replayed = nil
    reported = []
  }

  /// Whether a place lies in what is not compared.
  package func ignores(_ place: JSON.Pointer) -> Bool {
    ignored.contains { pattern in
      pattern.tokens.count <= place.tokens.count
        && zip(pattern.tokens, place.tokens).allSatisfy { $0 == "*" || $0.hasSameBytes(as: $1) }
    }
  }

  /// Leaves out a part that only one of the logs has, wherever among the elements of arrays it stands.
  package mutating func ignore(_ place: String) {
    guard let pointer = (try? JSON.Pointer(parsing: place))?.anyElement else { return }
    if !ignored.contains(pointer) { ignored.append(pointer) }
    // The replay has more than the log, and so may change what the log does not have.
    isReplay = false
  }

  /// Takes both logs to a checkpoint.
  package mutating func compare(
    _ old: LogEvent.Checkpoint,
    _ new: LogEvent.Checkpoint
  ) -> [LogDifference] {
    var differences: [LogDifference] = catchUp()
    if let recorded, differences.isEmpty {
      differences = self.differences(from: recorded, to: old.state).map {
        LogDifference(
          $0,
          seq: old.seq,
          cause: .sequence,
          message: "the checkpoint contradicts the changes before it"
        )
      }
    }
    recorded = old.state
    replayed = Self.other(new.state, than: old.state)
    return differences.isEmpty ? newDifferences(at: old.seq) : differences
  }

  /// Takes both logs through a change.
  mutating func compare(_ old: LoggedPatch, _ new: LoggedPatch, of seq: Int) -> [LogDifference] {
    guard followPatches, old.hasSameText(as: new) else {
      return compare(old.patch, new.patch, of: seq)
    }
    return pass(old, of: seq)
  }

  /// Whether a patch that both logs have by the same text is taken for one that fits.
  var followPatches: Bool { isReplay && replayed == nil }

  /// Takes both logs through changes that are the same.
  mutating func pass(_ patches: LoggedPatches) -> [LogDifference] {
    share()
    do throws(PatchedState.Failure) { try shared?.append(patches) } catch {
      return [Self.inapplicable(error.error, of: error.seq, by: .sequence)]
    }
    return []
  }

  private mutating func pass(_ patch: LoggedPatch, of seq: Int) -> [LogDifference] {
    share()
    do throws(PatchedState.Failure) { try shared?.append(patch, of: seq) } catch {
      return [Self.inapplicable(error.error, of: error.seq, by: .sequence)]
    }
    return []
  }

  private mutating func share() {
    guard let recorded else { return }
    shared = PatchedState(recorded)
    self.recorded = nil
  }

  /// Applies what has waited.
  private mutating func catchUp() -> [LogDifference] {
    guard var state = shared else { return [] }
    shared = nil
    do throws(PatchedState.Failure) { recorded = try state.take() } catch {
      return [Self.inapplicable(error.error, of: error.seq, by: .sequence)]
    }
    return []
  }

  /// Takes both logs through a change whose operations are at hand.
  package mutating func compare(
    _ old: JSON.Patch,
    _ new: JSON.Patch,
    of seq: Int
  ) -> [LogDifference] {
    let late = catchUp()
    guard late.isEmpty, var expected = recorded else { return late }
    // Held in one place only, the state is changed where it is.
    recorded = nil
    if old == new, replayed == nil {
      let failure = old.failure(on: &expected)
      recorded = expected
      return failure.map { [Self.inapplicable($0, of: seq, by: .sequence)] } ?? []
    }
    var actual = replayed ?? expected
    let failure = old.failure(on: &expected)
    let otherFailure = new.failure(on: &actual)
    recorded = expected
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

  private mutating func differences(from old: JSON, to new: JSON) -> [JSON.Difference] {
    guard !ignored.isEmpty else {
      return JSON.differences(from: old, to: new, isInPlace: isInPlace)
    }
    for place in ignored where !met.contains(place) && new.has(place) { met.insert(place) }
    return JSON.differences(
      from: old.ignoring(ignored),
      to: new.ignoring(ignored),
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
    return all.compactMap {
      if reported.contains($0) || $0.path.tokens.contains("$masked") { return nil }
      if masks?.hides($0.path, written: $0.expected) == true { return nil }
      let isMasked = masks?.covers($0.path) == true || masks != nil && $0.followsFromSubstitute
      return LogDifference(
        $0,
        seq: seq,
        cause: isMasked ? .notReplayable : .state,
        message: isMasked ? Wording.needsMasked : nil
      )
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

extension JSON.Difference {
  /// Whether the other value was made of what stands for a masked one, of which the first shows nothing.
  fileprivate var followsFromSubstitute: Bool {
    guard let expected, let actual else { return false }
    return !actual.substitutes.isSubset(of: expected.substitutes)
  }
}

extension JSON.Pointer {
  /// The place in every element of the arrays on the way to it.
  package var anyElement: JSON.Pointer {
    JSON.Pointer(tokens.map { Self.index($0) == nil ? $0 : "*" })
  }
}

extension JSON.Patch {
  /// Applies the patch and returns why it cannot be.
  func failure(on json: inout JSON) -> ApplyError? {
    do throws(ApplyError) {
      try apply(to: &json)
      return nil
    } catch { return error }
  }
}
