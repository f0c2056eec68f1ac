import ActionLog
import LogTools
import ReplayEngine

/// Provides random access to the steps of a log.
///
/// ```swift
/// let log = try DebuggedLog(slice, cache: context.cacheFolder)
/// let step = try log.step(at: StepID(seq: 12))
/// step?.after            // the state after action 12
/// step?.alive            // the effects that are running then
/// try log.step(before: StepID(seq: 12))
/// ```
///
/// Reading starts at the checkpoint before the requested step. A few stretches of the log stay in memory. In long
/// stretches without checkpoints, intermediate states are additional starting points.
package final class DebuggedLog {
  package let slice: LogSlice
  package let header: LogEvent.Header
  private let limits: LogStretch.Limits
  /// The positions from which reading can start, in order.
  ///
  /// The first position is the header.
  private var cuts: [LogStretch.SeekPoint]
  /// The first unreadable line found so far, or `nil` if there is none.
  ///
  /// No step after this line can be reached.
  package private(set) var damage: LogReadError?
  /// The most recently used stretches, ending with the latest.
  private var stretches: [LogStretch] = []

  /// The maximum number of stretches in memory: the current one, the previous one, and two around the current step.
  private static let mostStretches = 4
  /// The maximum number of starting points without a checkpoint, each of which holds a state.
  ///
  /// If there are more, every second one is dropped.
  private static let mostCuts = 128

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - slice: The log to open.
  ///   - cache: The folder for the indexes of large files, or `nil` to use no indexes.
  /// - Throws: `LogReadError`.
  package convenience init(_ slice: LogSlice, cache: String?) throws(LogReadError) {
    try self.init(slice, cache: cache, limits: LogStretch.Limits())
  }

  init(
    _ slice: LogSlice,
    cache: String?,
    limits: LogStretch.Limits,
    smallestFile: Int = LogIndex.smallestFile
  ) throws(LogReadError) {
    self.slice = slice
    self.limits = limits
    var reader = try LogEventIterator(slice)
    guard let first = try reader.next(), case .header(let header) = first.event else {
      throw .empty
    }
    self.header = header
    let start = LogReader.LineStart(line: slice.firstLine, offset: slice.start)
    cuts = [LogStretch.SeekPoint(after: .beforeAll, start: start, position: nil)]
    let index = try LogIndex.index(
      of: slice.path,
      from: slice.start,
      keptIn: cache,
      smallestFile: smallestFile
    )
    // The first checkpoint is the start of the log.
    for place in index?.places.dropFirst() ?? [] where place.seq > cuts[cuts.count - 1].after.seq {
      let bound = StepID(seq: place.seq, part: .max)
      cuts.append(LogStretch.SeekPoint(after: bound, start: place.start, position: nil))
    }
  }
}

// MARK: - Steps

extension DebuggedLog {
  /// Returns the step with an id, or `nil` if the log has none.
  ///
  /// - Throws: `LogReadError` if the file can no longer be read.
  package func step(at id: StepID) throws(LogReadError) -> LogStep? {
    let stretch = try stretch(around: id)
    let index = stretch.index(of: id)
    return index < stretch.count && stretch.id(at: index) == id ? stretch.step(at: index) : nil
  }

  /// Returns the step of the action with a number, or `nil` if the log has no such action.
  ///
  /// - Throws: `LogReadError` if the file can no longer be read.
  package func step(at seq: Int) throws(LogReadError) -> LogStep? { try step(at: StepID(seq: seq)) }

  /// Returns the first step, which is the start of the log.
  package func first() throws(LogReadError) -> LogStep? { try step(after: .beforeAll) }

  /// Returns the last step.
  package func last() throws(LogReadError) -> LogStep? { try step(before: .afterAll) }

  /// Returns the step after an id, or `nil` at the end of the log.
  package func step(after id: StepID) throws(LogReadError) -> LogStep? {
    var stretch = try stretch(around: id.successor)
    while true {
      let index = stretch.index(of: id.successor)
      if index < stretch.count { return stretch.step(at: index) }
      guard !stretch.isLast else { return nil }
      stretch = try self.stretch(after: stretch)
    }
  }

