import ActionLog
import ReplayCommands
import ReplayEngine

/// The cases, state paths, and effects of one feature that logs reach.
///
/// Each log is stored as bits and counters. Memory does not grow with the size of the logs.
package struct FeatureCoverage: Sendable {
  /// The feature's name, as log headers contain it.
  package let name: String
  /// The outline of the feature's types, or `nil` if no host provides it.
  package let outline: FeatureOutline?
  /// The items that each log reaches, in the order in which the logs were added.
  package private(set) var logs: [CoveredLog] = []
  private var actions = NameNumbering()
  private var effects = NameNumbering()
  private var places = StatePathTree()

  package init(name: String, outline: FeatureOutline?) {
    (self.name, self.outline) = (name, outline)
    for action in outline?.actions ?? [] { _ = actions.number(of: action) }
    if let outline { places.declare(outline.state) }
  }

  /// The cases, state paths, and effects that one log reaches.
  package struct CoveredLog: Sendable {
    /// The log's name, as shown to the user.
    package let name: String
    /// The number of actions in the log.
    package var count = 0
    fileprivate var actions: [Int: Int] = [:]
    fileprivate var effects: [Int: EffectCounts] = [:]
    fileprivate var marks = StatePathTree.ReachedPaths()

    fileprivate init(name: String) { self.name = name }
  }

  /// The number of started effects with one name, and how many of them finished, failed, or were canceled.
  package struct EffectCounts: Sendable, Equatable {
    package var count = 0
    package var finished = 0
    package var cancelled = 0
    package var failed = 0

    static func += (lhs: inout EffectCounts, rhs: EffectCounts) {
      lhs.count += rhs.count
      lhs.finished += rhs.finished
      lhs.cancelled += rhs.cancelled
      lhs.failed += rhs.failed
    }
  }

  /// Assigns consecutive numbers to names, in the order of their first occurrence.
  private struct NameNumbering: Sendable {
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
      if let number = numbers[name] { return number }
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }
}

// MARK: - Reading logs

extension FeatureCoverage {
  /// Reads a log and adds its coverage.
  ///
  /// If the log can't be read to its end, its coverage is not added.
  ///
  /// - Throws: `LogReadError`, or `LogCursor.BrokenPatch` if a patch does not fit the state.
  package mutating func add(_ slice: LogSlice) throws {
    var log = CoveredLog(name: slice.name)
    var source = try LogEventIterator(slice)
    // Each patch is applied, because a patch that does not fit would mark paths that no state had.
    var cursor = LogCursor()
    let notation = Notation()
    var name: [UInt8] = []
    var alive: [EffectID: Int] = [:]
    while let event = try source.next()?.event {
      if case .action(let action) = event {
        name.removeAll(keepingCapacity: true)
        notation.append(casePath: action.logged, to: &name)
        log.actions[actions.number(of: String(decoding: name, as: UTF8.self)), default: 0] += 1
        log.count += 1
      }
      try cursor.move(to: event)
      try cursor.apply()
      add(effectsOf: event, &alive, &log, notation)
      places.markPaths(event, &log.marks)
    }
    logs.append(log)
  }

  private mutating func add(
    effectsOf event: LogEvent,
    _ alive: inout [EffectID: Int],
    _ log: inout CoveredLog,
    _ notation: Notation
  ) {
    switch event {
    case .header: alive = [:]
    case .checkpoint(let checkpoint): start(checkpoint.effects, &alive, &log, notation)
    case .change(let change): start(change.effects, &alive, &log, notation)
    case .excluded(let excluded): start(excluded.effects, &alive, &log, notation)
    case .effect(let turn):
      if case .started = turn.event { return }
      guard let kind = alive.removeValue(forKey: turn.id) else { return }
      switch turn.event {
      case .started: break
      case .finished: log.effects[kind, default: EffectCounts()].finished += 1
      case .cancelled: log.effects[kind, default: EffectCounts()].cancelled += 1
      case .failed: log.effects[kind, default: EffectCounts()].failed += 1
      }
    default: break
    }
  }

  private mutating func start(
    _ effects: [EffectDescription],
    _ alive: inout [EffectID: Int],
    _ log: inout CoveredLog,
    _ notation: Notation
  ) {
    for effect in effects.flatMap(\.flattened) {
      guard let id = effect.id, alive[id] == nil, !effect.isOfLibrary else { continue }
      let kind = self.effects.number(of: LabeledEffects.kind(effect, notation))
      log.effects[kind, default: EffectCounts()].count += 1
      // An effect that only sends an action has no end event.
      if effect.operation == .run { alive[id] = kind }
    }
  }
}

