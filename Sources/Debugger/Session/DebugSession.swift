import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// A debugging session, which moves through a log and stops after a step.
///
/// ```swift
/// let session = try DebugSession(log)
/// try session.addBreakpoint(.action(ActionPattern(parsing: ".saved")), text: ".saved")
/// let stop = try session.resume()      // stop.reason == .breakpoint, stop.hits[0].number == 1
/// try session.reverseStep()
/// session.current.after                // the state after the current step
/// ```
///
/// In both directions, a breakpoint stops the session after the step that it matches.
package final class DebugSession {
  package let log: DebuggedLog
  /// The step after which the session has stopped.
  package private(set) var current: LogStep { didSet { frame = Frame(depth: 0, step: current) } }
  /// The selected step of the causal chain, which is initially the current step.
  package private(set) var frame: Frame
  /// The breakpoints, watchpoints, and logpoints, in the order of their numbers.
  package private(set) var breakpoints: [Breakpoint] = []
  /// A closure that returns whether a long move should stop at the step that it has reached.
  package var isInterrupted: () -> Bool = { false }
  /// A closure that receives the current step during long moves.
  package var didReach: (StepID) -> Void = { _ in }
  /// A closure that receives the matches of logpoints.
  package var didLog: (Stop.Hit) -> Void = { _ in }
  private var lastNumber = 0

  /// Creates a session at the start of a log.
  ///
  /// - Throws: `LogReadError`, `CommandError.noState`.
  package init(_ log: DebuggedLog) throws {
    guard let first = try log.first() else { throw CommandError.noState(log.slice.name) }
    self.log = log
    current = first
    frame = Frame(depth: 0, step: first)
  }

  /// Creates a session at the start of another log, with the breakpoints of an existing session.
  ///
  /// - Throws: `LogReadError`, `CommandError.noState`.
  package convenience init(_ log: DebuggedLog, breakpointsOf other: DebugSession) throws {
    try self.init(log)
    breakpoints = other.breakpoints
    lastNumber = other.lastNumber
    isInterrupted = other.isInterrupted
    didReach = other.didReach
    didLog = other.didLog
  }

  /// Reports progress, and returns whether the user has interrupted the move.
  func isInterrupted(at id: StepID) -> Bool {
    didReach(id)
    return isInterrupted()
  }

  package enum Direction: Sendable { case forth, back }

  private func neighbor(
    of step: LogStep,
    _ direction: Direction
  ) throws(LogReadError) -> LogStep? {
    switch direction {
    case .forth: try log.step(after: step.id)
    case .back: try log.step(before: step.id)
    }
  }

  /// Moves step by step until a breakpoint matches, the closure returns a reason to stop, or the log ends.
  private func go(
    _ direction: Direction,
    passesBreakpoints: Bool = false,
    until isThere: (LogStep) throws -> Stop.Reason?
  ) throws -> Stop {
    var passed = 0
    var missing: [ClosedRange<Int>] = []
    func stop(_ reason: Stop.Reason, _ hits: [Stop.Hit] = []) -> Stop {
      Stop(reason: reason, hits: hits, step: current, passedMissing: missing)
    }
    while let next = try neighbor(of: current, direction) {
      // The line of the step at which the session stops already states which actions are missing before it.
      if passed > 0, let gap = (direction == .forth ? current : next).missing {
        missing.append(gap)
      }
      current = next
      let hits = passesBreakpoints ? [] : meetBreakpoints()
      if !hits.isEmpty { return stop(.breakpoint, hits) }
      if let reason = try isThere(next) { return stop(reason) }
      passed += 1
      if passed % 64 == 0, isInterrupted(at: next.id) { return stop(.interrupted) }
    }
    return stop(direction == .forth ? try endReason() : .start)
  }

  /// Returns the reason why there is no step after the current one.
  private func endReason() throws(LogReadError) -> Stop.Reason {
    try log.damage(after: current.id) == nil ? .end : .damaged
  }

  private func stop(_ reason: Stop.Reason) -> Stop { Stop(reason: reason, hits: [], step: current) }

  /// Counts the breakpoints that match the current step, reports logpoints, and returns the matches that stop.
  private func meetBreakpoints() -> [Stop.Hit] {
    var hits: [Stop.Hit] = []
    for index in breakpoints.indices where breakpoints[index].isEnabled {
      guard let hit = breakpoints[index].hit(at: current) else { continue }
      breakpoints[index].hits += 1
      if breakpoints[index].ignoreCount > 0 {
        breakpoints[index].ignoreCount -= 1
      } else if breakpoints[index].message != nil {
        didLog(hit)
      } else {
        hits.append(hit)
      }
    }
    breakpoints.removeAll { breakpoint in
      breakpoint.isTemporary && hits.contains { $0.number == breakpoint.number }
    }
    return hits
  }
}