  /// Returns the step before an id, or `nil` at the start of the log.
  package func step(before id: StepID) throws(LogReadError) -> LogStep? {
    var stretch = try stretch(around: id)
    var index = stretch.index(of: id)
    while index == 0 {
      let last = stretch.after
      guard last > .beforeAll else { return nil }
      stretch = try self.stretch(around: last)
      index = stretch.index(of: last.successor)
    }
    return stretch.step(at: index - 1)
  }

  /// Returns the last step that began at or before a time, or the start if all steps are later.
  ///
  /// The time is in microseconds since the recording began.
  package func step(atTime time: Int) throws(LogReadError) -> LogStep? {
    var low = 0
    var high = cuts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      let start = try self.time(at: cuts[middle])
      if let start, start <= time { low = middle } else { high = middle }
    }
    var found = try step(after: cuts[low].after)
    while let current = found, let next = try step(after: current.id) {
      guard next.at.map({ $0 <= time }) ?? true else { break }
      found = next
    }
    return found
  }

  /// Returns the time at which the first step after a starting point begins, or `nil` if there is none.
  private func time(at cut: LogStretch.SeekPoint) throws(LogReadError) -> Int? {
    var reader = try LogReader(path: slice.path, from: cut.start)
    while let entry = try reader.next() {
      if let beginning = entry.event.beginning { return beginning.at }
    }
    return nil
  }

  /// Returns the unreadable line that ends a search after a step, or `nil` if there is none.
  package func damage(after id: StepID) throws(LogReadError) -> LogReadError? {
    try stretch(around: id).problem
  }

  /// Returns the error that ends the log early, and the incomplete line at the end of the log.
  package func ending() throws(LogReadError) -> (
    problem: LogReadError?, tornTail: LogReader.TornTail?
  ) {
    let stretch = try stretch(around: .afterAll)
    return (stretch.problem, stretch.tornTail)
  }
}

// MARK: - Stretches

extension DebuggedLog {
  /// Returns the stretch that contains an id.
  private func stretch(around id: StepID) throws(LogReadError) -> LogStretch {
    if let known = stretches.lastIndex(where: { $0.after < id && id <= $0.through }) {
      return use(known)
    }
    var stretch = try stretch(from: cut(before: id))
    // If checkpoints are far apart, a stretch can end before the next checkpoint.
    while stretch.through < id, !stretch.isLast { stretch = try self.stretch(after: stretch) }
    return stretch
  }

  private func stretch(after stretch: LogStretch) throws(LogReadError) -> LogStretch {
    if let known = stretches.lastIndex(where: { $0.after == stretch.through }) { return use(known) }
    return try self.stretch(from: stretch.next ?? cut(before: stretch.through.successor))
  }

  private func use(_ index: Int) -> LogStretch {
    let stretch = stretches.remove(at: index)
    stretches.append(stretch)
    return stretch
  }

  private func stretch(from cut: LogStretch.SeekPoint) throws(LogReadError) -> LogStretch {
    let bound = cuts.first { $0.after > cut.after && $0.position == nil }?.after
    let stretch = try LogStretch(slice, from: cut, through: bound, limits: limits)
    if let problem = stretch.problem {
      let isEarlier = damage.map { ($0.line ?? .max) > (problem.line ?? .max) } ?? true
      if isEarlier { damage = problem }
    }
    if let next = stretch.next { insert(next) }
    stretches.append(stretch)
    if stretches.count > Self.mostStretches { stretches.removeFirst() }
    return stretch
  }

  /// Returns the last starting point before a step.
  private func cut(before id: StepID) -> LogStretch.SeekPoint {
    cuts[max(cuts.partitioningIndex { $0.after >= id } - 1, 0)]
  }

  private func insert(_ cut: LogStretch.SeekPoint) {
    let index = cuts.firstIndex { $0.after >= cut.after } ?? cuts.count
    guard index == cuts.count || cuts[index].after != cut.after else { return }
    cuts.insert(cut, at: index)
    guard cuts.count(where: { $0.position != nil }) > Self.mostCuts else { return }
    var isKept = false
    cuts.removeAll { cut in
      guard cut.position != nil else { return false }
      isKept.toggle()
      return !isKept
    }
  }
}
