import ReplayDebugger

/// The causes of the current step as stack frames: the step, the action that sent it, and so on.
///
/// A cause is looked up only when a client requests its frame, because the chain can have as many steps as the log.
struct FrameTable {
  /// A stack frame.
  struct CauseFrame {
    let id: Int
    let step: LogStep
    /// The step that this frame's step sent, or `nil` for the current step.
    let sent: LogStep?
  }

  private var frames: [CauseFrame] = []
  private var isWhole = false
  private var lastID = 0

  /// The maximum number of frames per response.
  private static let most = 1000

  init() {}

  /// Replaces the chain by the chain of another step.
  ///
  /// The IDs of the previous frames become invalid.
  mutating func reset(_ step: LogStep) {
    frames = []
    isWhole = false
    append(step)
  }

  private mutating func append(_ step: LogStep) {
    lastID += 1
    frames.append(CauseFrame(id: lastID, step: step, sent: frames.last?.step))
  }

  /// Returns a range of frames.
  ///
  /// - Parameters:
  ///   - start: The index of the first frame.
  ///   - limit: The number of frames, or `nil` for all.
  ///   - log: The log in which causes are looked up.
  /// - Returns: The frames and their total number. While the end of the chain is unknown, the total is one more than
  ///   the number of known frames.
  /// - Throws: `LogReadError`.
  mutating func frames(
    from start: Int,
    limit: Int?,
    in log: DebuggedLog
  ) throws -> (frames: ArraySlice<CauseFrame>, total: Int) {
    let limit = min(limit ?? Self.most, Self.most)
    while !isWhole, frames.count < start || frames.count - start < limit {
      try appendCause(in: log)
    }
    // Follows one more cause, because clients show whether further frames exist.
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

  /// Returns a frame by its ID.
  ///
  /// - Throws: `RequestError.noSuchFrame`.
  func frame(_ id: Int) throws(RequestError) -> CauseFrame {
    guard let first = frames.first?.id, id >= first, id - first < frames.count else {
      throw .noSuchFrame(id)
    }
    return frames[id - first]
  }
}