// MARK: - Moves

extension DebugSession {
  /// Moves forward by a number of steps.
  @discardableResult
  package func step(_ count: Int = 1) throws -> Stop { try walk(.forth, count) }

  /// Moves back by a number of steps.
  @discardableResult
  package func reverseStep(_ count: Int = 1) throws -> Stop { try walk(.back, count) }

  private func walk(
    _ direction: Direction,
    _ count: Int,
    passesBreakpoints: Bool = false,
    to reason: Stop.Reason = .step
  ) throws -> Stop {
    var left = count
    return try go(direction, passesBreakpoints: passesBreakpoints) { _ in
      left -= 1
      return left > 0 ? nil : reason
    }
  }

  /// Moves forward to a breakpoint or the end.
  @discardableResult
  package func resume() throws -> Stop { try go(.forth) { _ in nil } }

  /// Moves back to a breakpoint or the start.
  @discardableResult
  package func reverseResume() throws -> Stop { try go(.back) { _ in nil } }

  /// Moves forward to a step that matches a target, or to a breakpoint before it.
  @discardableResult
  package func resume(until target: Breakpoint.Target) throws -> Stop {
    let end = Breakpoint(number: 0, target, text: "")
    return try go(.forth) { end.hit(at: $0) == nil ? nil : .arrived }
  }

  /// Moves forward to a step, or to a breakpoint before it.
  @discardableResult
  package func resume(until id: StepID) throws -> Stop {
    try go(.forth) { $0.id >= id ? .arrived : nil }
  }

  /// Moves forward to the first step at or after a time, or to a breakpoint before it.
  @discardableResult
  package func resume(until time: RelativeTime) throws -> Stop {
    try go(.forth) { $0.at.map { $0 >= time.microseconds } ?? false ? .arrived : nil }
  }

  /// Moves to the next step for which a condition holds, ignoring breakpoints.
  ///
  /// - Returns: The stop, or `nil` if there is no such step. In this case, the session doesn't move.
  @discardableResult
  package func search(
    _ direction: Direction,
    where isFound: (LogStep) -> Bool
  ) throws -> Stop? {
    let start = current
    let stop = try go(direction, passesBreakpoints: true) { isFound($0) ? .arrived : nil }
    guard stop.reason != .arrived, stop.reason != .interrupted else { return stop }
    current = start
    return nil
  }

  /// Moves by a number of steps, ignoring breakpoints.
  ///
  /// A negative number moves back.
  @discardableResult
  package func go(by count: Int) throws -> Stop {
    guard count != 0 else { return stop(.arrived) }
    return try walk(
      count < 0 ? .back : .forth,
      Int(clamping: count.magnitude),
      passesBreakpoints: true,
      to: .arrived
    )
  }

  /// Moves forward to the next step that the current action has not caused.
  @discardableResult
  package func next() throws -> Stop {
    guard current.kind != .start, current.kind != .external else { return try step() }
    var caused: Set<Int> = [current.seq]
    return try go(.forth) { step in
      guard let cause = step.cause, caused.contains(cause) else { return .step }
      caused.insert(step.seq)
      return nil
    }
  }