// MARK: - Coverage of actions, paths, and effects

extension FeatureCoverage {
  /// The coverage of one action case.
  package struct Action: Sendable, Equatable {
    package let name: String
    /// The number of times that the action occurs in all logs.
    package var count = 0
    /// The number of logs that contain the action.
    package var logs = 0
    /// Whether the feature's types declare the case.
    package let isDeclared: Bool
  }

  /// The coverage of one path into the state.
  package struct PathCoverage: Sendable, Equatable {
    package let text: String
    /// The number of logs in which the path has a value.
    package var logs = 0
    /// The number of logs that write to the path after the initial state.
    package var changedIn = 0
    package let isDeclared: Bool
    /// Whether the entry is for one possible value at a path, such as `filter == "active"`.
    package let isValue: Bool
  }

  /// The coverage of the effects with one name.
  package struct EffectCoverage: Sendable, Equatable {
    package let name: String
    package var ends = EffectCounts()
    package var logs = 0
  }

  /// The coverage of all action cases.
  ///
  /// Declared cases come first, in the order of their declaration.
  ///
  /// If logs contain nested cases that the types don't declare, the declared case around them is listed only if it also
  /// occurs itself.
  package var allActions: [Action] {
    let declared = outline?.actions.count ?? 0
    var rows = actions.names.enumerated().map { Action(name: $1, isDeclared: $0 < declared) }
    for log in logs {
      for (number, count) in log.actions {
        rows[number].count += count
        rows[number].logs += 1
      }
    }
    let parents = Set(
      rows.filter { $0.count > 0 && !$0.isDeclared }.flatMap { Self.parents(of: $0.name) }
    )
    return rows.filter { $0.count > 0 || $0.isDeclared && !parents.contains($0.name) }
  }

  /// Returns the prefixes of a case path that end before a dot or a bracket: `.a`, `.a[]`, and `.a[].b` for `.a[].b.c`.
  private static func parents(of path: String) -> [String] {
    var parents: [String] = []
    for index in path.indices.dropFirst() where path[index] == "." || path[index] == "[" {
      parents.append(String(path[..<index]))
    }
    return parents
  }

  /// The coverage of all paths into the state.
  package var allPlaces: [PathCoverage] {
    markedPlaces.map { place in
      var row = PathCoverage(text: place.text, isDeclared: place.isDeclared, isValue: place.isValue)
      for log in logs {
        if log.marks.held.contains(place.number) { row.logs += 1 }
        if log.marks.changed.contains(place.number) { row.changedIn += 1 }
      }
      return row
    }
  }

  private var markedPlaces: [StatePathTree.LeafPath] {
    var all = StatePathTree.ReachedPaths()
    for log in logs { all.formUnion(log.marks) }
    return places.places(all)
  }

  /// The coverage of the effects that occur in logs, one entry for each name.
  package var allEffects: [EffectCoverage] {
    var rows = effects.names.map { EffectCoverage(name: $0) }
    for log in logs {
      for (number, ends) in log.effects {
        rows[number].ends += ends
        rows[number].logs += 1
      }
    }
    return rows.filter { $0.logs > 0 }
  }

  /// The items that each log reaches, as numbers that are the same for all logs.
  ///
  /// An item is an action case, a path with a value, a path that is written, an effect, or a way in which an effect
  /// ends.
  package var reached: [BitSet] {
    let places = markedPlaces
    let effectsStart = actions.names.count
    let placesStart = effectsStart + 4 * effects.names.count
    return logs.map { log in
      var set = BitSet(log.actions.keys)
      for (number, ends) in log.effects {
        let start = effectsStart + 4 * number
        for (index, count) in [ends.count, ends.finished, ends.cancelled, ends.failed].enumerated()
        where count > 0 { set.insert(start + index) }
      }
      for (index, place) in places.enumerated() {
        if log.marks.held.contains(place.number) { set.insert(placesStart + 2 * index) }
        if log.marks.changed.contains(place.number) { set.insert(placesStart + 2 * index + 1) }
      }
      return set
    }
  }
}
