import ActionLog
import ReplayEngine
import ReplayHosts
import Synchronization

extension Minimizer {
  /// The search itself: what is known so far, and the two ways to go on.
  final class Search: Sendable {
    private let minimizer: Minimizer
    private let baseline: Baseline
    private let known: Mutex<Known>

    private struct Known {
      var answers: [Story.Retelling: Bool] = [:]
      var replays = 0
      var failure: (any Error)?
      /// The smallest log so far that shows the same, as its replay wrote it.
      var best: (retelling: Story.Retelling, events: [LogEvent])
    }

    init(_ minimizer: Minimizer, baseline: Baseline) {
      self.minimizer = minimizer
      self.baseline = baseline
      let whole = Story.Retelling(units: minimizer.replayer.story.all)
      known = Mutex(Known(best: (whole, baseline.events)))
    }

    /// The smallest log so far.
    var best: (retelling: Story.Retelling, events: [LogEvent]) { known.withLock(\.best) }

    /// How many logs were replayed.
    var replays: Int { known.withLock(\.replays) }

    /// What ended the search before its time.
    var failure: (any Error)? { known.withLock(\.failure) }

    private var isStopped: Bool { minimizer.isTimeUp() || failure != nil }

    /// Takes away units and what depends on them.
    func minimize(
      _ kept: Set<Int>,
      removingAmong candidates: Set<Int>
    ) -> DeltaDebugging<Int>.Result {
      let story = minimizer.replayer.story
      let fixed = kept.subtracting(candidates)
      let search = DeltaDebugging<Int>(
        removing: { removed, left in
          // Only what may be taken away is counted; the rest goes with what it depends on.
          story.without(removed, of: left.union(fixed)).intersection(candidates)
        },
        holds: { left in
          let gone = candidates.subtracting(left)
          return self.holds(Story.Retelling(units: story.without(gone, of: kept)))
        },
        isStopped: { self.isStopped },
        jobs: minimizer.jobs
      )
      var result = search.minimize(candidates, by: <)
      result.kept = story.without(candidates.subtracting(result.kept), of: kept)
      return result
    }

    /// Makes the values in the actions simpler, as long as something gets simpler.
    func simplify(_ retelling: Story.Retelling) -> Story.Retelling {
      var best = retelling
      for unit in retelling.units.sorted() {
        var action = minimizer.replayer.story.units[unit].action
        var places = ValueShrinking.places(in: action)[...]
        while let place = places.popFirst(), !isStopped {
          guard let value = action[place] else { continue }
          for simpler in ValueShrinking.simpler(than: value) {
            var candidate = best
            candidate.actions[unit] = action.replacing(place, with: simpler)
            guard holds(candidate) else { continue }
            best = candidate
            action = candidate.actions[unit] ?? action
            // The same place again, what is within it now, and the rest.
            let inner = ValueShrinking.places(in: action).filter { $0.isWithin(place) }
            places = inner + places.filter { !$0.isWithin(place) }
            break
          }
        }
      }
      return best
    }

    /// Whether a retelling still shows the same, without anything odd that the whole log does not show.
    private func holds(_ retelling: Story.Retelling) -> Bool {
      if let answer = known.withLock({ $0.answers[retelling] }) { return answer }
      guard !isStopped else { return false }
      let answer: Bool
      var events: [LogEvent] = []
      do {
        let outcome = try minimizer.replayer.replay(retelling)
        let sighting = try minimizer.property.sighting(in: outcome, of: retelling)
        answer =
          sighting == baseline.sighting
          && baseline.findings.isSuperset(of: outcome.findings)
        events = outcome.events
      } catch HostFailure.timedOut {
        answer = false
      } catch {
        known.withLock { $0.failure = $0.failure ?? error }
        return false
      }
      let replays = known.withLock {
        $0.answers[retelling] = answer
        $0.replays += 1
        // Of as many units, the later one has the simpler values.
        if answer, retelling.units.count <= $0.best.retelling.units.count {
          $0.best = (retelling, events)
        }
        return $0.replays
      }
      if answer { minimizer.progress(retelling.units.count, replays) }
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
