import ActionLog

/// The events of a log in pieces that are aligned: an action with its reads and its change, an effect event, and so on.
struct LoggedSteps {
  /// A piece of a log.
  struct LoggedStep {
    let event: LogEvent
    /// The event that says what becomes of the state; `nil` for an action within which the log ends.
    var update: LogEvent?
    var reads: [LogEvent.Read] = []
    var findings: [LogEvent.Finding] = []

    init(_ event: LogEvent, findings: [LogEvent.Finding] = []) {
      self.event = event
      self.findings = findings
      if !event.isAction { update = event }
    }

    /// The change of the state, and the effects that began with it.
    var change: LogEvent.StateChange? { update?.stateChange }

    /// The number of the action that the step is, or after which it stands.
    var seq: Int? { event.seq }
  }

  enum Item {
    case step(LoggedStep)
    case checkpoint(LogEvent.Checkpoint)
  }

  private let source: LogComparison.Events
  /// The action whose change has not come yet.
  private var open: LoggedStep?
  /// The index in `waiting` before which that action stands.
  private var openIndex = 0
  /// The items that were read and not returned yet.
  private var waiting: [Item] = []
  private var position = 0
  private var findings: [LogEvent.Finding] = []
  private var isAtEnd = false
  private(set) var header: LogEvent.Header?
  /// The last event of a log that was closed.
  private(set) var end: LogEvent.End?
  /// The number of events of unknown kinds.
  private(set) var unknown = 0

  init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// The next piece; `nil` after the last one.
  mutating func next() throws -> Item? {
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
    // Notes and calls are information for people; a withheld action comes with its change.
    case .withheld, .call, .note: break
    }
  }

  private mutating func consumeFindings() -> [LogEvent.Finding] {
    defer { findings = [] }
    return findings
  }

  /// Puts the open action before what has come since.
  private mutating func close() {
    guard let step = open else { return }
    open = nil
    waiting.insert(.step(step), at: openIndex)
  }
}

extension LogEvent {
  var isAction: Bool { if case .action = self { true } else { false } }
}
