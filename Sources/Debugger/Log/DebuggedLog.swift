import ActionLog
import LogTools
import ReplayEngine

/// The steps of a log, in any order.
///
/// ```swift
/// let log = try DebuggedLog(slice, cache: context.cacheFolder)
/// let step = try log.step(at: StepID(seq: 12))
/// step?.after            // the state after action 12
/// step?.alive            // the effects that are alive then
/// try log.id(before: StepID(seq: 12))
/// ```
///
/// A log is read from the checkpoint before the step that is asked for. A few stretches of it are in memory; where a log has
/// no checkpoints for long, states on the way are kept to begin from.
package final class DebuggedLog {
  /// The log.
  package let slice: LogSlice
  /// The header.
  package let header: LogEvent.Header
  private let limits: LogStretch.Limits
  /// The places from which the log can be read, in order; the first one is its header.
  private var cuts: [LogStretch.Cut]
  /// The first line that was met and that is no event: no step leads over it.
  package private(set) var damage: LogReadError?
  /// The stretches that were used last, the latest at the end.
  private var stretches: [LogStretch] = []

  /// Stretches in memory: where one is, where one was, and one for looking around.
  private static let mostStretches = 4
  /// Places without a checkpoint, each with a state; when there are more, every second one is given up.
  private static let mostCuts = 128

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - slice: The log.
  ///   - cache: The folder for indexes of large files; `nil` for none.
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
    var reader = try LogSource(slice)
    guard let first = try reader.next(), case .header(let header) = first.event else {
      throw .empty
    }
    self.header = header
    let start = LogReader.LineStart(line: slice.firstLine, offset: slice.start)
    cuts = [LogStretch.Cut(after: .beforeAll, start: start, position: nil)]
    let index = try LogIndex.index(
      of: slice.path,
      from: slice.start,
      keptIn: cache,
      smallestFile: smallestFile
    )
    // The first checkpoint is the start of the log.
    for place in index?.places.dropFirst() ?? [] where place.seq > cuts[cuts.count - 1].after.seq {
      let bound = StepID(seq: place.seq, part: .max)
      cuts.append(LogStretch.Cut(after: bound, start: place.start, position: nil))
    }
  }
}

// MARK: - Steps

extension DebuggedLog {
  /// A step; `nil` when the log has none with this id.
  ///
  /// - Throws: `LogReadError` when the file cannot be read any more.
  package func step(at id: StepID) throws(LogReadError) -> LogStep? {
    let stretch = try stretch(around: id)
    let index = stretch.index(of: id)
    return index < stretch.count && stretch.id(at: index) == id ? stretch.step(at: index) : nil
  }

  /// The step of an action; `nil` when the log has no such action.
  ///
  /// - Throws: `LogReadError` when the file cannot be read any more.
  package func step(at seq: Int) throws(LogReadError) -> LogStep? { try step(at: StepID(seq: seq)) }

  /// The first step: the start of the log.
  package func first() throws(LogReadError) -> LogStep? { try step(after: .beforeAll) }

  /// The last step.
  package func last() throws(LogReadError) -> LogStep? { try step(before: .afterAll) }

  /// The step after an id; `nil` at the end.
  package func step(after id: StepID) throws(LogReadError) -> LogStep? {
    var stretch = try stretch(around: id.successor)
    while true {
      let index = stretch.index(of: id.successor)
      if index < stretch.count { return stretch.step(at: index) }
      guard !stretch.isLast else { return nil }
      stretch = try self.stretch(after: stretch)
    }
  }

  /// The step before an id; `nil` at the start.
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

  /// The last step at a time, in microseconds since the start of the recording; the start when all come later.
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

  /// The time of the first event after a cut that has one.
  private func time(at cut: LogStretch.Cut) throws(LogReadError) -> Int? {
    var reader = try LogReader(path: slice.path, from: cut.start)
    while let entry = try reader.next() {
      if let beginning = entry.event.beginning { return beginning.at }
    }
    return nil
  }

  /// The line that is no event, when it keeps a walk from going on after a step.
  package func damage(after id: StepID) throws(LogReadError) -> LogReadError? {
    try stretch(around: id).problem
  }

  /// Why the rest of the log cannot be read, and the incomplete line at its end.
  package func ending() throws(LogReadError) -> (
    problem: LogReadError?, tornTail: LogReader.TornTail?
  ) {
    let stretch = try stretch(around: .afterAll)
    return (stretch.problem, stretch.tornTail)
  }
}

// MARK: - Stretches

extension DebuggedLog {
  /// The stretch in whose bounds an id is.
  private func stretch(around id: StepID) throws(LogReadError) -> LogStretch {
    if let known = stretches.lastIndex(where: { $0.after < id && id <= $0.through }) {
      return use(known)
    }
    var stretch = try stretch(from: cut(before: id))
    // Where there is no checkpoint for long, it ends early.
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

  private func stretch(from cut: LogStretch.Cut) throws(LogReadError) -> LogStretch {
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

  /// The last place from which a step is reached.
  private func cut(before id: StepID) -> LogStretch.Cut {
    cuts[max(cuts.partitioningIndex { $0.after >= id } - 1, 0)]
  }

  private func insert(_ cut: LogStretch.Cut) {
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
