import ActionLog
import ReplayCommands
import ReplayEngine
import Synchronization

/// Hosts that wait for logs: as many as there were replays at the same time.
package final class HostPool: Sendable {
  /// A starter that one thread at a time uses: it is in the pool or with one borrower, which the compiler cannot see.
  private struct Idle: @unchecked Sendable {
    let start: CommandContext.ReplayStarter
  }

  private let idle = Mutex<[Idle]>([])
  private let make: @Sendable () -> CommandContext.ReplayStarter

  private let interruption: Interruption

  package init(
    _ make: @escaping @Sendable () -> CommandContext.ReplayStarter,
    interruption: Interruption = Interruption()
  ) {
    self.make = make
    self.interruption = interruption
  }

  /// Lends a starter of replays.
  ///
  /// - Throws: `Interrupted`, and the error of `body`.
  func use<Result>(_ body: (CommandContext.ReplayStarter) throws -> Result) throws -> Result {
    try interruption.check()
    let taken = idle.withLock { $0.popLast() } ?? Idle(start: make())
    defer { idle.withLock { $0.append(taken) } }
    return try body(taken.start)
  }
}
