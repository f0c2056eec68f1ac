import LogTools
import ReplayCommands
import ReplayEngine

/// The log of a running app, and the connection through which a debugger moves the app.
///
/// ```swift
/// let attached = try AttachedLog(of: AttachedApp(at: "/tmp/app.sock"))
/// let log = try DebuggedLog(attached.slice, cache: nil)
/// try attached.move(with: session)
/// ```
package final class AttachedLog {
  package let app: AttachedApp
  /// The log of the app's branch at the time of the request.
  package let slice: LogSlice
  private let copy: TemporaryFile

  /// Requests the log of an app.
  ///
  /// - Parameter app: The connection to the app.
  /// - Throws: `AttachError`, `LogReadError`, `StreamError`.
  package init(of app: AttachedApp) throws {
    self.app = app
    copy = try TemporaryFile(try app.log())
    guard let slice = try LogSlice.slices(of: copy.path, name: Wording.attachedApp).first else {
      throw LogReadError.empty
    }
    self.slice = slice
  }

  /// The path of the log file, which exists as long as this object.
  package var path: String { copy.path }

  /// Moves the app to the current step of a debugger.
  ///
  /// If the debugger shows an edited timeline, the app doesn't move.
  ///
  /// - Parameter session: The session whose current step the app shows.
  /// - Throws: `AttachError`.
  @MainActor package func move(with session: DebugSession) throws(AttachError) {
    guard session.log.slice.path == slice.path else { return }
    try app.move(to: session.current.seq)
  }
}
