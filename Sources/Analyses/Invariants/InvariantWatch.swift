import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Evaluates invariants on the states of a replay.
package final class InvariantWatch {
  private let invariants: Invariants
  private var progress: [InvariantProgress] = []
  private var cursor = LogCursor()
  private var contexts = ConditionContextBuilder()

  /// The results for one invariant while the replay runs.
  private struct InvariantProgress {
    let invariant: Invariant
    var survey: ConditionDiagnosis
    var states = 0
    var violations = 0
    var first: (context: ConditionContext, operands: [JSONPath.OperandValue])?

    mutating func evaluate(_ context: ConditionContext) {
      guard context.action != nil || !invariant.isAboutActions else { return }
      let value = invariant.condition.value(of: context)
      states += 1
      survey.examine(value, of: context.action?.action)
      guard !invariant.condition.expression.holds(for: value) else { return }
      violations += 1
      if first == nil { first = (context, invariant.condition.expression.operands(in: value)) }
    }
  }

  package init(_ invariants: Invariants) { self.invariants = invariants }

  /// Returns a checker that also evaluates the invariants on each replay.
  ///
  /// - Parameter start: A closure that starts a replay and returns its events.
  /// - Returns: A checker. `results(in:)` returns the results for the checker's last replay.
  package func checker(_ start: @escaping CommandContext.ReplayStarter) -> CommandContext.Checker {
    { [self] check, options in
      CommandContext.CheckOutcome(check, by: { try watch($0, start($0, options), options) })
    }
  }

  private func watch(
    _ log: LogSlice,
    _ replay: any ReplayEventSource,
    _ options: ReplayOptions
  ) -> any ReplayEventSource {
    var feature = options.feature
    if feature == nil, let header = try? log.header() {
      feature = header.feature
    }
    reset(feature ?? "")
    return InvariantCheckingReplay(replay, by: self)
  }

  private func reset(_ feature: String) {
    progress = invariants.applying(to: feature).map {
      InvariantProgress(invariant: $0, survey: ConditionDiagnosis($0.condition.expression))
    }
    (cursor, contexts) = (LogCursor(), ConditionContextBuilder())
  }

  /// Evaluates the invariants if an event completes an action or the first state.
  ///
  /// - Throws: `LogCursor.BrokenPatch` if the event's patch does not fit the state of the replay.
  fileprivate func observe(_ event: LogEvent) throws {
    try cursor.move(to: event)
    guard let context = try contexts.consume(event, &cursor) else { return }
    for index in progress.indices { progress[index].evaluate(context) }
  }

  /// Returns the results from the last replay, for the invariants that apply to the log's feature.
  ///
  /// - Parameter log: The log that was replayed.
  /// - Returns: One result for each invariant.
  /// - Throws: `LogReadError`.
  package func results(in log: LogSlice) throws -> [InvariantResult] {
    let seqs = progress.compactMap { $0.first?.context.seq }
    let lines = try lines(of: Set(seqs), in: log)
    let causes = try CauseChain(of: seqs).chains { try log.events() }
    return progress.map { progress in
      var violation: InvariantResult.Violation?
      if let (context, operands) = progress.first {
        violation = InvariantResult.Violation(
          seq: context.seq,
          action: context.action?.action,
          line: lines[context.seq],
          causes: context.action == nil ? [] : causes[context.seq] ?? [],
          operands: operands,
          count: progress.violations
        )
      }
      let doubts = progress.survey.doubts(
        isNeverTrue: progress.states > 0 && progress.violations == progress.states
      )
      return InvariantResult(
        invariant: progress.invariant,
        states: progress.states,
        violation: violation,
        doubts: doubts.map {
          Wording.doubt($0, Wording.invariant(progress.invariant.name), log.places)
        }
      )
    }
  }

  /// Returns the line numbers of actions and checkpoints, keyed by their numbers in the log.
  private func lines(of seqs: Set<Int>, in log: LogSlice) throws -> [Int: Int] {
    var open = seqs
    var lines: [Int: Int] = [:]
    let entries = try log.entries()
    while !open.isEmpty, let entry = try? entries() {
      let seq: Int
      switch entry.event {
      case .action(let action): seq = action.seq
      case .checkpoint(let checkpoint): seq = checkpoint.seq
      default: continue
      }
      if open.remove(seq) != nil { lines[seq] = entry.line }
    }
    return lines
  }
}

/// A source of replayed events that passes each event to an `InvariantWatch`.
private final class InvariantCheckingReplay: ReplayEventSource {
  private let replay: any ReplayEventSource
  private let watch: InvariantWatch
  private var isAtEnd = false

  init(_ replay: any ReplayEventSource, by watch: InvariantWatch) {
    self.replay = replay
    self.watch = watch
  }

  var hostOutput: [String] { replay.hostOutput }

  func next() throws -> LogEvent? {
    guard let event = try replay.next() else {
      isAtEnd = true
      return nil
    }
    try watch.observe(event)
    return event
  }

  /// Ends the replay.
  ///
  /// If the comparison stopped early, the remaining states are evaluated first.
  func end(isDone: Bool) -> ReplayEnd {
    // An error is reported by the comparison, or by the end of the replay.
    if !isDone { while !isAtEnd, (try? next()) != nil {} }
    return replay.end(isDone: isDone || isAtEnd)
  }
}
