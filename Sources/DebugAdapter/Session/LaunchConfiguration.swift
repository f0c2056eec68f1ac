import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The arguments of `launch` and `attach`: what to debug, and how.
struct LaunchConfiguration: Equatable {
  let target: Target
  /// The folder for relative paths.
  let folder: String
  /// The position at which the session begins; `nil` for the start of a log, and for the present of an app.
  let start: StartPosition?
  /// Whether it stops there, or goes on to a breakpoint.
  let stopsOnEntry: Bool
  /// The folders in which the app's sources are looked for.
  let sourceFolders: [String]
  /// The executable that replays the log when its history is changed; `nil` for the one that was chosen elsewhere.
  let host: String?
  /// The feature to use, whatever the log says.
  let feature: String?
  /// How many seconds the host has for one replay.
  let timeout: Double?

  /// Where the log comes from, by a path.
  enum Target: Hashable {
    /// The file of a log.
    case log(String)
    /// The socket of a running app.
    case app(socket: String)
  }

  /// A place in a log.
  enum StartPosition: Equatable {
    case action(Int)
    case end
  }

  /// Reads the arguments.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - isAttached: Whether they are those of `attach`.
  ///   - folder: The folder for relative paths.
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
      // Some editors have texts alone.
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

  /// How the history is replayed when it is changed.
  ///
  /// - Parameter context: The environment of the command.
  /// - Returns: The options: those of the environment where a client has given none.
  /// - Throws: The errors of the settings file.
  func replayOptions(in context: CommandContext) throws -> ReplayOptions {
    let none = try ParsedArguments([String](), syntax: DapCommand.syntax)
    var options = try context.replayOptions(none)
    options.host = host ?? options.host
    options.feature = feature
    options.timeout = timeout ?? options.timeout
    return options
  }

  /// A path that a client has given: absolute, in the home folder, or relative to a folder.
  static func path(_ path: String, in folder: String) -> String {
    let path = path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
    return path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }
}
