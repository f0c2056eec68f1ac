import ActionLog
import LogTools
import ReplayEngine

/// What a set of logs reaches, what none of them does, and which of them are enough.
struct CoverageReport {
  /// What is reached of one feature.
  struct Feature {
    let name: String
    /// How many logs it has, and how many actions these have.
    let logs: Int
    let count: Int
    /// Whether the types of the feature are known, so that what is never reached can be said.
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

    /// The cases that no log has, as the outermost ones of which none has any.
    var missedActions: [MissedGroup] {
      MissedGroup.groups(
        missed: actions.filter { $0.count == 0 }.map(\.name),
        reached: actions.filter { $0.count > 0 }.map(\.name)
      )
    }
    /// The places at which no log has a value, as the outermost ones in which none has any.
    var missedPlaces: [MissedGroup] {
      MissedGroup.groups(
        missed: places.filter { $0.logs == 0 }.map(\.text),
        reached: places.filter { $0.logs > 0 }.map(\.text)
      )
    }
    /// The places whose values stay what they are in the first state.
    var unchangedPlaces: [String] {
      places.filter { $0.logs > 0 && $0.changedIn == 0 && !$0.isValue }.map(\.text)
    }
  }

  /// One log.
  struct LogCoverage {
    let name: String
    let feature: String
    /// How many actions it has.
    let count: Int
    /// How much it reaches, and how much of that no other log does.
    let reached: Int
    let alone: Int
  }

  /// The features by name.
  let features: [Feature]
  /// The logs in the order in which they were named.
  let logs: [LogCoverage]
  /// The logs that are enough, by their indexes.
  let cover: SetCover
  /// The lines of code that the logs reach; `nil` where nobody has asked for them.
  let lines: LineCoverage?
  /// The logs that cannot be read, with the reasons.
  let unreadable: [(name: String, message: String)]

  /// What a divergence counts: more than any number of actions.
  private static let divergence = 1 << 48

  /// A report.
  ///
  /// - Parameters:
  ///   - coverages: What is reached of each feature.
  ///   - order: The names of the logs in the order in which they were read.
  ///   - diverged: The names of logs whose replay is not the same: of logs that reach the same, another one is enough.
  ///   - lines: The lines of code.
  ///   - unreadable: The logs that cannot be read.
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

  /// The logs that are enough, with how much each adds to those before it.
  var needed: [(log: LogCoverage, added: Int)] {
    zip(cover.chosen, cover.added).map { (logs[$0], $1) }
  }

  /// The logs without which the others reach the same.
  var redundant: [LogCoverage] {
    let chosen = Set(cover.chosen)
    return logs.indices.filter { !chosen.contains($0) }.map { logs[$0] }
  }

  /// How many actions the logs have.
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
