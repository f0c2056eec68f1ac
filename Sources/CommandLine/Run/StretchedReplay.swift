import ActionLog
import ReplayCommands
import ReplayEngine

/// Replays the stretches of a long log concurrently.
///
/// It can only prove that a log is identical. For all other logs, a replay from the beginning is needed.
final class StretchedReplay {
  private let make: @Sendable () -> CommandContext.Prover
  private let least: Int
  /// The provers created so far.
  ///
  /// Each reuses its host for all logs.
  private var provers: [Prover] = []

  /// A prover that one thread at a time uses.
  ///
  /// The compiler can't verify this.
  private struct Prover: @unchecked Sendable {
    let prove: CommandContext.Prover
  }

  /// Creates the replay.
  ///
  /// A stretch has at least `least` bytes.
  init(least: Int, _ make: @escaping @Sendable () -> CommandContext.Prover) {
    self.make = make
    self.least = least
  }

  /// More stretches than threads, so that no thread waits long for the last stretch.
  private static let stretchesOfThread = 4

  /// Compares a log with its replay, stretch by stretch.
  ///
  /// - Parameters:
  ///   - check: The check of the log.
  ///   - options: The options of the replay.
  ///   - threads: The number of stretches that are replayed concurrently.
  /// - Returns: The result of a replay of the complete log if it is identical, or `nil` if that can't be proved.
  func check(
    _ check: ReplayCheck,
    _ options: ReplayOptions,
    threads: Int
  ) -> CommandContext.Checked? {
    let parts = threads > 1 ? threads * Self.stretchesOfThread : 1
    guard
      let stretches = LogCutter.stretches(of: check.log, parts: parts, least: least, for: .replay)
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
    return CommandContext.Checked(outcome: .success(result), hostOutput: [])
  }
}
