public import ActionLog

/// A recorded action of which nothing came but a patch: no read, no effect.
///
/// That is most of most logs.
public struct PlainStep: Sendable, Equatable {
  /// The action.
  public var input: StepInput
  /// What the reducer made of the state when the action was recorded.
  public var patch: JSON.Patch { logged.patch }
  /// The patch, which may still be text.
  package var logged: LoggedPatch

  /// An action with its patch.
  public init(_ input: StepInput, patch: JSON.Patch) {
    self.init(input, logged: .patch(patch))
  }

  /// An action with its patch, which may still be text.
  package init(_ input: StepInput, logged: LoggedPatch) {
    self.input = input
    self.logged = logged
  }
}

extension StepOutcome {
  /// Whether this is what was recorded.
  package func isRecorded(by step: PlainStep) -> Bool {
    effects.isEmpty && reads.isEmpty && findings.isEmpty && logged == step.logged
  }
}

/// Recorded actions, one after the other, for as long as nothing but a patch was recorded of them and comes of them again.
///
/// That is most of most logs.
public struct PlainSteps: ~Copyable {
  private var source: LogSource
  private var effects: SimulatedEffects
  private let recordedSends: Set<EffectID>
  private let until: Int
  /// The last action that came out as recorded.
  private var last: Int
  private var patches = LoggedPatches()
  /// The action that is replayed.
  private var open: PlainLines?
  /// Where it ends, once it is known to have come out as recorded.
  private var end: PlainEnd?

  /// Steps through the actions that come next.
  ///
  /// - Parameters:
  ///   - source: The log, between two actions.
  ///   - seq: The last action.
  ///   - until: The last action that is replayed.
  ///   - effects: The effects that are alive.
  ///   - recordedSends: The effects that sent an action at once when the log was recorded.
  package init(
    _ source: LogSource,
    behind seq: Int,
    until: Int,
    effects: SimulatedEffects,
    recordedSends: Set<EffectID>
  ) {
    self.source = source
    self.effects = effects
    self.recordedSends = recordedSends
    self.until = until
    last = seq
  }

  /// Gives the next action, and by being called says that the one before has come out as recorded; `nil` when there is none.
  public mutating func next() -> PlainStep? {
    guard pass(), let (lines, origin) = source.nextPlainLines(), let plain = source.end(of: lines),
      begin(lines, from: origin)
    else { return nil }
    end = plain
    return PlainStep(
      StepInput(seq: lines.seq, logged: .recorded(.text(Array(lines.action)))),
      logged: .text(Array(plain.patch))
    )
  }
}

extension PlainSteps {
  /// Goes on to the next action when the one before has come out as recorded.
  ///
  /// - Returns: `false` when there is none, or the one before has not.
  package mutating func advance() -> Bool {
    guard pass(), let (lines, origin) = source.nextPlainLines() else { return false }
    return begin(lines, from: origin)
  }

  /// Leaves the action behind, when it has come out as recorded.
  private mutating func pass() -> Bool {
    guard let lines = open else { return true }
    guard let passed = end.take() else { return false }
    source.take(passed)
    last = lines.seq
    patches.append(passed.patch, of: last)
    open = nil
    // What follows them takes memory until somebody has applied them.
    return patches.count < Self.mostBytes
  }

  /// Begins with an action, unless something is odd about its coming.
  private mutating func begin(_ lines: PlainLines, from origin: LogEvent.Origin) -> Bool {
    guard lines.seq == last &+ 1, lines.seq <= until, isExpected(origin, of: lines.seq) else {
      return false
    }
    open = lines
    return true
  }

  /// The number of the action.
  package var seq: Int { open?.seq ?? last }

  /// The action's text, until the next one is asked for.
  package var action: UnsafeBufferPointer<UInt8> {
    open?.action ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Whether a patch, as text, and nothing else was recorded of the action.
  package mutating func isRecorded(_ patch: [UInt8]) -> Bool {
    guard let lines = open else { return false }
    end = source.end(of: lines, patch: patch)
    return end != nil
  }

  /// Whether nothing is odd about the action's coming.
  private mutating func isExpected(_ origin: LogEvent.Origin, of seq: Int) -> Bool {
    if case .view = origin { return true }
    if let id = origin.directEffect, effects.isSend(id) || recordedSends.contains(id) {
      return false
    }
    return effects.findings(onArrivalFrom: origin, as: seq).isEmpty
  }

  private static var mostBytes: Int { 256 * 1024 }
}

extension PlainSteps {
  /// Where a session goes on.
  package struct End {
    package var source: LogSource
    package var effects: SimulatedEffects
    package var passed: LogComparison.PassedActions
    /// Whether the action behind those that were passed has been begun, and has come out in another way.
    package var isOpen: Bool

    package init(
      source: LogSource,
      effects: SimulatedEffects,
      passed: LogComparison.PassedActions,
      isOpen: Bool
    ) {
      self.source = source
      self.effects = effects
      self.passed = passed
      self.isOpen = isOpen
    }
  }

  /// Ends the steps.
  consuming func finish() -> End {
    End(
      source: source,
      effects: effects,
      passed: LogComparison.PassedActions(seq: last, patches: patches),
      isOpen: open != nil
    )
  }
}
