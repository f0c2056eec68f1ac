import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The arguments of `launch` and `attach`: the target to debug, and the options.
struct LaunchConfiguration: Equatable {
  let target: Target
  /// The folder against which relative paths are resolved.
  let folder: String
  /// The initial position of the session.
  ///
  /// If `nil`, a log starts at its beginning and an app at its latest step.
  let start: StartPosition?
  /// Whether the session stops at the initial position instead of running to a breakpoint.
  let stopsOnEntry: Bool
  /// The folders that are searched for the app's sources.
  let sourceFolders: [String]
  /// The executable that replays the log when its history is changed, or `nil` for the default host.
  let host: String?
  /// The feature to use instead of the one in the log.
  let feature: String?
  /// The time limit for one replay by the host, in seconds, or `nil` for the default.
  let timeout: Double?

  /// The source of the log.
  enum Target: Hashable {
    /// The log file at this path.
    case log(String)
    /// The running app whose socket is at this path.
    case app(socket: String)
  }

  /// A position in a log.
  enum StartPosition: Equatable {
    case action(Int)
    case end
  }

  /// Reads the arguments of a request.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of `launch` or `attach`.
  ///   - isAttached: Whether the request is `attach`.
  ///   - folder: The folder against which relative paths are resolved.
  /// - Throws: `RequestError`.
  init(
    _ arguments: RequestArguments,
    isAttached: Bool,
    folder: String
  ) throws(RequestError) {
    let workingFolder = try arguments.string("cwd")
    let folder = workingFolder.map { Self.path($0, in: folder) } ?? folder
    self.folder = folder
    if isAttached {
      guard let socket = try arguments.string("socket"), !socket.isEmpty else { throw .noSocket }
      target = .app(socket: Self.path(socket, in: folder))
    } else {
      let (own, common) = (try arguments.string("log"), try arguments.string("program"))
      guard let log = own ?? common, !log.isEmpty else { throw .noLog }
      target = .log(Self.path(log, in: folder))
    }
    switch arguments["at"] {
    case nil: start = nil
    case .string("end"): start = .end
    case let value?:
      // Some editors can only send strings.
      guard let seq = value.int ?? value.string.flatMap(Int.init), seq >= 0 else {
        throw arguments.error("at", "the number of an action, or \"end\"")
      }
      start = .action(seq)
    }
    stopsOnEntry = try arguments.flag("stopOnEntry") ?? true
    sourceFolders =
      try arguments.strings("sourceFolders")?.map { Self.path($0, in: folder) } ?? [folder]
    let host = try arguments.string("host")
    self.host = host.map { $0.contains("/") ? Self.path($0, in: folder) : $0 }
    feature = try arguments.string("feature")
    timeout = try arguments.number("timeout").map(Double.init)
  }

  /// Returns the options for the replay after an edit of the history.
  ///
  /// - Parameter context: The context of the command.
  /// - Returns: The client's options. Options that the client omits come from the environment.
  /// - Throws: The errors that reading the settings file throws.
  func replayOptions(in context: CommandContext) throws -> ReplayOptions {
    let none = try ParsedArguments([String](), syntax: DapCommand.syntax)
    var options = try context.replayOptions(none)
    options.host = host ?? options.host
    options.feature = feature
    options.timeout = timeout ?? options.timeout
    return options
  }

  /// Expands a path from the client, which can be absolute, relative to the home folder, or relative to a folder.
  static func path(_ path: String, in folder: String) -> String {
    let path = path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
    return path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }
}
