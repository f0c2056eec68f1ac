import ActionLog
import ReplayEngine
import ReplayHosts
import Synchronization

extension Minimizer {
  /// The state of the search, and its two kinds of reduction.
  final class Search: Sendable {
    private let minimizer: Minimizer
    private let baseline: Baseline
    private let known: Mutex<KnownAnswers>

    private struct KnownAnswers {
      var answers: [CausalLog.Subset: Bool] = [:]
      var replays = 0
      /// The number of replays in memory.
      var inMemory = 0
      var failure: (any Error)?
      /// The smallest log with the property so far, as written by its replay.
      var best: (subset: CausalLog.Subset, events: [LogEvent])
    }

    init(_ minimizer: Minimizer, baseline: Baseline) {
      self.minimizer = minimizer
      self.baseline = baseline
      let whole = CausalLog.Subset(units: minimizer.replayer.log.all)
      known = Mutex(KnownAnswers(best: (whole, baseline.events)))
    }

    /// The smallest log with the property so far.
    var best: (subset: CausalLog.Subset, events: [LogEvent]) { known.withLock(\.best) }

    /// The number of replayed logs.
    var replays: Int { known.withLock(\.replays) }

    /// The number of logs that were refuted in memory.
    var inMemory: Int { known.withLock(\.inMemory) }

    /// The error that ended the search.
    var failure: (any Error)? { known.withLock(\.failure) }

    private var isStopped: Bool { minimizer.isTimeUp() || failure != nil }

    /// Removes units and those that depend on them.
    func minimize(
      _ kept: Set<Int>,
      removingAmong candidates: Set<Int>
    ) -> DeltaDebugging<Int>.Result {
      let log = minimizer.replayer.log
      let fixed = kept.subtracting(candidates)
      let search = DeltaDebugging<Int>(
        removing: { removed, left in
          // The search only tracks candidates. Other units are removed with the ones they depend on.
          log.without(removed, of: left.union(fixed)).intersection(candidates)
        },
        holds: { left in
          let gone = candidates.subtracting(left)
          return self.holds(CausalLog.Subset(units: log.without(gone, of: kept)))
        },
        isStopped: { self.isStopped },
        jobs: minimizer.jobs
      )
      var result = search.minimize(candidates, by: <)
      result.kept = log.without(candidates.subtracting(result.kept), of: kept)
      return result
    }

    /// Simplifies the values in the actions until no further simplification is possible.
    func simplify(_ subset: CausalLog.Subset) -> CausalLog.Subset {
      var best = subset
      for unit in subset.units.sorted() {
        var action = minimizer.replayer.log.units[unit].action
        var places = ValueShrinking.places(in: action)[...]
        while let place = places.popFirst(), !isStopped {
          guard let value = action[place] else { continue }
          for simpler in ValueShrinking.simpler(than: value) {
            var candidate = best
            candidate.actions[unit] = action.replacing(place, with: simpler)
            guard holds(candidate) else { continue }
            best = candidate
            action = candidate.actions[unit] ?? action
            // Continues with the same path, the paths in its new value, and the remaining paths.
            let inner = ValueShrinking.places(in: action).filter { $0.isWithin(place) }
            places = inner + places.filter { !$0.isWithin(place) }
            break
          }
        }
      }
      return best
    }

    /// Returns whether a replay in memory shows that a subset lacks the property, or has a finding that the complete
    /// log lacks.
    private func isRefuted(_ subset: CausalLog.Subset) throws -> Bool {
      guard case .outcome(let outcome)? = try minimizer.memory?.reply(for: subset) else {
        return false
      }
      switch minimizer.property {
      case .condition where outcome.isSighted:
        return !baseline.findings.isSuperset(of: outcome.findings)
      case .finding(let finding):
        return !outcome.findings.contains(finding)
          || !baseline.findings.isSuperset(of: outcome.findings)
      // The host has not trapped.
      case .condition, .trap: return true
      case .difference, .unstable: return false
      }
    }

    /// Returns whether a subset keeps the property without new findings.
    private func holds(_ subset: CausalLog.Subset) -> Bool {
      if let answer = known.withLock({ $0.answers[subset] }) { return answer }
      guard !isStopped else { return false }
      let answer: Bool
      var events: [LogEvent] = []
      do {
        if try isRefuted(subset) {
          known.withLock {
            $0.answers[subset] = false
            $0.replays += 1
            $0.inMemory += 1
          }
          return false
        }
        let outcome = try minimizer.replayer.replay(subset)
        let sighting = try minimizer.property.sighting(in: outcome, of: subset)
        answer =
          sighting == baseline.sighting
          && baseline.findings.isSuperset(of: outcome.findings)
          && minimizer.replayer.isPossible(outcome, subset)
        events = outcome.events
      } catch HostFailure.timedOut {
        answer = false
      } catch {
        known.withLock { $0.failure = $0.failure ?? error }
        return false
      }
      let replays = known.withLock {
        $0.answers[subset] = answer
        $0.replays += 1
        // With equal numbers of units, the later subset has simpler values.
        if answer, subset.units.count <= $0.best.subset.units.count {
          $0.best = (subset, events)
        }
        return $0.replays
      }
      if answer { minimizer.progress(subset.units.count, replays) }
      return answer
    }
  }
}

extension JSON.Pointer {
  /// Returns whether a path equals another one or is inside it.
  fileprivate func isWithin(_ other: JSON.Pointer) -> Bool {
    tokens.starts(with: other.tokens)
  }
}
