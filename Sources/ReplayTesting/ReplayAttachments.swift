import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayPage
import ReplayPictures
import TCAReplaying

/// A file about a log that a test has replayed and that was not the same.
package struct ReplayAttachment: Equatable, Sendable {
  package let name: String
  package let bytes: [UInt8]
}

/// Makes what a failed `expectReplay` leaves behind: the log, its page with the replay beside it, and the pictures around the first difference.
@MainActor struct ReplayAttachments {
  private let failed: FailedReplay
  /// Draws a state; `nil` for no pictures.
  private let draw: FeatureEntry.Drawing?

  init(_ failed: FailedReplay, draw: FeatureEntry.Drawing?) {
    (self.failed, self.draw) = (failed, draw)
  }

  /// The files, as many as can be made: a log that cannot be read has no page.
  var all: [ReplayAttachment] {
    let slice = failed.log.slice
    let url = URL(fileURLWithPath: failed.log.name)
    let name = url.deletingPathExtension().lastPathComponent
    var files: [ReplayAttachment] = []
    if let bytes = try? slice.ownBytes() {
      files.append(ReplayAttachment(name: "\(name).jsonl", bytes: bytes))
    }
    let comparison = try? comparison()
    if let log = try? PageLog(slice) {
      let sink = BytesSink()
      let page = LogPage(
        log,
        comparison: comparison,
        program: Program(name: "tca-replay", version: Version.current)
      )
      if (try? page.write(to: sink)) != nil {
        files.append(ReplayAttachment(name: "\(name).html", bytes: sink.bytes))
      }
    }
    return files + pictures(named: name, comparison)
  }

  /// The replay beside the log; `nil` for a log of an older version, which a page shows as it is.
  private func comparison() throws -> PageComparison? {
    let slice = failed.log.slice
    guard let header = try slice.header() else { return nil }
    guard try MigrationPlan(failed.feature).steps(for: header).isEmpty else { return nil }
    var options = ReplayOptions()
    options.comparison = failed.options
    let feature = failed.feature
    return try PageComparison(replaying: slice, options) { log, options in
      TestReplay(
        ReplaySession(
          isResyncing: options.isContinuing,
          ignored: options.comparison.ignored,
          events: try log.events(),
          makeEngine: { _ in try feature.makeEngine() }
        )
      )
    }
  }

  /// The pictures before and after the action of the first difference, as recorded and as replayed.
  private func pictures(named name: String, _ comparison: PageComparison?) -> [ReplayAttachment] {
    guard let draw, let seq = failed.log.verdict?.divergence?.at else { return [] }
    let slice = failed.log.slice
    var files = picture("\(name)-\(seq)-before", slice, seq - 1, draw)
    files += picture("\(name)-\(seq)-recorded", slice, seq, draw)
    try? comparison?.withSlice { replay in
      files += picture("\(name)-\(seq)-replayed", replay, seq, draw)
    }
    return files
  }

  private func picture(
    _ name: String,
    _ log: LogSlice,
    _ seq: Int,
    _ draw: FeatureEntry.Drawing
  ) -> [ReplayAttachment] {
    guard seq >= 0, let header = try? log.header() else { return [] }
    var files: [ReplayAttachment] = []
    try? log.forEachState(in: seq...seq) { seq, state in
      guard let state else { return false }
      let checkpoint = LogEvent.Checkpoint(seq: seq, state: state)
      // A state that the code cannot read, or a function that throws, leaves no picture.
      guard let picture = try? draw(checkpoint, header),
        picture.problem(limit: PictureLimits().bytes) == nil
      else { return false }
      files.append(
        ReplayAttachment(name: "\(name).\(picture.format.rawValue)", bytes: Array(picture.bytes))
      )
      return false
    }
    return files
  }
}

/// A replay in this process, which a trap of the feature ends.
private final class TestReplay: ReplayEventSource {
  private var session: ReplaySession

  init(_ session: ReplaySession) { self.session = session }

  func next() throws -> LogEvent? { try session.next() }
  var hostOutput: [String] { [] }
  func end(isDone: Bool) -> ReplayEnd { .waiting }
}

/// Keeps what is written.
private final class BytesSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) { self.bytes += bytes }
}

extension LogSlice {
  /// The bytes of the log, in a file that may hold others.
  fileprivate func ownBytes() throws -> [UInt8] {
    let all = try Data(contentsOf: URL(fileURLWithPath: path))
    return Array(all[start..<(end ?? all.count)])
  }
}
