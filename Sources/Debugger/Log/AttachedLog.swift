import LogTools
import ReplayCommands
import ReplayEngine

/// The session of a running app as a log, and the app, which a debugger of the log moves.
///
/// ```swift
/// let attached = try AttachedLog(of: AttachedApp(at: "/tmp/app.sock"))
/// let log = try DebuggedLog(attached.slice, cache: nil)
/// try attached.move(with: session)
/// ```
package final class AttachedLog {
  package let app: AttachedApp
  /// The log of the branch that the app was on, up to then.
  package let slice: LogSlice
  private let copy: TemporaryFile

  /// Asks an app for its log.
  ///
  /// - Parameter app: The app.
  /// - Throws: `AttachError`, `LogReadError`, `StreamError`.
  package init(of app: AttachedApp) throws {
    self.app = app
    copy = try TemporaryFile(try app.log())
    guard let slice = try LogSlice.slices(of: copy.path, name: Wording.attachedApp).first else {
      throw LogReadError.empty
    }
    self.slice = slice
  }

  /// The file of the log, as long as this is there.
  package var path: String { copy.path }

  /// Moves the app to where a debugger stands; on a timeline that an edit has made, the app stays where it is.
  ///
  /// - Parameter session: The debugger's walk.
  /// - Throws: `AttachError`.
  @MainActor package func move(with session: DebugSession) throws(AttachError) {
    guard session.log.slice.path == slice.path else { return }
    try app.move(to: session.current.seq)
  }
}
