import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayPage
import ReplayPictures
import TCAReplaying

/// An attachment about a log whose replay diverged in a test.
package struct ReplayAttachment: Equatable, Sendable {
  package let name: String
  package let bytes: [UInt8]
}

/// Makes the attachments of a failed `expectReplay`: the log, its page with the replay, and the pictures around the
/// first difference.
@MainActor struct ReplayAttachments {
  private let failed: FailedReplay
  /// Draws a state.
  ///
  /// `nil` if no pictures are attached.
  private let draw: FeatureEntry.Drawing?

  init(_ failed: FailedReplay, draw: FeatureEntry.Drawing?) {
    (self.failed, self.draw) = (failed, draw)
  }

  /// All attachments that can be made.
  ///
  /// An unreadable log gets no page.
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

  /// Compares the log with its replay.
  ///
  /// Returns `nil` if the log needs a migration, because its page then shows no replay.
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

  /// Returns the pictures before and after the action of the first difference, as recorded and as replayed.
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
      // No picture if the code can't read the state, or if the drawing function throws.
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

/// A replay in the test's process.
///
/// A trap of the feature ends that process.
private final class TestReplay: ReplayEventSource {
  private var session: ReplaySession

  init(_ session: ReplaySession) { self.session = session }

  func next() throws -> LogEvent? { try session.next() }
  var hostOutput: [String] { [] }
  func end(isDone: Bool) -> ReplayEnd { .waiting }
}

/// A sink that collects the written bytes in memory.
private final class BytesSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) { self.bytes += bytes }
}

extension LogSlice {
  /// Returns the bytes of this log.
  ///
  /// Its file may contain other logs.
  fileprivate func ownBytes() throws -> [UInt8] {
    let all = try Data(contentsOf: URL(fileURLWithPath: path))
    return Array(all[start..<(end ?? all.count)])
  }
}
