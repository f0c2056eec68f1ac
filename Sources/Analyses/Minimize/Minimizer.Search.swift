import ActionLog
import ReplayEngine
import ReplayHosts
import Synchronization

extension Minimizer {
  /// The search: the best log so far, and the two ways to make it smaller.
  final class Search: Sendable {
    private let minimizer: Minimizer
    private let baseline: Baseline
    private let known: Mutex<Known>

    private struct Known {
      var answers: [CausalLog.Subset: Bool] = [:]
      var replays = 0
      /// How many of them were made in memory.
      var inMemory = 0
      var failure: (any Error)?
      /// The smallest log so far that shows the same, as its replay wrote it.
      var best: (subset: CausalLog.Subset, events: [LogEvent])
    }

    init(_ minimizer: Minimizer, baseline: Baseline) {
      self.minimizer = minimizer
      self.baseline = baseline
      let whole = CausalLog.Subset(units: minimizer.replayer.log.all)
      known = Mutex(Known(best: (whole, baseline.events)))
    }

    /// The smallest log so far.
    var best: (subset: CausalLog.Subset, events: [LogEvent]) { known.withLock(\.best) }

    /// How many logs were replayed.
    var replays: Int { known.withLock(\.replays) }

    /// How many of them were refuted in the memory of a host.
    var inMemory: Int { known.withLock(\.inMemory) }

    /// The error that ended the search.
    var failure: (any Error)? { known.withLock(\.failure) }

    private var isStopped: Bool { minimizer.isTimeUp() || failure != nil }

    /// Removes units and the units that depend on them.
    func minimize(
      _ kept: Set<Int>,
      removingAmong candidates: Set<Int>
    ) -> DeltaDebugging<Int>.Result {
      let log = minimizer.replayer.log
      let fixed = kept.subtracting(candidates)
      let search = DeltaDebugging<Int>(
        removing: { removed, left in
          // Only candidates are counted; the rest goes with the units that it depends on.
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

    /// Makes the values in the actions simpler, as long as something gets simpler.
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
            // The same place again, the places within it now, and the rest.
            let inner = ValueShrinking.places(in: action).filter { $0.isWithin(place) }
            places = inner + places.filter { !$0.isWithin(place) }
            break
          }
        }
      }
      return best
    }

    /// Whether the memory of a host shows that a subset does not have the property, or has a finding that the whole log does not
    /// have.
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
      // The host did not trap.
      case .condition, .trap: return true
      case .difference, .unstable: return false
      }
    }

    /// Whether a subset still has the property, and no finding that the whole log does not have.
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
        // Of as many units, the later one has the simpler values.
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
  /// Whether a place is another one or lies in it.
  fileprivate func isWithin(_ other: JSON.Pointer) -> Bool {
    tokens.starts(with: other.tokens)
  }
}
