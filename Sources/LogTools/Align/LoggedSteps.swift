import ActionLog

/// Groups the events of a log into steps.
///
/// A step is an action with its reads, findings, and change, or a single other event, such as an effect event.
struct LoggedSteps {
  /// An event with the events that belong to it.
  struct LoggedStep {
    let event: LogEvent
    /// The event with the step's state change, or `nil` if the log lacks the change of an action.
    ///
    /// For steps other than actions, this is `event`.
    var update: LogEvent?
    var reads: [LogEvent.Read] = []
    var findings: [LogEvent.Finding] = []

    init(_ event: LogEvent, findings: [LogEvent.Finding] = []) {
      self.event = event
      self.findings = findings
      if !event.isAction { update = event }
    }

    /// The state change and the effects that started with it, or `nil` if the log lacks it or the step can't have one.
    var change: LogEvent.StateChange? { update?.stateChange }

    /// The action number that the event contains, or `nil` if it contains none.
    var seq: Int? { event.seq }
  }

  enum StepOrCheckpoint {
    case step(LoggedStep)
    case checkpoint(LogEvent.Checkpoint)
  }

  private let source: LogComparison.Events
  /// The current action, whose change has not been read yet.
  private var open: LoggedStep?
  /// The index in `waiting` at which the open action is inserted.
  private var openIndex = 0
  /// The items that have been read, of which those before `position` have been returned.
  private var waiting: [StepOrCheckpoint] = []
  private var position = 0
  private var findings: [LogEvent.Finding] = []
  private var isAtEnd = false
  private(set) var header: LogEvent.Header?
  /// The `end` event, or `nil` if the log was cut off.
  private(set) var end: LogEvent.End?
  /// The number of events whose kinds this version does not know.
  private(set) var unknown = 0

  init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// Returns the next step or checkpoint, or `nil` after the last one.
  ///
  /// Effect events that occur during an action follow it.
  mutating func next() throws -> StepOrCheckpoint? {
    while true {
      if position < (open == nil ? waiting.count : openIndex) {
        defer { position += 1 }
        return waiting[position]
      }
      if position > 0, position == waiting.count { (waiting, position, openIndex) = ([], 0, 0) }
      guard !isAtEnd else { return nil }
      guard let event = try source() else {
        isAtEnd = true
        close()
        continue
      }
      receive(event)
    }
  }

  private mutating func receive(_ event: LogEvent) {
    switch event {
    case .header(let header): self.header = header
    case .checkpoint(let checkpoint): waiting.append(.checkpoint(checkpoint))
    case .action:
      close()
      (open, openIndex) = (LoggedStep(event, findings: consumeFindings()), waiting.count)
    case .read(let read):
      if open?.seq == read.seq { open?.reads.append(read) }
    case .change(let change):
      guard open?.seq == change.seq else { break }
      open?.update = event
      let found = consumeFindings()
      open?.findings += found
      close()
    case .effect: waiting.append(.step(LoggedStep(event, findings: consumeFindings())))
    case .external, .excluded, .gap:
      close()
      waiting.append(.step(LoggedStep(event, findings: consumeFindings())))
    case .finding(let finding): findings.append(finding)
    case .end(let end):
      close()
      self.end = end
    case .unknown: unknown += 1
    // Notes and calls are informational. A withheld event is ignored, because the action follows with its change.
    case .withheld, .call, .note: break
    }
  }

  private mutating func consumeFindings() -> [LogEvent.Finding] {
    defer { findings = [] }
    return findings
  }

  /// Inserts the open action before the items that were read after it.
  private mutating func close() {
    guard let step = open else { return }
    open = nil
    waiting.insert(.step(step), at: openIndex)
  }
}

extension LogEvent {
  var isAction: Bool { if case .action = self { true } else { false } }
}
