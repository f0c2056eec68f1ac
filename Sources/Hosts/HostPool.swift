import ActionLog
import ReplayCommands
import ReplayEngine
import Synchronization

/// Hosts that wait for logs: as many as there were replays of the same options at the same time.
package final class HostPool: Sendable {
  /// A starter that one thread at a time uses: it is in the pool or with one borrower, which the compiler cannot see.
  private struct Idle: @unchecked Sendable {
    let start: CommandContext.ReplayStarter
  }

  /// What a host is started with: it serves no others.
  private struct Kind: Hashable {
    let host: String
    let arguments: [String]
    let environment: [String: String]
  }

  private let idle = Mutex<[Kind: [Idle]]>([:])
  private let make: @Sendable () -> CommandContext.ReplayStarter

  private let interruption: Interruption

  package init(
    _ make: @escaping @Sendable () -> CommandContext.ReplayStarter,
    interruption: Interruption = Interruption()
  ) {
    self.make = make
    self.interruption = interruption
  }

  /// The hosts of a command.
  package convenience init(_ context: CommandContext) {
    self.init(context.makeReplayStarter, interruption: context.interruption)
  }

  /// Lends a starter of replays.
  ///
  /// - Parameters:
  ///   - options: The options of the replays.
  ///   - body: Replays.
  /// - Returns: What `body` gives.
  /// - Throws: `Interrupted`, and the error of `body`.
  package func use<Result>(
    for options: ReplayOptions,
    _ body: (CommandContext.ReplayStarter) throws -> Result
  ) throws -> Result {
    try interruption.check()
    let kind = Kind(
      host: options.host,
      arguments: options.childArguments,
      environment: options.environment
    )
    let taken = idle.withLock { $0[kind]?.popLast() } ?? Idle(start: make())
    defer { idle.withLock { $0[kind, default: []].append(taken) } }
    return try body(taken.start)
  }
}
