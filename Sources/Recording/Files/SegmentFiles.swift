import ActionLog
import Foundation
import Synchronization

/// The files of a recording: a single file, or a ring of segments from which the oldest segments are dropped.
final class SegmentFiles: LogStorage {
  let limits: LogDestination.RingLimits?
  private let name: LogFileName
  private let path: String
  private let isSynced: Bool
  private let kept: RecordingRetention
  private let calls: SystemCalls
  private let contents = Mutex(SegmentState())

  private struct SegmentState: Sendable {
    /// The number in the recording's file names, or `nil` before the first file is created.
    var number: Int?
    var files: [File] = []
  }

  private struct File: Sendable {
    let path: String
    let opened: Double
  }

  init(
    _ path: String,
    limits: LogDestination.RingLimits?,
    _ configuration: RecorderConfiguration,
    _ calls: SystemCalls
  ) {
    self.path = FileSink.resolve(path)
    name = LogFileName(self.path)
    self.limits = limits
    isSynced = configuration.durability == .powerLoss
    kept = RecordingRetention(
      sessions: configuration.keptSessions,
      seconds: configuration.keptDays.map { $0 * 86_400 },
      bytes: configuration.keptMegabytes.map { Int(max(0, min($0, 1e9)) * 1_048_576) },
      date: configuration.date
    )
    self.calls = calls
  }

  func open(segment: Int, at now: Double) throws -> any LogSink {
    try contents.withLock { contents in
      let sink =
        limits == nil
        ? try FileSink(creating: path, isSynced: isSynced, calls: calls)
        : try segmentSink(segment, &contents)
      let isFirst = contents.files.isEmpty
      contents.files.append(File(path: sink.path, opened: now))
      if let limits { removeOldSegments(limits, &contents, now) }
      // The new file is empty, so it doesn't count as a recording.
      if isFirst { kept.apply(to: name) }
      return sink
    }
  }

  private func segmentSink(_ segment: Int, _ contents: inout SegmentState) throws -> FileSink {
    if let number = contents.number {
      return try create(segment, of: number)
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: name.folder)) ?? []
    let taken = Set(files.compactMap { name.parse($0)?.number })
    var number = 1
    while true {
      while taken.contains(number) { number += 1 }
      do {
        let sink = try create(segment, of: number)
        contents.number = number
        return sink
      } catch let error as LogWriteError where error.code == EEXIST {
        // Another process has created this file in the meantime, so the next number is tried.
        number += 1
      }
    }
  }

  private func create(_ segment: Int, of number: Int) throws -> FileSink {
    try FileSink(
      creating: name.segment(segment, of: number),
      isNumbered: false,
      isSynced: isSynced,
      calls: calls
    )
  }

  /// Deletes the oldest segments that the capacity doesn't require.
  private func removeOldSegments(
    _ limits: LogDestination.RingLimits,
    _ contents: inout SegmentState,
    _ now: Double
  ) {
    let held = contents.files.map {
      LogDestination.RingSegment(bytes: Self.size($0.path), opened: $0.opened)
    }
    for _ in 0..<limits.surplus(of: held, at: now) { unlink(contents.files.removeFirst().path) }
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  var paths: [String] { contents.withLock { $0.files.map(\.path) } }

  func read() throws -> [[UInt8]] {
    try contents.withLock { contents in
      try contents.files.compactMap { file in
        // Skips segments that another process has deleted.
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
      }
    }
  }
}
