import ActionLog
import Dispatch
import ReplayCommands
import ReplayHosts
import Synchronization

/// A search that tries interleavings near to the recorded one first and continues from no node twice.
///
/// An interleaving departs from the recorded one where another thread comes first, or where a thread is delayed until all
/// others have finished. Interleavings with one departure come before those with two, and so on: few races need more. Where
/// two lead to the same state, with the same effects alive and the same steps to come, only one of them is continued.
struct SystematicSearch {
  private let explorer: Explorer
  private let known: Set<EventReplayer.Finding>
  private var generator: SeededGenerator
  private var result: Explorer.Result
  /// The departures to try, by how many an interleaving then has.
  private var candidates: [[Candidate]] = []
  private var edges: Set<Edge> = []
  private var expanded: Set<InterleavingTrace.Key> = []

  /// A departure from an interleaving that was replayed.
  private struct Candidate {
    let base: Interleaving
    /// How many of its steps stay.
    let length: Int
    let departure: Departure
    let key: InterleavingTrace.Key
  }

  private enum Departure: Hashable {
    /// This step comes next.
    case next(Int)
    /// This thread waits until all others have finished.
    case delay(ThreadedLog.Thread)
  }

  private struct Edge: Hashable {
    let key: InterleavingTrace.Key
    let departure: Departure
  }

  init(_ explorer: Explorer, known: Set<EventReplayer.Finding>, replays: Int) {
    self.explorer = explorer
    self.known = known
    generator = SeededGenerator(seed: explorer.seed)
    result = Explorer.Result(replays: replays)
  }

  /// Searches.
  ///
  /// - Parameter recorded: The recorded order.
  /// - Returns: The result.
  /// - Throws: `HostFailure`, `StreamError`.
  mutating func run(from recorded: Explorer.Attempt) throws -> Explorer.Result {
    take(recorded, from: 0, departures: 0)
    do { try search() } catch let error as Interrupted { result.interruption = error.signal }
    result.places = expanded.count
    return result
  }

  private mutating func search() throws {
    while result.violation == nil {
      let batch = nextBatch()
      guard !batch.isEmpty else {
        result.isComplete = result.unclear == 0
        break
      }
      result.limit = explorer.limit(after: result.replays)
      guard result.limit == nil else { break }
      var failure: (any Error)?
      for (item, attempt) in zip(batch, attempts(batch)) {
        let found: Explorer.Attempt
        // Of attempts at the same time, those that succeeded count.
        do { found = try attempt.get() } catch {
          failure = failure ?? error
          continue
        }
        result.replays += found.replays
        take(found, from: item.length, departures: item.departures)
        if let violation = try explorer.violation(found) {
          result.violation = violation
          result.interruption = violation.interruption
          if violation.interruption == nil { result.replays += 1 }
          break
        }
      }
      if let failure {
        guard result.violation != nil, let interrupted = failure as? Interrupted else {
          throw failure
        }
        result.interruption = interrupted.signal
      }
      explorer.progress(result.replays, expanded.count)
    }
  }

  /// Notes the nodes of an attempt, and the departures that are possible there.
  private mutating func take(_ attempt: Explorer.Attempt, from start: Int, departures: Int) {
    if case .unclear = attempt.trace.ending { result.unclear += 1 }
    let steps = explorer.log.steps
    for (index, step) in attempt.interleaving.order.enumerated().dropFirst(start)
    where index < attempt.trace.nodes.count {
      let node = attempt.trace.nodes[index]
      edges.insert(Edge(key: node.key, departure: .next(step)))
      // After a step whose place does not matter, the same departures are possible.
      guard steps[step].isMovable, expanded.insert(node.key).inserted else { continue }
      let others = node.enabled.filter { $0 != step && steps[$0].isMovable }
      guard !others.isEmpty else { continue }
      for departure in others.map(Departure.next) + [.delay(steps[step].thread)] {
        while candidates.count <= departures + 1 { candidates.append([]) }
        candidates[departures + 1].append(
          Candidate(base: attempt.interleaving, length: index, departure: departure, key: node.key)
        )
      }
    }
  }

  /// An interleaving to replay.
  private struct Item {
    let interleaving: Interleaving
    let length: Int
    let departures: Int
  }

  /// How many candidates are next: the same whatever the number of hosts, so that this does not change the result.
  private static let batch = 4

  private mutating func nextBatch() -> [Item] {
    var batch: [Item] = []
    while batch.count < Self.batch,
      let departures = candidates.firstIndex(where: { !$0.isEmpty })
    {
      // No batch goes beyond a level.
      if let first = batch.first, first.departures != departures { break }
      let index = Int.random(in: candidates[departures].indices, using: &generator)
      candidates[departures].swapAt(index, candidates[departures].count - 1)
      let candidate = candidates[departures].removeLast()
      // Another interleaving may have taken it meanwhile.
      guard edges.insert(Edge(key: candidate.key, departure: candidate.departure)).inserted
      else { continue }
      batch.append(item(candidate, departures))
    }
    return batch
  }

  private func item(_ candidate: Candidate, _ departures: Int) -> Item {
    let base = candidate.base
    var beginning = Array(base.order[..<candidate.length])
    var delayed = base.delayed
    switch candidate.departure {
    case .next(let step): beginning.append(step)
    case .delay(let thread): delayed.insert(thread)
    }
    return Item(
      interleaving: explorer.log.interleaving(
        from: beginning,
        // A step that was disabled after the departure may arrive now.
        without: base.disabled.filter { $0.value <= candidate.length },
        delayed: delayed
      ),
      length: candidate.length,
      departures: departures
    )
  }

  private func attempts(_ batch: [Item]) -> [Result<Explorer.Attempt, any Error>] {
    let explorer = explorer
    let known = known
    let interleavings = batch.map(\.interleaving)
    let finished = Mutex<[Int: Result<Explorer.Attempt, any Error>]>([:])
    for start in stride(from: 0, to: interleavings.count, by: explorer.jobs) {
      let count = min(explorer.jobs, interleavings.count - start)
      DispatchQueue.concurrentPerform(iterations: count) { offset in
        let index = start + offset
        let result = Result { try explorer.attempt(interleavings[index], ignoring: known) }
        finished.withLock { $0[index] = result }
      }
    }
    return finished.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
  }
}