  /// Moves back over an action and its consequences, to a step from which `next()` leads to the current step.
  @discardableResult
  package func reverseNext() throws -> Stop {
    guard let target = try nextBack() else { return stop(.start) }
    return try go(.back) { $0.id <= target ? .step : nil }
  }

  private func nextBack() throws -> StepID? {
    guard var target = try log.step(before: current.id) else { return nil }
    let causes = try Set(senders(of: current, most: .max).map(\.seq))
    // Finds the action that caused all steps between it and the current one, but not the current one.
    while let cause = target.cause, !causes.contains(cause),
      let sender = try log.step(at: cause),
      try causedAll(by: sender, before: current.id)
    {
      target = sender
    }
    return target.id
  }

  private func causedAll(by sender: LogStep, before end: StepID) throws -> Bool {
    var caused: Set<Int> = [sender.seq]
    var step = try log.step(after: sender.id)
    while let current = step, current.id < end {
      guard let cause = current.cause, caused.contains(cause) else { return false }
      caused.insert(current.seq)
      step = try log.step(after: current.id)
    }
    return true
  }

  /// Moves forward until all effects of the current action, and of its consequences, have ended.
  @discardableResult
  package func finish() throws -> Stop {
    var running: Set<Int> = [current.seq]
    func prune(_ step: LogStep) {
      let end = step.end
      running = running.filter { end.hasAlive(of: $0) }
    }
    let start = current
    prune(current)
    var caused: Set<Int> = [current.seq]
    let last = try lastReentrant()
    guard !running.isEmpty || last > start.id else { return stop(.finished) }
    return try go(.forth) { step in
      if let cause = step.cause, caused.contains(cause) {
        caused.insert(step.seq)
        running.insert(step.seq)
      }
      prune(step)
      return running.isEmpty && step.id >= last ? .finished : nil
    }
  }

  /// Returns the last step that was sent while the current action was handled, or the current step if there is none.
  private func lastReentrant() throws -> StepID {
    var last = current.id
    var step = try log.step(after: current.id)
    while let next = step {
      switch next.origin {
      case .reentrant(current.seq): last = next.id
      case .reentrant, .effect: break
      case .view, .parent, nil: return last
      }
      guard next.seq - current.seq < Self.longestWave else { break }
      step = try log.step(after: next.id)
    }
    return last
  }

  /// The maximum number of following actions to search for those that were sent while the current one was handled.
  private static let longestWave = 256

  /// Moves back to the action that sent the current one.
  ///
  /// - Returns: The stop, or `nil` if no action in the log sent the current one.
  @discardableResult
  package func reverseFinish() throws -> Stop? {
    guard let cause = current.cause, try log.step(at: cause) != nil else { return nil }
    return try go(.back) { $0.id <= StepID(seq: cause) ? .step : nil }
  }

  /// Moves to a step, ignoring breakpoints.
  ///
  /// - Throws: `CommandError.noSuchAction`, `DebugError.noChangeFromOutside`, `LogReadError`.
  @discardableResult
  package func go(to id: StepID) throws -> Stop {
    guard let step = try log.step(at: id) else { throw try noStep(id) }
    current = step
    return stop(.arrived)
  }

  /// Returns the error for a step that the log doesn't have.
  func noStep(_ id: StepID) throws -> any Error {
    if id.part > 0, let step = try log.step(before: StepID(seq: id.seq + 1)), step.seq == id.seq {
      return DebugError.noChangeFromOutside(id, last: step.id.part)
    }
    let last = try log.last()?.seq ?? 0
    if id.seq > last, let damage = log.damage { return damage }
    return CommandError.noSuchAction(id.seq, last: last)
  }

  /// Moves to the last step that began at or before a time, ignoring breakpoints.
  @discardableResult
  package func go(to time: RelativeTime) throws -> Stop {
    if let step = try log.step(atTime: time.lastMicrosecond) { current = step }
    return stop(.arrived)
  }

