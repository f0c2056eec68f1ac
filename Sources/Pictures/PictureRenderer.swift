import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Lets a host draw the states of a log.
///
/// Equal states are drawn once.
///
/// ```swift
/// let drawing = PictureRenderer(context, options)
/// let pictures = try drawing.draw(log)
/// ```
package struct PictureRenderer: Sendable {
  /// The selection of actions that get a row.
  package enum RowSelection: String, CaseIterable, Sendable {
    /// All actions.
    case action
    /// Actions that changed the state.
    case change
  }

  private let makeHost: CommandContext.PictureHostMaker
  private let options: ReplayOptions
  package var limits = PictureLimits()
  package var every = RowSelection.action
  package var range: ClosedRange<Int>?
  package var jobs: Int

  package init(_ context: CommandContext, _ options: ReplayOptions) {
    (makeHost, self.options) = (context.makePictureHost, options)
    jobs = context.processors
  }

  /// Draws the states of a log.
  ///
  /// An older log is migrated first.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - folder: The folder for the files.
  /// - Returns: The pictures.
  /// - Throws: `LogReadError`, `HostFailure`, `PictureError`, `StreamError`, `Interrupted`.
  package func draw(_ log: LogSlice, into folder: TemporaryDirectory) throws -> PictureSet {
    try log.migratingIfNeeded(options) { try drawCurrent($0, folder.path) }
  }

  /// Draws one state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - seq: The number of the action after which the log has this state.
  ///   - log: The log.
  ///   - header: The header of the log.
  /// - Returns: The picture, or the reason for its absence.
  /// - Throws: `HostFailure`, `PictureError`, `Interrupted`.
  package func picture(
    of state: JSON,
    at seq: Int,
    in log: LogSlice,
    _ header: LogEvent.Header
  ) throws -> PictureOutcome {
    try makeHost(options).picture(request(state, at: seq, header), of: log)
  }

  private func request(_ state: JSON, at seq: Int, _ header: LogEvent.Header) -> PictureRequest {
    PictureRequest(
      seq: seq,
      state: state,
      header: header,
      feature: options.feature,
      limits: limits
    )
  }

  private func drawCurrent(_ log: LogSlice, _ folder: String) throws -> PictureSet {
    let (rows, states) = try survey(log)
    let workers = max(1, min(jobs, states.count))
    let shares = (0..<workers).map { worker in
      states.enumerated().filter { $0.offset % workers == worker }.map(\.element)
    }
    typealias WorkerResult = Result<[Int: DrawingResult], any Error>
    let work = ParallelWork<WorkerResult>(parts: workers, workers: workers)
    let outputs = work.outputs { [self] _ in
      { part, failure in
        WorkerResult { try draw(shares[part], of: log, folder) { failure.isRequested } }
      }
    }
    var drawn: [Int: DrawingResult] = [:]
    for share in outputs ?? [] { drawn.merge(try share.get()) { first, _ in first } }
    return PictureSet(folder: folder, rows: join(rows, drawn, folder))
  }

  /// A row whose state has not been drawn yet.
  private struct UndrawnRow {
    let action: Int
    var state: String?
    /// The action whose picture the row uses.
    var drawnAt: Int?
    var note: MissingPictureReason?
  }

  private enum DrawingResult: Sendable {
    case picture(PictureSet.Picture)
    case note(MissingPictureReason)
  }

  /// Reads the log once.
  ///
  /// It returns the states of the actions, and the first action of each distinct state.
  private func survey(_ log: LogSlice) throws -> (rows: [UndrawnRow], states: [Int]) {
    var rows: [UndrawnRow] = []
    var states: [Int] = []
    var firsts: [String: Int] = [:]
    var last: String?
    try log.forEachState(in: range) { seq, state in
      guard let state else {
        rows.append(UndrawnRow(action: seq, note: .noState))
        last = nil
        return true
      }
      let digest = FileDigest(state.bytes).digest
      defer { last = digest }
      if every == .change, last == digest { return true }
      var row = UndrawnRow(action: seq, state: digest)
      if let first = firsts[digest] {
        row.drawnAt = first
      } else if states.count < limits.count {
        (firsts[digest], row.drawnAt) = (seq, seq)
        states.append(seq)
      } else {
        row.note = .tooMany(limit: limits.count)
      }
      rows.append(row)
      return true
    }
    return (rows, states)
  }

  /// Draws and writes some of the states.
  private func draw(
    _ actions: [Int],
    of log: LogSlice,
    _ folder: String,
    _ isStopped: () -> Bool
  ) throws -> [Int: DrawingResult] {
    let host = try makeHost(options)
    guard let header = try log.header() else { throw LogReadError.empty }
    var drawn: [Int: DrawingResult] = [:]
    var rest = actions[...]
    try log.forEachState(in: range) { seq, state in
      guard !isStopped(), let next = rest.first else { return false }
      guard seq == next, let state else { return true }
      rest.removeFirst()
      switch try host.picture(request(state, at: seq, header), of: log) {
      case .note(let note): drawn[seq] = .note(note)
      case .picture(let picture):
        let name = "\(seq).\(picture.format.rawValue)"
        let bytes = picture.bytes
        let file = try AtomicFile("\(folder)/\(name)")
        try file.write(bytes)
        try file.finish()
        drawn[seq] = .picture(
          PictureSet.Picture(
            file: name,
            digest: FileDigest(bytes).digest,
            format: picture.format,
            width: picture.width,
            height: picture.height,
            description: picture.description
          )
        )
      }
      return true
    }
    return drawn
  }

  /// Assigns pictures to rows, and keeps the first of equal files.
  private func join(
    _ rows: [UndrawnRow],
    _ drawn: [Int: DrawingResult],
    _ folder: String
  ) -> [PictureSet.Row] {
    var files: [String: String] = [:]
    var removed = Set<String>()
    return rows.map { sketch in
      var row = PictureSet.Row(action: sketch.action, state: sketch.state, note: sketch.note)
      switch sketch.drawnAt.flatMap({ drawn[$0] }) {
      case nil: break
      case .note(let note): row.note = note
      case .picture(var picture):
        let key = "\(picture.digest) \(picture.format)"
        if let first = files[key], first != picture.file {
          if removed.insert(picture.file).inserted { unlink("\(folder)/\(picture.file)") }
          picture.file = first
        } else {
          files[key] = picture.file
        }
        row.picture = picture
      }
      return row
    }
  }
}

extension LogSlice {
  /// Calls a closure with the state after each action of a range.
  ///
  /// - Parameters:
  ///   - range: The actions; `nil` for all.
  ///   - body: Receives an action and the state after it, and returns whether to continue.
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch`, and the error of `body`.
  package func forEachState(
    in range: ClosedRange<Int>? = nil,
    _ body: (_ seq: Int, _ state: JSON?) throws -> Bool
  ) throws {
    let events = try events()
    var cursor = LogCursor()
    var last = -1
    while let event = try events() {
      try cursor.move(to: event)
      try cursor.apply()
      guard let seq = event.finishedSeq, seq > last else { continue }
      last = seq
      if let range, seq > range.upperBound { return }
      guard range?.contains(seq) ?? true else { continue }
      guard try body(seq, cursor.state) else { return }
    }
  }
}
