import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The coverage of a set of logs, with a small subset of logs that has the same coverage.
struct CoverageReport {
  /// The coverage of one feature by all of its logs.
  struct Feature {
    let name: String
    /// The number of logs of the feature.
    let logs: Int
    /// The number of actions in all logs of the feature.
    let count: Int
    /// Whether the feature's types are known, which is necessary to find gaps in the coverage.
    let hasOutline: Bool
    let actions: [FeatureCoverage.Action]
    let places: [FeatureCoverage.PathCoverage]
    let effects: [FeatureCoverage.EffectCoverage]

    init(_ coverage: FeatureCoverage) {
      name = coverage.name
      logs = coverage.logs.count
      count = coverage.logs.reduce(0) { $0 + $1.count }
      hasOutline = coverage.outline != nil
      actions = coverage.allActions
      places = coverage.allPlaces
      effects = coverage.allEffects
    }

    /// The cases that occur in no log, grouped by the outermost case that is missed.
    var missedActions: [MissedPrefixGroup] {
      MissedPrefixGroup.groups(
        missed: actions.filter { $0.count == 0 }.map(\.name),
        reached: actions.filter { $0.count > 0 }.map(\.name)
      )
    }
    /// The paths that have no value in any log, grouped by the outermost path that is missed.
    var missedPlaces: [MissedPrefixGroup] {
      MissedPrefixGroup.groups(
        missed: places.filter { $0.logs == 0 }.map(\.text),
        reached: places.filter { $0.logs > 0 }.map(\.text)
      )
    }
    /// The reached paths that no log writes after its initial state.
    var unchangedPlaces: [String] {
      places.filter { $0.logs > 0 && $0.changedIn == 0 && !$0.isValue }.map(\.text)
    }
  }

  /// The coverage of one log.
  struct LogCoverage {
    let name: String
    let feature: String
    /// The number of actions in the log.
    let count: Int
    /// The number of items that the log reaches: action cases, paths, effects, and code regions.
    let reached: Int
    /// The number of items that only this log reaches.
    let alone: Int
  }

  /// The features, sorted by name.
  let features: [Feature]
  /// The coverage of each log, in the order of the arguments.
  let logs: [LogCoverage]
  /// The selection of logs that together reach all items, as indexes into `logs`.
  let cover: SetCover
  /// The line coverage, or `nil` if lines were not counted.
  let lines: LineCoverage?
  /// The logs that could not be read, with error messages.
  let unreadable: [(name: String, message: String)]

  /// The additional cost of a log whose replay diverges, which is higher than any number of actions.
  private static let divergence = 1 << 48

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - coverages: The coverage of each feature.
  ///   - order: The names of the logs, in the order of the arguments.
  ///   - diverged: The names of logs whose replays diverge. Other logs with the same coverage are preferred.
  ///   - lines: The line coverage, or `nil` if lines were not counted.
  ///   - unreadable: The logs that could not be read, with error messages.
  init(
    _ coverages: [FeatureCoverage],
    order: [String],
    diverged: Set<String>,
    lines: LineCoverage?,
    unreadable: [(name: String, message: String)]
  ) {
    features = coverages.map(Feature.init).sorted { $0.name < $1.name }
    var rows: [(log: FeatureCoverage.CoveredLog, feature: String, set: BitSet)] = []
    var start = 0
    for coverage in coverages {
      let sets = coverage.reached
      for (log, set) in zip(coverage.logs, sets) {
        rows.append((log, coverage.name, BitSet(set.numbers.map { $0 + start })))
      }
      start += (sets.compactMap(\.numbers.last).max() ?? -1) + 1
    }
    if let lines {
      for index in rows.indices {
        let regions = lines.regions[rows[index].log.name] ?? BitSet()
        rows[index].set.formUnion(BitSet(regions.numbers.map { $0 + start }))
      }
    }
    let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    rows.sort { places[$0.log.name, default: 0] < places[$1.log.name, default: 0] }
    var (once, twice) = (BitSet(), BitSet())
    for row in rows {
      for number in row.set.numbers {
        once.contains(number) ? twice.insert(number) : once.insert(number)
      }
    }
    logs = rows.map { log, feature, set in
      LogCoverage(
        name: log.name,
        feature: feature,
        count: log.count,
        reached: set.count,
        alone: set.subtracting(twice).count
      )
    }
    cover = SetCover(
      of: rows.map(\.set),
      costs: rows.map { $0.log.count + (diverged.contains($0.log.name) ? Self.divergence : 0) }
    )
    self.lines = lines
    self.unreadable = unreadable
  }

  /// The logs in `cover`, each with the number of items that it adds to the logs before it.
  var needed: [(log: LogCoverage, added: Int)] {
    zip(cover.chosen, cover.added).map { (logs[$0], $1) }
  }

  /// The logs that are not in `cover`, because they add no coverage.
  var redundant: [LogCoverage] {
    let chosen = Set(cover.chosen)
    return logs.indices.filter { !chosen.contains($0) }.map { logs[$0] }
  }

  /// The number of actions in all logs.
  var count: Int { logs.reduce(0) { $0 + $1.count } }
}

// MARK: - JSON

extension CoverageReport {
  var json: JSON {
    var object: JSON.Object = [
      "features": .array(features.map(\.json)),
      "logs": .array(
        logs.map { log in
          [
            "log": .string(log.name), "feature": .string(log.feature), "actions": number(log.count),
            "reached": number(log.reached), "alone": number(log.alone),
          ]
        }
      ),
      "enough": .array(
        needed.map { ["log": .string($0.log.name), "adds": number($0.added)] }
      ),
      "isSmallest": .bool(cover.isSmallest),
      "redundant": .array(redundant.map { .string($0.name) }),
    ]
    object["lines"] = lines?.json
    if !unreadable.isEmpty {
      object["unreadable"] = .array(
        unreadable.map { ["log": .string($0.name), "message": .string($0.message)] }
      )
    }
    return .object(object)
  }

  private func number(_ value: Int) -> JSON { .number(JSON.Number(value)) }
}

extension CoverageReport.Feature {
  fileprivate var json: JSON {
    func number(_ value: Int) -> JSON { .number(JSON.Number(value)) }
    return [
      "feature": .string(name), "logs": number(logs), "count": number(count),
      "typesKnown": .bool(hasOutline),
      "actions": .array(
        actions.map { action in
          [
            "action": .string(action.name), "count": number(action.count),
            "logs": number(action.logs), "declared": .bool(action.isDeclared),
          ]
        }
      ),
      "places": .array(
        places.map { place in
          var object: JSON.Object = [
            "place": .string(place.text), "logs": number(place.logs),
            "changedIn": number(place.changedIn), "declared": .bool(place.isDeclared),
          ]
          if place.isValue { object["isValue"] = true }
          return .object(object)
        }
      ),
      "effects": .array(
        effects.map { effect in
          [
            "effect": .string(effect.name), "count": number(effect.ends.count),
            "logs": number(effect.logs), "finished": number(effect.ends.finished),
            "cancelled": number(effect.ends.cancelled), "failed": number(effect.ends.failed),
          ]
        }
      ),
    ]
  }
}
