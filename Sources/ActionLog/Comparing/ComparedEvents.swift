/// The events of one or more logs, as the elements that a comparison aligns.
///
/// Attaches reads to the change of their action, and findings to the next event. Skips notes, calls, and withheld
/// actions. Skips and counts events of unknown kinds. Yields a stop where a log ends without an `end` event.
///
/// The cancellations that one action makes are sorted by effect id. A store cancels effects in the order in which they
/// began, and a checkpoint doesn't record that order.
struct ComparedEvents {
  /// An event or a stop, with the reads of its action and the findings before it.
  struct Element {
    var content: EventOrStop
    /// The values that the action read.
    ///
    /// Empty for events other than an action's change. A stop has the values that the open action read.
    var reads: [LogEvent.Read] = []
    var findings: [LogEvent.Finding] = []
  }

  enum EventOrStop {
    case event(LogEvent)
    /// A log that ends without an `end` event.
    ///
    /// - Parameter openAction: The number of the action whose change is missing, or `nil` if no change is missing.
    case stop(openAction: Int?)
  }

  private let source: LogComparison.Events
  /// An event that was read ahead, for the next call of `next()`.
  ///
  /// `.some(nil)` means that the source has no more events.
  private var pushedBack: LogEvent??
  /// The cancellations that were read ahead and that `next()` hasn't returned yet, in reverse order.
  private var cancellations: [Element] = []
  private var openAction: Int?
  /// The values that the open action has read so far.
  private var reads: [LogEvent.Read] = []
  private var isInsideLog = false
  private(set) var unknown = 0

  init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// Returns the next element, or `nil` after the last log of the source.
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
      // A withheld action has no content to compare.
      // Calls are informational: a replay runs no effects and therefore makes no calls.
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

  /// Reads the cancellations by the action that canceled `first`, and stores them in `cancellations`.
  ///
  /// Sorts the cancellations by descending effect id. Skips notes, calls, and unknown events between them.
  private mutating func readCancellations(
    from first: LogEvent.Effect,
    _ findings: [LogEvent.Finding]
  ) throws {
    var effects = [first]
    reading: while true {
      let event = try nextEvent()
      switch event {
      case .effect(let effect)? where effect.canceller == first.canceller: effects.append(effect)
      // Other threads write notes and calls, so these can come between the cancellations.
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

  /// Updates `openAction` and `reads` from an event.
  ///
  /// - Returns: The values that the action read, if the event is the action's change.
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

  /// Whether the replay adopted the recorded state before this event.
  var isResynced: Bool { findings.contains { $0.code == .resynced } }

  var isStop: Bool {
    if case .stop = content { true } else { false }
  }

  /// Whether this element of a recording corresponds to `other`, an element of its replay.
  ///
  /// Two stops correspond. Effect events correspond if they have the same effect and content. Other events correspond
  /// if they have the same kind and action number.
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

extension ComparedEvents.EventOrStop {
  func isChange(of seq: Int?) -> Bool {
    if case .event(.change(let change)) = self { change.seq == seq } else { false }
  }
}
