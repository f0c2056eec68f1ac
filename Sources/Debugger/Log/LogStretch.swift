import ActionLog
import LogTools
import ReplayEngine

/// The steps of a contiguous part of a log, in memory.
///
/// Every 64th state and the states around the last requested step are cached. A step back therefore costs as much as a
/// step forward.
final class LogStretch {
  private struct StepRecord {
    let id: StepID
    let kind: LogStep.Kind
    let missing: ClosedRange<Int>?
    var entries: Range<Int>
  }

  /// A position in a log from which reading can start.
  struct SeekPoint {
    /// The id of the last step before the position, or an upper bound for it.
    let after: StepID
    let start: LogReader.LineStart
    /// The state and the effects at the position, or `nil` if the next line is a header or a checkpoint.
    let position: PositionState?
  }

  /// The maximum size of a stretch.
  ///
  /// A stretch with a single step can exceed the limits.
  struct Limits {
    var steps = 4096
    var bytes = 4 * 1024 * 1024
  }

  /// The id of the step before the stretch, or an upper bound for it.
  let after: StepID
  /// The id up to which the stretch contains all steps of the log.
  private(set) var through: StepID
  /// The position after the stretch, or `nil` if the stretch has not reached its maximum size.
  private(set) var next: SeekPoint?
  /// Whether the log ends with the stretch.
  private(set) var isLast = true
  /// The error at which the stretch ends, or `nil` if there was none.
  private(set) var problem: LogReadError?
  /// The incomplete line at the end of the log, or `nil` if all lines are complete.
  private(set) var tornTail: LogReader.TornTail?
  private var records: [StepRecord] = []
  private var entries: [LogReader.Entry] = []
  /// The position before the first step of the stretch.
  private var start = PositionState()
  /// The cached positions before the steps whose index is a multiple of `spacing`.
  private var sparse: [PositionState] = []
  /// The cached positions before the steps of one block, which has `spacing` steps.
  private var recent: (block: Int, positions: [PositionState]) = (-1, [])

  private static let spacing = 64

  /// Reads a stretch.
  ///
  /// - Parameters:
  ///   - log: The log to read.
  ///   - cut: The position at which the stretch starts.
  ///   - bound: The id of the last step to include, or `nil` to read to the end of the log.
  ///   - limits: The maximum size of the stretch.
  /// - Throws: `LogReadError` if the file can't be opened. A later error ends the stretch.
  init(
    _ log: LogSlice,
    from cut: SeekPoint,
    through bound: StepID?,
    limits: Limits
  ) throws(LogReadError) {
    after = cut.after
    through = bound ?? .afterAll
    var reader =
      cut.start.offset == 0
      ? try LogReader(path: log.path) : try LogReader(path: log.path, from: cut.start)
    var boundaries: StepBoundaryDetector
    if let position = cut.position {
      start = position
      boundaries = StepBoundaryDetector(after: cut.after)
    } else if cut.after == .beforeAll {
      boundaries = StepBoundaryDetector()
    } else {
      boundaries = StepBoundaryDetector(after: StepID(seq: cut.after.seq))
    }
    do throws(LogReadError) {
      try read(&reader, log, cut, bound, &boundaries, limits)
    } catch {
      problem = error
      close()
    }
    tornTail = reader.tornTail
  }

  private func read(
    _ reader: inout LogReader,
    _ log: LogSlice,
    _ cut: SeekPoint,
    _ bound: StepID?,
    _ boundaries: inout StepBoundaryDetector,
    _ limits: Limits
  ) throws(LogReadError) {
    var hasHeader = false
    while let entry = try reader.next() {
      if case .header = entry.event {
        // A second header belongs to the next log in the file.
        if hasHeader || cut.after != .beforeAll { break }
        hasHeader = true
      }
      let last = boundaries.id
      if boundaries.advance(entry.event) {
        if let bound, boundaries.id > bound {
          close()
          isLast = false
          return
        }
        let length = entry.start.offset - cut.start.offset
        if !records.isEmpty, records.count >= limits.steps || length >= limits.bytes {
          close()
          isLast = false
          through = last
          next = SeekPoint(
            after: last,
            start: entry.start,
            position: position(before: records.count)
          )
          return
        }
        openStep(boundaries)
      } else if !records.isEmpty,
        boundaries.kind != records[records.count - 1].kind
          || boundaries.id != records[records.count - 1].id
      {
        // The first checkpoint determines the number of the start. An action replaces the placeholder for a withheld
        // one.
        let record = records[records.count - 1]
        records[records.count - 1] = StepRecord(
          id: boundaries.id,
          kind: boundaries.kind,
          missing: record.missing,
          entries: record.entries
        )
      }
      if records.isEmpty {
        start.advance(entry.event)
      } else {
        entries.append(entry)
      }
    }
    close()
  }

  private func openStep(_ boundaries: StepBoundaryDetector) {
    // Events after a checkpoint still belong to the step before it, which is in another stretch.
    guard boundaries.id > after else { return }
    close()
    records.append(
      StepRecord(
        id: boundaries.id,
        kind: boundaries.kind,
        missing: boundaries.missing,
        entries: entries.count..<entries.count
      )
    )
  }

  private func close() {
    guard let last = records.indices.last else { return }
    records[last].entries = records[last].entries.lowerBound..<entries.count
  }
}

// MARK: - Steps

extension LogStretch {
  var count: Int { records.count }

  func id(at index: Int) -> StepID { records[index].id }

  /// Returns the index of the first step at or after an id, or the number of steps if there is none.
  func index(of id: StepID) -> Int { records.partitioningIndex { $0.id >= id } }

  /// Returns the step at an index.
  func step(at index: Int) -> LogStep {
    let record = records[index]
    return LogStep(
      id: record.id,
      kind: record.kind,
      entries: Array(entries[record.entries]),
      missing: record.missing,
      positionBefore: { self.position(before: index) },
      didFollow: { self.store($0, before: index + 1) }
    )
  }

  /// Caches the position before a step, if this position follows the last cached one.
  private func store(_ position: PositionState, before index: Int) {
    let (block, offset) = index.quotientAndRemainder(dividingBy: Self.spacing)
    if recent.block == block, recent.positions.count == offset {
      recent.positions.append(position)
    } else if offset == 0, sparse.count == block {
      sparse.append(position)
    }
  }

  /// Returns the position before a step.
  private func position(before index: Int) -> PositionState {
    let block = index / Self.spacing
    let first = block * Self.spacing
    if recent.block != block {
      let start = position(ofBlock: block)
      recent = (block, [start])
    }
    while recent.positions.count <= index - first {
      var position = recent.positions[recent.positions.count - 1]
      pass(first + recent.positions.count - 1, &position)
      recent.positions.append(position)
    }
    return recent.positions[index - first]
  }

  private func position(ofBlock block: Int) -> PositionState {
    if sparse.isEmpty { sparse = [start] }
    while sparse.count <= block {
      let last = sparse.count - 1
      var position = sparse[last]
      var index = last * Self.spacing
      // The position is often known, because the steps before it were computed last.
      if recent.block == last, let known = recent.positions.last {
        position = known
        index += recent.positions.count - 1
      }
      for index in index..<(last + 1) * Self.spacing { pass(index, &position) }
      sparse.append(position)
    }
    return sparse[block]
  }

  private func pass(_ index: Int, _ position: inout PositionState) {
    for entry in entries[records[index].entries] { position.advance(entry.event) }
  }
}
