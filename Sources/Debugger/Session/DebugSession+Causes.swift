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
      // What was sent while the action was handled comes before the next action from outside.
      if current.cause == nil { outside += 1 }
      end = current.end
      running = running.filter { end.hasAlive(of: $0) }
      if running.isEmpty, outside > 0 { break }
      passed += 1
      if passed % 64 == 0, isInterrupted() { return (found, true) }
      next = try log.step(after: current.id)
    }
    return (found, false)
  }

  /// The action that last changed the values at a place.
  ///
  /// - Throws: `CommandError` when there is no such value, `LogReadError`.
  package func blame(_ place: Place) throws -> [Blame.Result] {
    try Blame(log: log.slice, place: place, at: current.seq).run()
  }

  /// A change of the values at a place.
  package struct PastChange {
    package let step: LogStep
    package let changes: [PlaceWatch.Change]
  }

  /// Every change of the values at a place, from the start of the log to its end.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - visit: Takes a change; `false` ends the search.
  /// - Throws: `LogReadError`.
  package func forEachChange(of place: Place, _ visit: (PastChange) throws -> Bool) throws {
    let watch = PlaceWatch(place)
    var step = try log.first()
    var passed = 0
    while let current = step {
      let changes = watch.changes(at: current)
      if !changes.isEmpty, try !visit(PastChange(step: current, changes: changes)) { return }
      passed += 1
      if passed % 64 == 0, isInterrupted() { return }
      step = try log.step(after: current.id)
    }
  }
}
