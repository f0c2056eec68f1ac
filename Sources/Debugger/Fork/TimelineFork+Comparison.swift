import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

extension TimelineFork {
  /// Compares the fork with the log from which it was made.
  ///
  /// - Parameters:
  ///   - start: The position in the edited log at which the two logs separate.
  ///   - own: The same position in the fork.
  ///   - removed: The numbers of the actions that edits have dropped or moved.
  /// - Throws: `LogReadError`.
  mutating func compare(
    from start: ForkStart,
    _ own: LogReader.LineStart?,
    removed: Set<Int>
  ) throws {
    var before = FinalStateReader(try start.events(of: base))
    var after = FinalStateReader(try ownEvents(from: own))
    var comparison = LogComparison(recorded: { try before.next() }, replayed: { try after.next() })
    firstDifference = try comparison.run().differences.first?.seq
    if firstDifference != nil {
      var comparison = try AlignedComparison(
        { try start.events(of: base) },
        { try ownEvents(from: own) },
        known: numbers
      )
      let logs = try comparison.run()
      aligned = logs
      // Among equal actions, the edited one is the first difference, even if the order differs elsewhere first.
      let lone = logs.lone.filter(\.isAction).map(\.seq).min()
      firstDifference = [firstDifference, lone].compactMap(\.self).min()
    }
    try before.finish()
    try after.finish()
    try completeLeftOut(start, removed)
    guard trap == nil, let old = before.state, let new = after.state else { return }
    let last = last.fork
    differences = JSON.differences(from: old, to: new).map {
      LogDifference($0, seq: last, cause: .state)
    }
  }

  private func ownEvents(
    from start: LogReader.LineStart?
  ) throws(LogReadError) -> LogComparison.Events {
    guard let start else { return try log.events() }
    var source = try LogEventIterator(log)
    let header = try source.next()?.event
    var reader = try LogReader(path: log.path, from: start)
    var isFirst = true
    return {
      if isFirst {
        isFirst = false
        return header
      }
      let event = try reader.next()?.event
      // A second header belongs to the next log in the file.
      if case .header? = event { return nil }
      return event
    }
  }

  /// Adds the values of dropped actions to `leftOut`, and adds the actions after the end of the fork.
  private mutating func completeLeftOut(_ start: ForkStart, _ removed: Set<Int>) throws {
    let known = Dictionary(leftOut.enumerated().map { ($0.element.seq, $0.offset) }) { first, _ in
      first
    }
    let events = try start.events(of: base)
    while let event = try events() {
      guard case .action(let action) = event else { continue }
      if let index = known[action.seq] {
        // An external change has the number of the action before it.
        if case .changeDoesNotFit = leftOut[index].reason { continue }
        leftOut[index].action = action.action
        // The effect isn't missing, but starts later, because its action has moved.
        if case .effectNeverStarts(let id) = leftOut[index].reason, numbers[id.seq] != nil {
          leftOut[index].reason = .effectNotStarted(id)
        }
      } else if numbers[action.seq] == nil, !removed.contains(action.seq) {
        leftOut.append(OmittedAction(seq: action.seq, action: action.action, reason: .afterEnd))
      }
    }
    leftOut.sort { $0.seq < $1.seq }
  }
}

/// Follows a log to its end, and provides the final state.
private struct FinalStateReader {
  private let events: LogComparison.Events
  private var cursor = LogCursor()

  init(_ events: @escaping LogComparison.Events) { self.events = events }

  var state: JSON? { cursor.state }

  mutating func next() throws -> LogEvent? {
    guard let event = try events() else {
      try? cursor.apply()
      return nil
    }
    try? cursor.move(to: event)
    return event
  }

  mutating func finish() throws {
    while try next() != nil {}
  }
}
