import ActionLog
public import Foundation
import Synchronization

/// Recordings that an app has set up and keeps hold of.
///
/// ```swift
/// let recorder = Recorder(RecorderConfiguration(.ring("flight.jsonl", minutes: 10)))
/// Store(initialState: AppFeature.State()) { AppFeature().recorded(to: recorder) }
///
/// recorder.note("the user asked for help")
/// try recorder.export(to: reportURL)
/// ```
///
/// One recorder can serve several stores and features; each of them has a log of its own.
public final class Recorder: Sendable {
  /// The settings of the recording.
  public let configuration: RecorderConfiguration
  private let sessions = Mutex<[RecordingSession]>([])
  /// How many sessions are kept for `export`, when their stores are gone.
  private static let mostClosed = 16

  /// A recorder that is set up in this way.
  public init(_ configuration: RecorderConfiguration) { self.configuration = configuration }

  /// A recorder that writes to a destination.
  public convenience init(to destination: LogDestination) {
    self.init(RecorderConfiguration(destination))
  }

  /// Takes a session, which writes with the recorder's configuration.
  public func add(_ session: RecordingSession) {
    sessions.withLock { sessions in
      let closed = sessions.filter(\.isClosed)
      let old = closed.dropLast(Self.mostClosed)
      sessions.removeAll { session in old.contains { $0 === session } }
      sessions.append(session)
    }
  }

  /// The sessions that are running, and the last that are not.
  package var all: [RecordingSession] { sessions.withLock { $0 } }
}

extension Recorder {
  /// Hands to the system what waits to be written; with `powerLoss`, it is on the disk then.
  ///
  /// ```swift
  /// // The app goes to the background, and may be ended there.
  /// recorder.flush()
  /// ```
  public func flush() {
    for session in all { session.flush() }
  }

  /// Makes a mark in the logs that are being written.
  ///
  /// - Parameter text: What the mark says.
  public func note(_ text: String) {
    for session in all { session.note(text) }
  }

  /// Copies what has been recorded so far into a file, which is there as a whole or not at all.
  ///
  /// The segments of a ring become one log. The logs of several features follow each other in the file, as they can in any
  /// stream of logs. The recording goes on.
  ///
  /// - Parameter url: The file; one that is there already is replaced.
  /// - Throws: `LogWriteError` when the file cannot be written, what the system says when a log cannot be read back.
  public func export(to url: URL) throws {
    try LogFile.replace(url.path, with: exported())
  }

  /// Returns what has been recorded so far, as `export(to:)` writes it.
  ///
  /// ```swift
  /// let recorder = Recorder(to: .memory(megabytes: 8))
  /// report.attach(try recorder.export(), named: "session.jsonl")
  /// ```
  ///
  /// - Returns: The lines of the logs.
  /// - Throws: What the system says when a log cannot be read back.
  public func export() throws -> Data { Data(try exported()) }

  private func exported() throws -> [UInt8] {
    try all.reduce(into: []) { $0 += try $1.exported() }
  }

  /// The problems that keep the logs from being written now, in words; empty when there are none.
  ///
  /// ```swift
  /// for problem in recorder.problems { print("not recording: \(problem)") }  // not recording: No space left on device
  /// ```
  public var problems: [String] { all.compactMap(\.problem) }

  /// The masks that have matched nothing so far, such as `state /user/emial`: a misspelt one masks nothing.
  ///
  /// ```swift
  /// for mask in recorder.unmatchedMasks { print("nothing matches the mask \(mask)") }
  /// ```
  public var unmatchedMasks: [String] { all.flatMap(\.unmatchedMasks) }
}
