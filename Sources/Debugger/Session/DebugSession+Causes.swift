import ActionLog
import LogTools
import ReplayEngine

extension DebugSession {
  /// Returns the causal chain of a step: the step, the action that sent it, and so on back to an action from outside.
  ///
  /// - Parameters:
  ///   - step: The step at which the chain begins.
  ///   - most: The maximum number of steps in the chain.
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

  /// Returns the causal chain of a step without the step itself.
  func senders(of step: LogStep, most: Int) throws -> [LogStep] {
    try Array(causes(of: step, most: most).dropFirst())
  }

  /// Returns the actions that a step has caused, directly or indirectly.
  ///
  /// - Parameters:
  ///   - step: The step whose consequences are found.
  ///   - most: The maximum number of actions to return.
  /// - Returns: The actions in order, each with the number of actions between it and the step in the causal chain, and
  ///   whether there are more.
  /// - Throws: `LogReadError`.
  package func consequences(
    of step: LogStep,
    most: Int = 20
  ) throws -> (steps: [(step: LogStep, depth: Int)], hasMore: Bool) {
    // An external change after an action has no consequences.
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
      // Actions that were sent while the step's action was handled come before the next action from outside.
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

  /// Returns the actions that last changed the values at a path, up to the action with a number.
  ///
  /// - Throws: `CommandError` if the path has no value, or `LogReadError`.
  package func blame(_ place: ValuePath, at seq: Int) throws -> [Blame.Result] {
    try Blame(log: log.slice, place: place, at: seq).run()
  }

  /// Visits each change of the values at a path, from the start of the log to its end.
  ///
  /// The log is read once, and no part of it stays in memory.
  ///
  /// - Parameters:
  ///   - place: The path of the values.
  ///   - visit: A closure that receives the changes of each step.
  /// - Returns: The id of the last visited step if the user has interrupted the search, or `nil` if the search is
  ///   complete.
  /// - Throws: `LogReadError` if the file can't be opened. A later error ends the search.
  package func forEachChange(
    of place: ValuePath,
    _ visit: (StepID, [PathWatch.WatchedChange]) -> Void
  ) throws -> StepID? {
    var search = ValueChangeFinder(place)
    var source = try LogEventIterator(log.slice)
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

/// Finds changes of the values at a path in a stream of events.
private struct ValueChangeFinder {
  private let watch: PathWatch
  private var cursor = LogCursor()
  private var boundaries = StepBoundaryDetector()
  /// Whether the event that leads to the step's state has occurred.
  private var isDone = false

  init(_ place: ValuePath) { watch = PathWatch(place) }

  /// The id of the step to which the last event belongs.
  var id: StepID { boundaries.id }

  /// Processes the next event.
  ///
  /// - Returns: Whether the event begins a step.
  mutating func scan(
    _ event: LogEvent,
    _ visit: (StepID, [PathWatch.WatchedChange]) -> Void
  ) -> Bool {
    let begins = boundaries.advance(event)
    if begins { isDone = false }
    // This can't fail, because every event is applied before the next one.
    try? cursor.move(to: event)
    // A later checkpoint only repeats the state.
    let isFirst = !isDone && event.leadsToState
    if isFirst { isDone = true }
    let isTouched = isFirst && boundaries.kind != .start && watch.isTouched(by: event)
    let before = isTouched ? watch.items(in: cursor.state) : []
    // If a change can't be applied, the state is unknown.
    try? cursor.apply()
    guard isTouched else { return begins }
    let changes = watch.changes(from: before, to: watch.items(in: cursor.state), in: cursor.state)
    if !changes.isEmpty { visit(boundaries.id, changes) }
    return begins
  }
}