  /// Moves to the end of the log, ignoring breakpoints.
  @discardableResult
  package func goToEnd() throws -> Stop {
    if let step = try log.last() { current = step }
    return stop(try endReason())
  }

  /// Moves to the start of the log, ignoring breakpoints.
  @discardableResult
  package func goToStart() throws -> Stop {
    if let step = try log.first() { current = step }
    return stop(.start)
  }
}

// MARK: - Frames

extension DebugSession {
  /// A step in the causal chain of the current step.
  package struct Frame {
    /// The distance from the current step in the causal chain, which is 0 for the current step itself.
    package let depth: Int
    package let step: LogStep
  }

  /// Selects a step of the causal chain without moving the session.
  ///
  /// - Parameter depth: The number of the frame, as shown by `where`.
  /// - Throws: `DebugError.noFrame`, `LogReadError`.
  package func select(depth: Int) throws {
    let chain = try causes(of: current, most: depth + 1)
    guard depth < chain.count else { throw DebugError.noFrame(depth, last: chain.count - 1) }
    frame = Frame(depth: depth, step: chain[depth])
  }

  /// Selects a cause of the selected step.
  ///
  /// - Parameter count: The number of frames to move up. A larger number than possible selects the last frame.
  /// - Throws: `DebugError.noSender` if the step has no cause, or `LogReadError`.
  package func selectCause(_ count: Int) throws {
    let chain = try causes(of: frame.step, most: count + 1)
    guard chain.count > 1 else { throw DebugError.noSender(frame.step.id, frame.step.origin) }
    frame = Frame(depth: frame.depth + chain.count - 1, step: chain[chain.count - 1])
  }

  /// Selects a consequence of the selected step, toward the current step.
  ///
  /// - Parameter count: The number of frames to move down. A larger number than possible selects the current step.
  /// - Throws: `DebugError.isCurrentFrame` if the current step is already selected, or `LogReadError`.
  package func selectEffect(_ count: Int) throws {
    guard frame.depth > 0 else { throw DebugError.isCurrentFrame(current.id) }
    try select(depth: max(frame.depth - count, 0))
  }
}

// MARK: - Breakpoints

extension DebugSession {
  /// Adds a breakpoint.
  ///
  /// - Parameters:
  ///   - target: The steps that the breakpoint matches.
  ///   - text: The target as the user typed it.
  ///   - isTemporary: Whether to delete the breakpoint at its first stop.
  ///   - condition: A condition that must also hold for a match, or `nil` for none.
  ///   - message: The message to report instead of stopping, or `nil` to stop.
  /// - Returns: The breakpoint with its number.
  @discardableResult
  package func addBreakpoint(
    _ target: Breakpoint.Target,
    text: String,
    isTemporary: Bool = false,
    condition: (text: String, condition: Condition)? = nil,
    message: LogpointMessage? = nil
  ) -> Breakpoint {
    lastNumber += 1
    let breakpoint = Breakpoint(
      number: lastNumber,
      target,
      text: text,
      isTemporary: isTemporary,
      condition: condition,
      message: message
    )
    breakpoints.append(breakpoint)
    return breakpoint
  }

  /// Changes a breakpoint.
  ///
  /// - Returns: Whether a breakpoint has this number.
  @discardableResult
  package func changeBreakpoint(_ number: Int, _ change: (inout Breakpoint) -> Void) -> Bool {
    guard let index = breakpoints.firstIndex(where: { $0.number == number }) else { return false }
    change(&breakpoints[index])
    return true
  }

  /// Deletes a breakpoint.
  ///
  /// - Returns: Whether a breakpoint had this number.
  @discardableResult
  package func deleteBreakpoint(_ number: Int) -> Bool {
    let count = breakpoints.count
    breakpoints.removeAll { $0.number == number }
    return breakpoints.count < count
  }

  package func deleteBreakpoints() { breakpoints = [] }
}
