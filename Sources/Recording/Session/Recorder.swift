import ActionLog
public import Foundation
import Synchronization

/// A configured recorder, which an app creates once and retains.
///
/// ```swift
/// let recorder = Recorder(RecorderConfiguration(.ring("flight.jsonl", minutes: 10)))
/// Store(initialState: AppFeature.State()) { AppFeature().recorded(to: recorder) }
///
/// recorder.note("the user asked for help")
/// try recorder.export(to: reportURL)
/// ```
///
/// One recorder can serve several stores and features. Each of them has its own log.
public final class Recorder: Sendable {
  /// The settings that apply to all recordings of this recorder.
  public let configuration: RecorderConfiguration
  private let sessions = Mutex<[RecordingSession]>([])
  /// The maximum number of closed sessions that `export` still includes.
  private static let mostClosed = 16

  /// Creates a recorder with a configuration.
  public init(_ configuration: RecorderConfiguration) { self.configuration = configuration }

  /// Creates a recorder that writes to a destination and uses the defaults for all other settings.
  ///
  /// ```swift
  /// let recorder = Recorder(to: .ring("session.jsonl"))
  /// let store = Store(initialState: AppFeature.State()) { AppFeature().recorded(to: recorder) }
  /// ```
  public convenience init(to destination: LogDestination) {
    self.init(RecorderConfiguration(destination))
  }

  /// Adds a session, which must use the recorder's configuration, so that `export` includes it.
  public func add(_ session: RecordingSession) {
    sessions.withLock { sessions in
      let closed = sessions.filter(\.isClosed)
      let old = closed.dropLast(Self.mostClosed)
      sessions.removeAll { session in old.contains { $0 === session } }
      sessions.append(session)
    }
  }

  /// The running sessions and the most recently closed ones.
  package var all: [RecordingSession] { sessions.withLock { $0 } }
}

extension Recorder {
  /// Passes pending lines to the kernel, and to the disk with `LogDurability.powerLoss`.
  ///
  /// ```swift
  /// // The app goes to the background, and may be ended there.
  /// recorder.flush()
  /// ```
  public func flush() {
    for session in all { session.flush() }
  }

  /// Adds a note to the logs of all running sessions.
  ///
  /// ```swift
  /// recorder.note("the user reported a bug here")
  /// ```
  ///
  /// - Parameter text: The text of the note, in which masks hide secrets.
  public func note(_ text: String) {
    for session in all { session.note(text) }
  }

  /// Writes all recordings so far to a file, atomically.
  ///
  /// ```swift
  /// try recorder.export(to: reportURL)
  /// ```
  ///
  /// The segments of a ring are joined into one log. The logs of several features follow one another in the file, as in
  /// any stream of logs. The recording continues.
  ///
  /// - Parameter url: The URL of the file. An existing file is replaced.
  /// - Throws: `LogWriteError` if the file can't be written, or the system's error if a log can't be read back.
  public func export(to url: URL) throws {
    try LogFile.replace(url.path, with: exported())
  }

  /// Returns all recordings so far, in the format of `export(to:)`.
  ///
  /// ```swift
  /// let recorder = Recorder(to: .memory(megabytes: 8))
  /// report.attach(try recorder.export(), named: "session.jsonl")
  /// ```
  ///
  /// - Returns: The lines of the logs.
  /// - Throws: The system's error if a log can't be read back.
  public func export() throws -> Data { Data(try exported()) }

  private func exported() throws -> [UInt8] {
    try all.reduce(into: []) { $0 += try $1.exported() }
  }

  /// The reasons why logs currently can't be written, or an empty array if all logs are being written.
  ///
  /// ```swift
  /// for problem in recorder.problems { print("not recording: \(problem)") }  // not recording: No space left on device
  /// ```
  public var problems: [String] { all.compactMap(\.problem) }

  /// The masks that have not yet matched a value, such as the misspelled `state /user/emial`.
  ///
  /// ```swift
  /// for mask in recorder.unmatchedMasks { print("nothing matches the mask \(mask)") }
  /// ```
  public var unmatchedMasks: [String] { all.flatMap(\.unmatchedMasks) }
}
