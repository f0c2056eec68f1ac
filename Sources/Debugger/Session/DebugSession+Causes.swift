import ActionLog
import LogTools
import ReplayEngine

extension DebugSession {
  /// The chain of causes of a step: the step, the action that sent it, the one that sent that, back to one from outside.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - most: How many links it has at most. A longer chain ends early.
  /// - Returns: The chain, beginning with the step itself.
  /// - Throws: `LogReadError`.
  package func causes(of step: LogStep, most: Int = 20) throws -> [LogStep] {
    var chain = [step]
    while chain.count < most, let cause = chain[chain.count - 1].cause,
      let sender = try log.step(at: cause)
    {
      chain.append(sender)
    }
    return chain
  }

  /// The actions that led to a step, without the step itself.
  func senders(of step: LogStep, most: Int) throws -> [LogStep] {
    try Array(causes(of: step, most: most).dropFirst())
  }

  /// The actions that a step has led to.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - most: How many are given at most.
  /// - Returns: The actions that it sent itself or by its effects, each with how many actions lie between it and the step
  ///   (0: none), in their order; and whether there are more.
  /// - Throws: `LogReadError`.
  package func consequences(
    of step: LogStep,
    most: Int = 20
  ) throws -> (steps: [(step: LogStep, depth: Int)], hasMore: Bool) {
    // Consequences belong to the action, not to a change from outside after it.
    guard step.isOfAction else { return ([], false) }
    var depths = [step.seq: -1]
    var running: Set<Int> = [step.seq]
    var found: [(LogStep, Int)] = []
    var next = try log.step(after: step.id)
    var end = step.end
    running = running.filter { end.hasAlive(of: $0) }
    var outside = 0
    var passed = 0
    while let current = next {
      if let cause = current.cause, let depth = depths[cause] {
        if found.count == most { return (found, true) }
        depths[current.seq] = depth + 1
        running.insert(current.seq)
        found.append((current, depth + 1))
      }
      // Actions that were sent while this one was handled come before the next action from outside.
      if current.cause == nil { outside += 1 }
      end = current.end
      running = running.filter { end.hasAlive(of: $0) }
      if running.isEmpty, outside > 0 { break }
      passed += 1
      if passed % 64 == 0, isInterrupted(at: current.id) { return (found, true) }
      next = try log.step(after: current.id)
    }
    return (found, false)
  }

  /// The action that last changed the values at a place, up to an action.
  ///
  /// - Throws: `CommandError` when there is no such value, `LogReadError`.
  package func blame(_ place: ValuePath, at seq: Int) throws -> [Blame.Result] {
    try Blame(log: log.slice, place: place, at: seq).run()
  }

  /// Every change of the values at a place, from the start of the log to its end.
  ///
  /// The log is read through once, and nothing of it is kept.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - visit: Takes the changes of a step.
  /// - Returns: The last step that was looked at when the user ended the search; `nil` for a search that came to its end.
  /// - Throws: `LogReadError` when the file cannot be opened. An error after that is the end of the log.
  package func forEachChange(
    of place: ValuePath,
    _ visit: (StepID, [PlaceWatch.WatchedChange]) -> Void
  ) throws -> StepID? {
    var search = ChangeSearch(place)
    var source = try LogSource(log.slice)
    var passed = 0
    while let entry = try? source.next() {
      let last = search.id
      if search.scan(entry.event, visit) {
        passed += 1
        if passed % 64 == 0, isInterrupted(at: last) { return last }
      }
    }
    return nil
  }
}

/// Finds the changes of the values at a place among the events of a log, as they go by.
private struct ChangeSearch {
  private let watch: PlaceWatch
  private var cursor = LogCursor()
  private var boundaries = StepBoundaries()
  /// Whether the step has led to its state.
  private var isDone = false

  init(_ place: ValuePath) { watch = PlaceWatch(place) }

  /// The step of the last event.
  var id: StepID { boundaries.id }

  /// Takes the next event.
  ///
  /// - Returns: Whether it begins a step.
  mutating func scan(
    _ event: LogEvent,
    _ visit: (StepID, [PlaceWatch.WatchedChange]) -> Void
  ) -> Bool {
    let begins = boundaries.advance(event)
    if begins { isDone = false }
    // Every event is applied before the next one, so there is nothing left that could fail.
    try? cursor.move(to: event)
    // A checkpoint that comes later only has the state once more.
    let isFirst = !isDone && event.leadsToState
    if isFirst { isDone = true }
    let isTouched = isFirst && boundaries.kind != .start && watch.isTouched(by: event)
    let before = isTouched ? watch.items(in: cursor.state) : []
    // A change that does not fit leaves the state unknown.
    try? cursor.apply()
    guard isTouched else { return begins }
    let changes = watch.changes(from: before, to: watch.items(in: cursor.state), in: cursor.state)
    if !changes.isEmpty { visit(boundaries.id, changes) }
    return begins
  }
}
