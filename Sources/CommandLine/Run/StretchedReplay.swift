import ActionLog
import ReplayCommands
import ReplayEngine

/// Replays the stretches of a long log at the same time.
///
/// It only says that a log is identical. Of any other log it says nothing: that is for a replay from its beginning.
final class StretchedReplay {
  private let make: @Sendable () -> CommandContext.Prover
  private let least: Int
  /// Those that have been made, which keep their hosts from one log to the next.
  private var provers: [Prover] = []

  /// A prover that one thread at a time uses, which the compiler cannot see.
  private struct Prover: @unchecked Sendable {
    let prove: CommandContext.Prover
  }

  /// Stretches are no shorter than `least` bytes.
  init(least: Int, _ make: @escaping @Sendable () -> CommandContext.Prover) {
    self.make = make
    self.least = least
  }

  /// More stretches than threads, so that no thread waits long for the last one.
  private static let stretchesOfThread = 4

  /// Compares a log with its replay, stretch by stretch.
  ///
  /// - Parameters:
  ///   - check: The check of the log.
  ///   - options: The options of the replay.
  ///   - threads: How many stretches are replayed at once.
  /// - Returns: What a replay of the whole log would find, when that is that they are identical; `nil` when it is not known.
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
