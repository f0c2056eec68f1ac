import ActionLog
import ReplayEngine
import ReplayHosts
import Synchronization

extension Minimizer {
  /// A search for a small subset with the property: it removes units, and simplifies the values in actions.
  final class Search: Sendable {
    private let minimizer: Minimizer
    private let baseline: Baseline
    private let known: Mutex<SearchProgress>

    private struct SearchProgress {
      var answers: [CausalLog.Subset: Bool] = [:]
      var replays = 0
      /// The number of subsets that were refuted in memory.
      var inMemory = 0
      var failure: (any Error)?
      /// The smallest subset with the property so far, and the events of its replay.
      var best: (subset: CausalLog.Subset, events: [LogEvent])
    }

    init(_ minimizer: Minimizer, baseline: Baseline) {
      self.minimizer = minimizer
      self.baseline = baseline
      let whole = CausalLog.Subset(units: minimizer.replayer.log.all)
      known = Mutex(SearchProgress(best: (whole, baseline.events)))
    }

    /// The smallest subset with the property so far, and the events of its replay.
    var best: (subset: CausalLog.Subset, events: [LogEvent]) { known.withLock(\.best) }

    /// The number of subsets that were tested, in memory or by a replay.
    var replays: Int { known.withLock(\.replays) }

    /// The number of subsets that were refuted in memory.
    var inMemory: Int { known.withLock(\.inMemory) }

    /// The error that ended the search, or `nil`.
    var failure: (any Error)? { known.withLock(\.failure) }

    private var isStopped: Bool { minimizer.isTimeUp() || failure != nil }

    /// Removes units, with the units that depend on them, while the property holds.
    ///
    /// - Parameters:
    ///   - kept: The units of the current subset.
    ///   - candidates: The units to try to remove. Other units are removed only if they depend on removed units.
    /// - Returns: The units that remain.
    func minimize(
      _ kept: Set<Int>,
      removingAmong candidates: Set<Int>
    ) -> DeltaDebugging<Int>.Result {
      let log = minimizer.replayer.log
      let fixed = kept.subtracting(candidates)
      let search = DeltaDebugging<Int>(
        removing: { removed, left in
          // `DeltaDebugging` knows only the candidates. Other units are removed if they depend on removed candidates.
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

    /// Replaces values in actions with simpler values, until no simpler value keeps the property.
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
            // The new value, and the values inside of it, might be simplified further.
            let inner = ValueShrinking.places(in: action).filter { $0.isWithin(place) }
            places = inner + places.filter { !$0.isWithin(place) }
            break
          }
        }
      }
      return best
    }

    /// Returns whether a replay in memory proves that a subset can't be used.
    ///
    /// This is the case if the subset lacks the property, or has a finding that the complete log doesn't have.
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
      // The replay ended without a trap, or the condition did not hold.
      case .condition, .trap: return true
      case .difference, .unstable: return false
      }
    }

    /// Returns whether a subset has the property, and no findings that the complete log doesn't have.
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
        // If the number of units is the same, the later subset has simpler values.
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
  /// Returns whether a path is equal to another path or is inside of it.
  fileprivate func isWithin(_ other: JSON.Pointer) -> Bool {
    tokens.starts(with: other.tokens)
  }
}
