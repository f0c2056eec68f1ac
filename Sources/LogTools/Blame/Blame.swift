import ActionLog
import ReplayCommands
import ReplayEngine

/// Finds the actions that last changed the values at a path, from the log alone.
///
/// The ranges of the log are searched backward from the examined action. Memory holds one state and the patches from
/// one range of lines.
package struct Blame {
  package let log: LogSlice
  /// The path to examine, which can match several values in the state.
  package let place: ValuePath
  /// The number of the action after which the value is examined, or `nil` for the last action.
  package let at: Int?
  /// The minimum size of a range in bytes, unless the range ends at a checkpoint.
  private let stretch: Int
  /// The minimum size, in bytes, of a log that is read from a checkpoint instead of from its beginning.
  private let smallestFile: Int
  /// The ranges of the log if the caller has computed them, or `nil`.
  private let known: LogLineRanges?

  /// The default for the minimum size of a range, in bytes.
  package static let usualStretch = 1024 * 1024

  /// Creates a search for the changes that set values.
  ///
  /// - Parameters:
  ///   - log: The log to search.
  ///   - place: The path to examine, which can match several values.
  ///   - at: The number of the action after which the value is examined, or `nil` for the last action.
  ///   - stretch: The minimum size of a range in bytes.
  ///   - smallestFile: The minimum size, in bytes, of a log that is read from a checkpoint instead of from its
  ///     beginning.
  ///   - known: The ranges of the log, or `nil` to compute them. Pass them to search the same log several times.
  package init(
    log: LogSlice,
    place: ValuePath,
    at: Int?,
    stretch: Int = Self.usualStretch,
    smallestFile: Int = LogIndex.smallestFile,
    in known: LogLineRanges? = nil
  ) {
    (self.log, self.place, self.at, self.known) = (log, place, at, known)
    (self.stretch, self.smallestFile) = (stretch, smallestFile)
  }

  /// The value at one matching path, and the change that set it.
  package struct Result: Equatable {
    /// The number of the action after which the value was examined.
    package var at: Int
    /// The path to the value in the state after action `at`.
    package var path: JSON.Pointer
    /// The same path in the notation that the user sees, such as `todos[0].title`.
    package var place: String
    /// The value in the state after action `at`.
    package var value: JSON
    /// The change that set the value, or `nil` if the log has no such change.
    ///
    /// Without a change, the value comes from the first checkpoint, or from a checkpoint after a gap.
    package var change: ValueChange?
  }

  /// A change that an action, or another process, made to the examined value.
  package struct ValueChange: Equatable {
    /// The number of the action, or the number of the last action before an external change.
    package var seq: Int
    /// Whether the value was changed outside of an action.
    package var isExternal = false
    /// The path to the value in the state after this change.
    ///
    /// The path can differ from `Result.path`, because later changes can move array elements.
    package var path: JSON.Pointer
    /// The same path in the notation that the user sees, such as `todos[0].title`.
    package var place: String
    package var before: JSON?
    package var after: JSON?
  }

  /// A value whose path is traced backward from the examined state.
  fileprivate struct TracedValue {
    var result: Result
    var location: JSON.ValueLocation
    var isDone = false
  }

  /// Finds the change that last set each value at the path.
  ///
  /// - Returns: A result for each value that the path matches, in the order of the state.
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch` if a patch does not fit, or `CommandError` if the path has no
  ///   value or is ambiguous, or if the action doesn't exist.
  package func run() throws -> [Result] {
    let stretches = try known ?? LogLineRanges(of: log, atLeast: stretch)
    let end = try lookedAt(stretches)
    var searches = try pointers(in: end.state, after: end.seq).map { pointer in
      let result = Result(
        at: end.seq,
        path: pointer,
        place: Notation().pathText(pointer, in: end.state),
        value: end.state[pointer] ?? .null
      )
      return TracedValue(result: result, location: JSON.ValueLocation(pointer, in: end.state))
    }
    let members = Set(searches.map { $0.result.path.tokens.first })
    let root = members.count == 1 ? members.first.flatMap(\.self) : nil
    for index in stretches.indices(through: end.seq).reversed() {
      let (history, hasGap) = try history(
        in: stretches,
        index,
        of: root,
        through: end.line
      )
      for past in history.reversed() {
        for number in searches.indices where !searches[number].isDone {
          try searches[number].goBack(over: past) { location, old in
            try traceWrite(by: past, location, from: old, stretches, index)
          }
        }
      }
      // Changes before the gap are irrelevant, because the state continues from the checkpoint after it.
      if hasGap || searches.allSatisfy(\.isDone) { break }
    }
    return searches.map(\.result)
  }

  private func pointers(in state: JSON, after seq: Int) throws -> [JSON.Pointer] {
    switch place.resolve(in: state) {
    case .found(let pointers): return pointers
    case .ambiguous(_, let ids): throw CommandError.ambiguous(place, ids: ids)
    case .missing:
      let end = UnresolvedPath(place, in: state)?.proposing("\(place)", from: log.places)
      throw CommandError.nothing(at: place, end, seq: seq)
    }
  }

  private func lookedAt(
    _ stretches: LogLineRanges
  ) throws -> (seq: Int, state: JSON, line: Int) {
    let start = stretches.length < smallestFile ? 0 : stretches.checkpoint(before: at ?? .max)
    let events = try stretches.events(from: start)
    var cursor = LogCursor()
    var last: (seq: Int, line: Int)?
    // Holds the state before a gap. The cursor is the only owner of other states, so changes need no copy.
    var lost: JSON?
    var isPast = false
    while let entry = try events() {
      try cursor.move(to: entry.event)
      if case .unknown = entry.event.stateUpdate { lost = cursor.state ?? lost }
      guard entry.event.leadsToState, let seq = cursor.seq else { continue }
      if let at, seq > at {
        isPast = true
        break
      }
      try cursor.apply()
      guard cursor.state != nil else { continue }
      last = (seq, entry.line)
      guard seq == at, !entry.event.isFromOutside else { continue }
      if case .patch = entry.event.stateUpdate { break }
    }
    guard last != nil || isPast else { throw CommandError.noState(log.name) }
    guard let last, let state = cursor.state ?? lost, at == nil || last.seq == at else {
      throw CommandError.noSuchAction(at ?? 0, last: last?.seq ?? 0)
    }
    return (last.seq, state, last.line)
  }

  /// A patch from the log that may affect the traced values.
  fileprivate struct LoggedPatch {
    /// The number of the patch's line in the log.
    let line: Int
    let seq: Int
    let isExternal: Bool
    let patch: JSON.Patch
  }

  /// Returns the patches of a range, from its last gap up to line `last`, and whether the range has a gap.
  ///
  /// Only operations on the member `root`, or on the entire state, are returned. If `root` is `nil`, all operations are
  /// returned.
  private func history(
    in stretches: LogLineRanges,
    _ index: Int,
    of root: String?,
    through last: Int
  ) throws -> (history: [LoggedPatch], hasGap: Bool) {
    var history: [LoggedPatch] = []
    var hasGap = false
    let events = try stretches.events(in: index)
    // Reading stops at `last`, so that a gap after it is not counted.
    while let entry = try events(), entry.line <= last {
      if case .gap = entry.event {
        history = []
        hasGap = true
      }
      guard case .patch(let patch) = entry.event.stateUpdate, let seq = entry.event.seq else {
        continue
      }
      let operations = patch.patch.operations.filter { operation in
        guard let root, let first = operation.path.tokens.first else { return true }
        return first.hasSameBytes(as: root)
      }
      guard !operations.isEmpty else { continue }
      let kept = JSON.Patch(operations)
      history.append(
        LoggedPatch(line: entry.line, seq: seq, isExternal: entry.event.isFromOutside, patch: kept)
      )
    }
    return (history, hasGap)
  }

  /// The effect of a patch on a traced value.
  fileprivate enum WriteOutcome {
    case changed(ValueChange)
    /// The patch wrote an equal value, for example by replacing the container around it.
    ///
    /// - Parameter before: The state before the patch, or `nil` if the patch was not found.
    case same(before: JSON?)
  }

  private func traceWrite(
    by past: LoggedPatch,
    _ location: JSON.ValueLocation,
    from old: JSON.ValueLocation?,
    _ stretches: LogLineRanges,
    _ index: Int
  ) throws -> WriteOutcome {
    let path = location.pointer
    let events = try stretches.events(from: stretches.checkpoint(upTo: index))
    var cursor = LogCursor()
    while let entry = try events(), entry.line <= past.line {
      try cursor.move(to: entry.event)
      guard entry.line == past.line else { continue }
      let stateBefore = cursor.state
      let before = old.flatMap { stateBefore?[$0.pointer] }
      try cursor.apply()
      let after = cursor.state?[path]
      guard before != after else { return .same(before: stateBefore) }
      return .changed(
        ValueChange(
          seq: past.seq,
          isExternal: past.isExternal,
          path: path,
          place: Notation().pathText(path, in: after == nil ? stateBefore : cursor.state),
          before: before,
          after: after
        )
      )
    }
    return .same(before: nil)
  }
}

extension Blame.TracedValue {
  /// Moves the traced location back over a patch, and finishes the search if the patch changed the value.
  fileprivate mutating func goBack(
    over past: Blame.LoggedPatch,
    change: (JSON.ValueLocation, JSON.ValueLocation?) throws -> Blame.WriteOutcome
  ) throws {
    let step = past.patch.origin(of: location)
    var before = step.location
    if step.isTouched {
      switch try change(location, step.location) {
      case .changed(let change):
        result.change = change
        isDone = true
        return
      case .same(let state):
        // The containers on the path may have had other types before the patch, so the location is resolved again.
        if let state { before = before.map { JSON.ValueLocation($0.pointer, in: state) } }
      }
    }
    // Without an earlier location, the value was created here, and the search ends.
    guard let before else {
      isDone = true
      return
    }
    location = before
  }
}

/// The division of a log into ranges of lines.
///
/// A log can be read backward with one range in memory at a time.
package struct LogLineRanges {
  private struct CheckpointedRange {
    let start: LogReader.LineStart
    /// The action number of the checkpoint that starts the range, or `nil` if another event starts it.
    let checkpoint: Int?
  }

  private let log: LogSlice
  private var stretches: [CheckpointedRange] = []
  /// The number of the first line after the log.
  private var end = Int.max
  /// The size of the log in bytes.
  private(set) var length = 0

  /// Divides a log into ranges.
  ///
  /// - Parameters:
  ///   - log: The log to divide.
  ///   - bytes: The minimum size of a range in bytes. A checkpoint starts a new range at any size.
  /// - Throws: `LogReadError`.
  package init(of log: LogSlice, atLeast bytes: Int) throws(LogReadError) {
    self.log = log
    var stretches: [CheckpointedRange] = []
    var end = Int.max
    var length = 0
    try LogReader.scan(log.path) { start, line in
      guard start.offset >= log.start else { return true }
      guard start.offset < log.end ?? .max else {
        end = start.line
        return false
      }
      length = start.offset + line.count - log.start
      let last = stretches.last?.start.offset ?? log.start
      let checkpoint = LogReader.number(in: line, behind: #"{"kind":"checkpoint","seq":"#)
      if checkpoint != nil || start.offset - last >= bytes || stretches.isEmpty {
        stretches.append(CheckpointedRange(start: start, checkpoint: checkpoint))
      }
      return true
    }
    (self.stretches, self.end, self.length) = (stretches, end, length)
  }

  /// Returns the indexes of the ranges that may contain actions up to number `seq`.
  func indices(through seq: Int) -> Range<Int> {
    0..<(stretches.firstIndex { $0.checkpoint.map { $0 > seq } ?? false } ?? stretches.count)
  }

  /// Returns the index of the last range that starts with a checkpoint before action `seq`, or 0 if there is none.
  func checkpoint(before seq: Int) -> Int {
    stretches.lastIndex { $0.checkpoint.map { $0 < seq } ?? false } ?? 0
  }

  /// Returns the index of the last range up to `index` that starts with a checkpoint, or 0 if there is none.
  func checkpoint(upTo index: Int) -> Int {
    stretches[...index].lastIndex { $0.checkpoint != nil } ?? 0
  }

  /// Returns a function that reads the events of one range.
  ///
  /// - Throws: `LogReadError`.
  func events(in index: Int) throws(LogReadError) -> () throws -> LogReader.Entry? {
    let next = index + 1 < stretches.count ? stretches[index + 1].start.line : end
    return try events(from: index, before: next)
  }

  /// Returns a function that reads the events of a range and of all later ranges.
  ///
  /// - Throws: `LogReadError`.
  func events(from index: Int) throws(LogReadError) -> () throws -> LogReader.Entry? {
    try events(from: index, before: end)
  }

  private func events(
    from index: Int,
    before line: Int
  ) throws(LogReadError) -> () throws -> LogReader.Entry? {
    // Reading from the start of the log also validates the header.
    guard index > 0 else {
      let entries = try log.entries()
      return {
        let entry = try entries()
        return entry.flatMap { $0.line < line ? $0 : nil }
      }
    }
    var reader = try LogReader(path: log.path, from: stretches[index].start)
    return {
      let entry = try reader.next()
      return entry.flatMap { $0.line < line ? $0 : nil }
    }
  }
}
