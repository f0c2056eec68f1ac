import ActionLog
import ReplayCommands
import ReplayEngine
import Synchronization

/// A pool of hosts that can replay again.
///
/// For each set of options, the pool grows to the largest number of concurrent replays.
package final class HostPool: Sendable {
  /// A replay starter that is not in use.
  ///
  /// A starter is either in the pool or with one borrower, so only one thread at a time uses it. The compiler can't
  /// verify this.
  private struct IdleStarter: @unchecked Sendable {
    let start: CommandContext.ReplayStarter
  }

  /// The options with which a host was started.
  ///
  /// A host replays only for the same options.
  private struct StartConfiguration: Hashable {
    let host: String
    let arguments: [String]
    let environment: [String: String]
  }

  private let idle = Mutex<[StartConfiguration: [IdleStarter]]>([:])
  private let make: @Sendable () -> CommandContext.ReplayStarter

  private let interruption: Interruption

  package init(
    _ make: @escaping @Sendable () -> CommandContext.ReplayStarter,
    interruption: Interruption = Interruption()
  ) {
    self.make = make
    self.interruption = interruption
  }

  /// Creates a pool for the replays of a command.
  package convenience init(_ context: CommandContext) {
    self.init(context.makeReplayStarter, interruption: context.interruption)
  }

  /// Lends a replay starter to a closure.
  ///
  /// - Parameters:
  ///   - options: The options for the replays.
  ///   - body: A closure that starts replays with the starter.
  /// - Returns: The result of `body`.
  /// - Throws: `Interrupted` if an interruption was requested, and the error of `body`.
  package func use<Result>(
    for options: ReplayOptions,
    _ body: (CommandContext.ReplayStarter) throws -> Result
  ) throws -> Result {
    try interruption.check()
    let kind = StartConfiguration(
      host: options.host,
      arguments: options.childArguments,
      environment: options.environment
    )
    let taken = idle.withLock { $0[kind]?.popLast() } ?? IdleStarter(start: make())
    defer { idle.withLock { $0[kind, default: []].append(taken) } }
    return try body(taken.start)
  }
}
