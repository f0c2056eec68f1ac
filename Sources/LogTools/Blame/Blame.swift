import ActionLog
import ReplayCommands
import ReplayEngine

/// Finds the actions that last changed the values at a place, from the log alone.
///
/// It goes back from the action that is looked at, stretch by stretch, and holds the changes of one stretch and one state.
package struct Blame {
  package let log: LogSlice
  /// The place of the value in the state; it may stand for many.
  package let place: ValuePath
  /// The action after which the value is examined; `nil` for the last one.
  package let at: Int?
  /// How many bytes a stretch has at least, unless a checkpoint ends it.
  private let stretch: Int
  /// How many bytes a file has at least of which not all is read.
  private let smallestFile: Int
  /// The stretches of the log, if they are known.
  private let known: LogStretches?

  /// The bytes that a stretch has at least.
  package static let usualStretch = 1024 * 1024

  /// A search.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - place: The place of the value.
  ///   - at: The action after which the value is examined; `nil` for the last one.
  ///   - stretch: The bytes that a stretch has at least.
  ///   - smallestFile: The bytes that a file has at least of which not all is read.
  ///   - known: The stretches of the log, for whoever searches it many times.
  package init(
    log: LogSlice,
    place: ValuePath,
    at: Int?,
    stretch: Int = Self.usualStretch,
    smallestFile: Int = LogIndex.smallestFile,
    in known: LogStretches? = nil
  ) {
    (self.log, self.place, self.at, self.known) = (log, place, at, known)
    (self.stretch, self.smallestFile) = (stretch, smallestFile)
  }

  /// The last change, and the value.
  package struct Result: Equatable {
    /// The action after which the value was examined.
    package var at: Int
    /// Where the value is then.
    package var path: JSON.Pointer
    /// This place as people read it.
    package var place: String
    /// The value there.
    package var value: JSON
    /// The change that set the value; `nil` when the value is that of the first checkpoint.
    package var change: ValueChange?
  }

  /// A change of a value.
  package struct ValueChange: Equatable {
    /// The action; of a change from outside, the last one before it.
    package var seq: Int
    /// Whether something other than an action changed the value.
    package var isExternal = false
    /// Where the value was after the change: elements of arrays move.
    package var path: JSON.Pointer
    /// This place as people read it.
    package var place: String
    package var before: JSON?
    package var after: JSON?
  }

  /// Where a value is, on the way back from where it was found.
  fileprivate struct TracedValue {
    var result: Result
    var location: JSON.Location
    var isDone = false
  }

  /// - Returns: A result for each value that the place stands for, in their order.
  /// - Throws: `CommandError`, `LogReadError`.
  package func run() throws -> [Result] {
    let stretches = try known ?? LogStretches(of: log, atLeast: stretch)
    let end = try lookedAt(stretches)
    var searches = try pointers(in: end.state, after: end.seq).map { pointer in
      let result = Result(
        at: end.seq,
        path: pointer,
        place: Notation().pathText(pointer, in: end.state),
        value: end.state[pointer] ?? .null
      )
      return TracedValue(result: result, location: JSON.Location(pointer, in: end.state))
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
      // Changes before the gap do not matter: the state continues from the checkpoint after it.
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
    _ stretches: LogStretches
  ) throws -> (seq: Int, state: JSON, line: Int) {
    let start = stretches.length < smallestFile ? 0 : stretches.checkpoint(before: at ?? .max)
    let events = try stretches.events(from: start)
    var cursor = LogCursor()
    var last: (seq: Int, line: Int)?
    // The state before a gap, after which there is none. Other states have one owner, so that they change in place.
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

  /// A patch of the log.
  fileprivate struct Past {
    /// The line on which it stands.
    let line: Int
    let seq: Int
    let isExternal: Bool
    let patch: JSON.Patch
  }

  /// The patches of a stretch, up to a line and after its last gap, that affect a member of the state, or all of them.
  private func history(
    in stretches: LogStretches,
    _ index: Int,
    of root: String?,
    through last: Int
  ) throws -> (history: [Past], hasGap: Bool) {
    var history: [Past] = []
    var hasGap = false
    let events = try stretches.events(in: index)
    // Later lines do not count, not even a gap at the beginning of another stretch.
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
        Past(line: entry.line, seq: seq, isExternal: entry.event.isFromOutside, patch: kept)
      )
    }
    return (history, hasGap)
  }

  /// What a patch that wrote to a value, or around it, has made of it.
  fileprivate enum WriteOutcome {
    case changed(ValueChange)
    /// The value is the same before: a whole may be replaced by one that has the same part.
    case same(before: JSON?)
  }

  private func traceWrite(
    by past: Past,
    _ location: JSON.Location,
    from old: JSON.Location?,
    _ stretches: LogStretches,
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
  /// Passes a patch on the way back; the value is the same before, or the patch has changed it.
  fileprivate mutating func goBack(
    over past: Blame.Past,
    change: (JSON.Location, JSON.Location?) throws -> Blame.WriteOutcome
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
        // Containers around it may have been of another kind.
        if let state { before = before.map { JSON.Location($0.pointer, in: state) } }
      }
    }
    // The value is the same before: only its place may be another.
    guard let before else {
      isDone = true
      return
    }
    location = before
  }
}

/// A log cut into stretches of lines, so that it can be read backwards with one of them in memory.
package struct LogStretches {
  private struct CheckpointedStretch {
    let start: LogReader.LineStart
    /// The number of the checkpoint with which it begins.
    let checkpoint: Int?
  }

  private let log: LogSlice
  private var stretches: [CheckpointedStretch] = []
  /// The line after the last one.
  private var end = Int.max
  /// The bytes of the log.
  private(set) var length = 0

  /// Cuts a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - bytes: How long a stretch is at least, unless a checkpoint ends it.
  /// - Throws: `LogReadError`.
  package init(of log: LogSlice, atLeast bytes: Int) throws(LogReadError) {
    self.log = log
    var stretches: [CheckpointedStretch] = []
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
        stretches.append(CheckpointedStretch(start: start, checkpoint: checkpoint))
      }
      return true
    }
    (self.stretches, self.end, self.length) = (stretches, end, length)
  }

  /// The stretches that may hold actions up to one.
  func indices(through seq: Int) -> Range<Int> {
    0..<(stretches.firstIndex { $0.checkpoint.map { $0 > seq } ?? false } ?? stretches.count)
  }

  /// The last stretch that begins with a checkpoint from which an action is reached; 0 when none does.
  func checkpoint(before seq: Int) -> Int {
    stretches.lastIndex { $0.checkpoint.map { $0 < seq } ?? false } ?? 0
  }

  /// The last stretch up to one that begins with a checkpoint; 0 when none does.
  func checkpoint(upTo index: Int) -> Int {
    stretches[...index].lastIndex { $0.checkpoint != nil } ?? 0
  }

  /// The events of a stretch.
  ///
  /// - Throws: `LogReadError`.
  func events(in index: Int) throws(LogReadError) -> () throws -> LogReader.Entry? {
    let next = index + 1 < stretches.count ? stretches[index + 1].start.line : end
    return try events(from: index, before: next)
  }

  /// The events of a stretch and of all after it.
  ///
  /// - Throws: `LogReadError`.
  func events(from index: Int) throws(LogReadError) -> () throws -> LogReader.Entry? {
    try events(from: index, before: end)
  }

  private func events(
    from index: Int,
    before line: Int
  ) throws(LogReadError) -> () throws -> LogReader.Entry? {
    // From the start, the header is checked as well.
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
