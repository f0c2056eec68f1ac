/// The events of a log as a comparison aligns them.
///
/// Reads are attached to the change of their action, findings to the next event. Events of unknown kinds are left out and
/// counted. A log that stops without an `end` yields a stop. The effects that one action cancels come in the order of their
/// numbers: a store cancels them in the order in which they began, which a checkpoint does not tell.
struct ComparedEvents {
  /// An event, with the reads and findings before it.
  struct Element {
    var content: ComparedItem
    /// The reads of the action, when this is its change.
    var reads: [LogEvent.Read] = []
    var findings: [LogEvent.Finding] = []
  }

  enum ComparedItem {
    case event(LogEvent)
    /// The log stops; an action may be open, without its change.
    case stop(openAction: Int?)
  }

  private let source: LogComparison.Events
  /// The event that comes next, where it was read already; `.some(nil)` at the end.
  private var pushedBack: LogEvent??
  /// The other effects that an action cancelled, the next one last.
  private var cancellations: [Element] = []
  private var openAction: Int?
  /// The reads of the open action so far; cancellations of effects may come between them.
  private var reads: [LogEvent.Read] = []
  private var isInsideLog = false
  private(set) var unknown = 0

  init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// The next element; `nil` after the last log.
  mutating func next() throws -> Element? {
    if let cancellation = cancellations.popLast() { return cancellation }
    var findings: [LogEvent.Finding] = []
    while true {
      let event = try nextEvent()
      switch event {
      case nil,
        .header where isInsideLog:
        guard isInsideLog else { return nil }
        pushedBack = event
        isInsideLog = false
        defer { close() }
        return Element(content: .stop(openAction: openAction), reads: reads, findings: findings)
      case .finding(let finding): findings.append(finding)
      case .unknown: unknown += 1
      // What an action withholds comes with it, and an action that is not there has not been compared.
      // Calls are told for people: a replay runs no effects, so it makes none.
      case .note, .withheld, .call: break
      case .read(let read) where read.seq == openAction: reads.append(read)
      case .effect(let effect)? where effect.canceller != nil:
        try readCancellations(from: effect, findings)
        return cancellations.popLast()
      case let event?:
        return Element(content: .event(event), reads: apply(event), findings: findings)
      }
    }
  }

  private mutating func nextEvent() throws -> LogEvent? {
    guard let event = pushedBack else { return try source() }
    pushedBack = nil
    return event
  }

  /// Reads the cancellations of other effects by the same action.
  private mutating func readCancellations(
    from first: LogEvent.Effect,
    _ findings: [LogEvent.Finding]
  ) throws {
    var effects = [first]
    reading: while true {
      let event = try nextEvent()
      switch event {
      case .effect(let effect)? where effect.canceller == first.canceller: effects.append(effect)
      // Other threads write these, also between the cancellations.
      case .note, .call: break
      case .unknown: unknown += 1
      default:
        pushedBack = .some(event)
        break reading
      }
    }
    effects.sort { ($0.id.seq, $0.id.index) > ($1.id.seq, $1.id.index) }
    cancellations = effects.map { Element(content: .event(.effect($0))) }
    cancellations[effects.count - 1].findings = findings
  }

  /// Updates the state by an event.
  ///
  /// - Returns: The reads of the action, when the event is its change.
  private mutating func apply(_ event: LogEvent) -> [LogEvent.Read] {
    switch event {
    case .header: isInsideLog = true
    case .end: isInsideLog = false
    case .action(let action):
      close()
      openAction = action.seq
    case .change(let change) where change.seq == openAction:
      defer { close() }
      return reads
    default: break
    }
    return []
  }

  private mutating func close() {
    openAction = nil
    reads = []
  }
}

extension ComparedEvents.Element {
  var isHeader: Bool {
    if case .event(.header) = content { true } else { false }
  }

  /// Whether the replay continues here from the recorded state.
  var isResynced: Bool { findings.contains { $0.code == .resynced } }

  var isStop: Bool {
    if case .stop = content { true } else { false }
  }

  /// Whether this event of the recording corresponds to one of the replay.
  func isSame(as other: ComparedEvents.Element) -> Bool {
    switch (content, other.content) {
    case (.event(.effect(let old)), .event(.effect(let new))):
      old.id == new.id && old.event == new.event
    case (.event(let old), .event(let new)): old.kind == new.kind && old.seq == new.seq
    case (.stop, .stop): true
    default: false
    }
  }
}

extension ComparedEvents.ComparedItem {
  func isChange(of seq: Int?) -> Bool {
    if case .event(.change(let change)) = self { change.seq == seq } else { false }
  }
}
