import ActionLog
import Synchronization

/// Hosts that wait for logs, as many as replays went on at the same time.
final class HostPool: Sendable {
  /// A way to replay that one thread at a time uses: it is in the pool or with one borrower, which the compiler cannot see.
  private struct Idle: @unchecked Sendable {
    let start: CommandContext.ReplayStarter
  }

  private let idle = Mutex<[Idle]>([])
  private let make: @Sendable () -> CommandContext.ReplayStarter

  init(_ make: @escaping @Sendable () -> CommandContext.ReplayStarter) { self.make = make }

  /// Lends a way to replay.
  func use<Result>(_ body: (CommandContext.ReplayStarter) throws -> Result) rethrows -> Result {
    let taken = idle.withLock { $0.popLast() } ?? Idle(start: make())
    defer { idle.withLock { $0.append(taken) } }
    return try body(taken.start)
  }
}
