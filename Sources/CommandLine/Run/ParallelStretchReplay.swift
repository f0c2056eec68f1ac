import ActionLog
import ReplayCommands
import ReplayEngine

/// A function that replays the stretches of a long log concurrently.
///
/// The function can only prove that a log replays identically. Other logs must be replayed from the beginning.
final class ParallelStretchReplay {
  private let make: @Sendable () -> CommandContext.Prover
  private let least: Int
  /// The provers that were created so far, each of which reuses its host for all logs.
  private var provers: [Prover] = []

  /// A prover that one thread at a time uses.
  ///
  /// The compiler can't verify this.
  private struct Prover: @unchecked Sendable {
    let prove: CommandContext.Prover
  }

  /// Creates the replay for stretches of at least `least` bytes.
  init(least: Int, _ make: @escaping @Sendable () -> CommandContext.Prover) {
    self.make = make
    self.least = least
  }

  /// The number of stretches per thread.
  ///
  /// With more than one, no thread waits long for the last stretch.
  private static let stretchesOfThread = 4

  /// Compares a log with its replay, stretch by stretch.
  ///
  /// - Parameters:
  ///   - check: The check of the complete log.
  ///   - options: The options for the replay.
  ///   - threads: The number of stretches to replay concurrently.
  /// - Returns: The result that a replay of the complete log would have, or `nil` if it can't be proved that the log
  ///   replays identically.
  func check(
    _ check: ReplayCheck,
    _ options: ReplayOptions,
    threads: Int
  ) -> CommandContext.CheckOutcome? {
    let parts = threads > 1 ? threads * Self.stretchesOfThread : 1
    guard
      let stretches = LogPartitioner.stretches(
        of: check.log,
        parts: parts,
        least: least,
        for: .replay
      )
    else { return nil }
    while provers.count < min(threads, stretches.count) { provers.append(Prover(prove: make())) }
    let provers = provers
    let work = ParallelWork<(proof: StretchProof, isWhole: Bool)>(
      parts: stretches.count,
      workers: threads
    )
    let outputs = work.outputs { thread in
      let prover = provers[thread]
      return { part, failure in
        var check = check
        check.log = stretches[part]
        guard let proof = prover.prove(check, options, failure),
          let mayStand = try? UncomparedValues.mayStand(in: check.log)
        else { return nil }
        return (proof: proof, isWhole: !mayStand)
      }
    }
    guard let outputs,
      let result = try? check.conclude(
        outputs.map(\.proof),
        isWhole: outputs.allSatisfy(\.isWhole)
      )
    else { return nil }
    return CommandContext.CheckOutcome(outcome: .success(result), hostOutput: [])
  }
}
