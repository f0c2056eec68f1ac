import ReplayDebugger

/// The chain of causes of the current step, as stack frames: the step, the action that sent it, the one that sent that.
///
/// It is followed as far as a client asks, for a chain may be as long as the log.
struct FrameTable {
  /// A frame.
  struct KnownFrame {
    let id: Int
    let step: LogStep
    /// The step that it led to; `nil` for the current one.
    let sent: LogStep?
  }

  private var frames: [KnownFrame] = []
  private var isWhole = false
  private var lastID = 0

  /// Frames that a client gets at once.
  private static let most = 1000

  init() {}

  /// Begins a chain; the ids of another one are known no more.
  mutating func reset(_ step: LogStep) {
    frames = []
    isWhole = false
    append(step)
  }

  private mutating func append(_ step: LogStep) {
    lastID += 1
    frames.append(KnownFrame(id: lastID, step: step, sent: frames.last?.step))
  }

  /// Some of the frames.
  ///
  /// - Parameters:
  ///   - start: The first one.
  ///   - limit: How many; `nil` for all.
  ///   - log: The log.
  /// - Returns: The frames; and how many there are, or one more than are known when there are more.
  /// - Throws: `LogReadError`.
  mutating func frames(
    from start: Int,
    limit: Int?,
    in log: DebuggedLog
  ) throws -> (frames: ArraySlice<KnownFrame>, total: Int) {
    let limit = min(limit ?? Self.most, Self.most)
    while !isWhole, frames.count < start || frames.count - start < limit {
      try appendCause(in: log)
    }
    // Whether there is another one decides what clients show below the last one.
    if !isWhole { try appendCause(in: log) }
    let first = min(start, frames.count)
    let wanted = frames[first..<min(frames.count, first + limit)]
    return (wanted, isWhole ? frames.count : max(frames.count, wanted.endIndex + 1))
  }

  private mutating func appendCause(in log: DebuggedLog) throws {
    guard let last = frames.last, let cause = last.step.cause, let step = try log.step(at: cause)
    else {
      isWhole = true
      return
    }
    append(step)
  }

  /// A frame by its id.
  ///
  /// - Throws: `RequestError.noSuchFrame`.
  func frame(_ id: Int) throws(RequestError) -> KnownFrame {
    guard let first = frames.first?.id, id >= first, id - first < frames.count else {
      throw .noSuchFrame(id)
    }
    return frames[id - first]
  }
}
