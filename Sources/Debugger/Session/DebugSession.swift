import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// A walk through a log, forth and back, which stands after one step.
///
/// ```swift
/// let session = try DebugSession(log)
/// try session.addBreakpoint(.action(ActionPattern(parsing: ".saved")), text: ".saved")
/// let stop = try session.resume()      // stop.reason == .breakpoint, stop.hits[0].number == 1
/// try session.reverseStep()
/// session.current.after                // the state there
/// ```
///
/// Each way stops early at a breakpoint. Going back stops after the same steps as going forth.
package final class DebugSession {
  package let log: DebuggedLog
  /// The step after which it stands.
  package private(set) var current: LogStep { didSet { frame = Frame(depth: 0, step: current) } }
  /// The step that is looked at: the current one, or one of its causes.
  package private(set) var frame: Frame
  /// The breakpoints and watched places, by their numbers.
  package private(set) var breakpoints: [Breakpoint] = []
  /// Asked on long ways: whether to stop where it is.
  package var isInterrupted: () -> Bool = { false }
  /// Told on long ways which step was reached.
  package var didReach: (StepID) -> Void = { _ in }
  /// Told which logpoint was met.
  package var didLog: (Stop.Hit) -> Void = { _ in }
  private var lastNumber = 0

  /// Begins at the start of a log.
  ///
  /// - Throws: `LogReadError`, `CommandError.noState`.
  package init(_ log: DebuggedLog) throws {
    guard let first = try log.first() else { throw CommandError.noState(log.slice.name) }
    self.log = log
    current = first
    frame = Frame(depth: 0, step: first)
  }

  /// Begins at the start of another log, with the breakpoints of a session.
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

  /// Whether a long way ends at a step that it has reached.
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

  /// Goes from step to step until a breakpoint, the end of the way, or a step that is asked for.
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
      // The line of the step where it stops says by itself what is missing before it.
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

  /// Why there is no step after the current one.
  private func endReason() throws(LogReadError) -> Stop.Reason {
    try log.damage(after: current.id) == nil ? .end : .damaged
  }

  private func stop(_ reason: Stop.Reason) -> Stop { Stop(reason: reason, hits: [], step: current) }

  /// The breakpoints that stop at the current step; each that is met is counted, and each logpoint reported.
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

// MARK: - Ways

extension DebugSession {
  /// Goes to the next step, or some steps on.
  @discardableResult
  package func step(_ count: Int = 1) throws -> Stop { try walk(.forth, count) }

  /// Goes to the step before, or some steps back.
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

  /// Goes on to a breakpoint, or to the end.
  @discardableResult
  package func resume() throws -> Stop { try go(.forth) { _ in nil } }

  /// Goes back to a breakpoint, or to the start.
  @discardableResult
  package func reverseResume() throws -> Stop { try go(.back) { _ in nil } }

  /// Goes on to a step at which a target stops, or to a breakpoint on the way.
  @discardableResult
  package func resume(until target: Breakpoint.Target) throws -> Stop {
    let end = Breakpoint(number: 0, target, text: "")
    return try go(.forth) { end.hit(at: $0) == nil ? nil : .arrived }
  }

  /// Goes on to a step, or to a breakpoint on the way.
  @discardableResult
  package func resume(until id: StepID) throws -> Stop {
    try go(.forth) { $0.id >= id ? .arrived : nil }
  }

  /// Goes on to the first step at a time or after it, or to a breakpoint on the way.
  @discardableResult
  package func resume(until time: RelativeTime) throws -> Stop {
    try go(.forth) { $0.at.map { $0 >= time.microseconds } ?? false ? .arrived : nil }
  }

  /// Goes to the next step for which a condition holds, whatever is on the way.
  ///
  /// - Returns: The stop; `nil` when there is no such step, and then the session stays where it was.
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

  /// Goes some steps on, or back where the number is negative, whatever is on the way.
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

  /// Goes over everything that the current action caused: to the next step whose chain of causes does not lead to it.
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

  /// Goes back over an action with everything that it caused: to a step from which `next()` leads here.
  @discardableResult
  package func reverseNext() throws -> Stop {
    guard let target = try nextBack() else { return stop(.start) }
    return try go(.back) { $0.id <= target ? .step : nil }
  }

  private func nextBack() throws -> StepID? {
    guard var target = try log.step(before: current.id) else { return nil }
    let causes = try Set(senders(of: current, most: .max).map(\.seq))
    // Up to an action that caused all there is between it and this one, but not this one itself.
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

  /// Goes on until no effect is alive that the current action started, nor one that these have led to.
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

  /// The last step of the wave that was sent while the current action was handled; the current one when nothing was.
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

  /// Steps after an action among which one is looked for that was sent while the action was handled.
  private static let longestWave = 256

  /// Goes back to the action that sent the current one.
  ///
  /// - Returns: The stop; `nil` when no action of the log sent it.
  @discardableResult
  package func reverseFinish() throws -> Stop? {
    guard let cause = current.cause, try log.step(at: cause) != nil else { return nil }
    return try go(.back) { $0.id <= StepID(seq: cause) ? .step : nil }
  }

  /// Goes to a step, whatever is on the way.
  ///
  /// - Throws: `CommandError.noSuchAction`, `DebugError.noChangeFromOutside`, `LogReadError`.
  @discardableResult
  package func go(to id: StepID) throws -> Stop {
    guard let step = try log.step(at: id) else { throw try noStep(id) }
    current = step
    return stop(.arrived)
  }

  /// Why the log does not have a step.
  func noStep(_ id: StepID) throws -> any Error {
    if id.part > 0, let step = try log.step(before: StepID(seq: id.seq + 1)), step.seq == id.seq {
      return DebugError.noChangeFromOutside(id, last: step.id.part)
    }
    let last = try log.last()?.seq ?? 0
    if id.seq > last, let damage = log.damage { return damage }
    return CommandError.noSuchAction(id.seq, last: last)
  }

  /// Goes to the last step at a time, whatever is on the way.
  @discardableResult
  package func go(to time: RelativeTime) throws -> Stop {
    if let step = try log.step(atTime: time.lastMicrosecond) { current = step }
    return stop(.arrived)
  }

  /// Goes to the end of the log, whatever is on the way.
  @discardableResult
  package func goToEnd() throws -> Stop {
    if let step = try log.last() { current = step }
    return stop(try endReason())
  }

  /// Goes to the start of the log, whatever is on the way.
  @discardableResult
  package func goToStart() throws -> Stop {
    if let step = try log.first() { current = step }
    return stop(.start)
  }
}

// MARK: - Frames

extension DebugSession {
  /// A step of the chain of causes that leads to the current one.
  package struct Frame {
    /// How many causes lie between the step and the current one: 0 for the current one itself.
    package let depth: Int
    package let step: LogStep
  }

  /// Looks at a step of the chain of causes; the session stays where it is.
  ///
  /// - Parameter depth: The number of the frame, as `where` shows it.
  /// - Throws: `DebugError.noFrame`, `LogReadError`.
  package func select(depth: Int) throws {
    let chain = try causes(of: current, most: depth + 1)
    guard depth < chain.count else { throw DebugError.noFrame(depth, last: chain.count - 1) }
    frame = Frame(depth: depth, step: chain[depth])
  }

  /// Looks at a cause of the step that is looked at.
  ///
  /// - Parameter count: How many causes further; where there are fewer, at the last one.
  /// - Throws: `DebugError.noSender` where the step has no cause, `LogReadError`.
  package func selectCause(_ count: Int) throws {
    let chain = try causes(of: frame.step, most: count + 1)
    guard chain.count > 1 else { throw DebugError.noSender(frame.step.id, frame.step.origin) }
    frame = Frame(depth: frame.depth + chain.count - 1, step: chain[chain.count - 1])
  }

  /// Looks at what the step that is looked at has led to, on the way to the current one.
  ///
  /// - Parameter count: How many steps nearer to the current one, which is the last.
  /// - Throws: `DebugError.isCurrentFrame` at the current step, `LogReadError`.
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
  ///   - target: What it stops at.
  ///   - text: What it is, as it was typed.
  ///   - isTemporary: Whether it is deleted when it stops the session.
  ///   - condition: What also has to hold.
  ///   - message: What to report in place of stopping; `nil` to stop.
  /// - Returns: The breakpoint with its number.
  @discardableResult
  package func addBreakpoint(
    _ target: Breakpoint.Target,
    text: String,
    isTemporary: Bool = false,
    condition: (text: String, condition: Condition)? = nil,
    message: LogMessage? = nil
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
  /// - Returns: Whether there is one with this number.
  @discardableResult
  package func changeBreakpoint(_ number: Int, _ change: (inout Breakpoint) -> Void) -> Bool {
    guard let index = breakpoints.firstIndex(where: { $0.number == number }) else { return false }
    change(&breakpoints[index])
    return true
  }

  /// Deletes a breakpoint.
  ///
  /// - Returns: Whether there was one with this number.
  @discardableResult
  package func deleteBreakpoint(_ number: Int) -> Bool {
    let count = breakpoints.count
    breakpoints.removeAll { $0.number == number }
    return breakpoints.count < count
  }

  /// Deletes all breakpoints.
  package func deleteBreakpoints() { breakpoints = [] }
}
