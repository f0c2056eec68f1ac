import ActionLog
import ReplayCommands
import ReplayEngine
import Synchronization

/// A host that replays one log after another, and that is started again if its process has ended.
package final class PersistentHost {
  /// A function that makes a replay starter for use by one thread.
  package static let starter: @Sendable () -> CommandContext.ReplayStarter = {
    let host = PersistentHost()
    return { log, options in try host.start(log, options) }
  }

  private var host: HostProcess?
  private var arguments: [String] = []
  private var environment: [String: String] = [:]

  func start(_ log: LogSlice, _ options: ReplayOptions) throws -> any ReplayEventSource {
    try options.checkInterruption()
    if let host, host.isAlive, host.path == options.host, arguments == options.childArguments,
      environment == options.environment
    {
      // The discarded lines belong to the previous log.
      _ = host.drainOutput()
      return try HostReplay(log, on: host, options)
    }
    host = nil
    arguments = options.childArguments
    environment = options.environment
    let host = try HostProcess(
      options.host,
      arguments: arguments,
      environment: environment,
      isPausing: options.pauseBefore != nil
    )
    self.host = host
    return try HostReplay(log, on: host, options)
  }
}
