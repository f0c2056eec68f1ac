import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Requests searches from a host, whose `SearchService` runs them in memory.
struct InMemorySearchClient: Sendable {
  let makeHost: CommandContext.SearchHostMaker
  let options: ReplayOptions
  let log: LogSlice

  /// The reason why a search in memory is not possible.
  enum Obstacle: Error, Hashable, Sendable {
    /// The host doesn't support searches, because it has another version or another implementation.
    case notServed
    /// The feature's state can't be restored from a snapshot.
    case feature(SnapshotObstacle)
    /// The feature behaves differently in memory than in a replay, because it uses data outside of snapshots.
    case differs
  }

  /// The parameters of a search for a violating order.
  struct ExplorationParameters: Equatable, Sendable {
    var judge: SearchJudge
    var strategy = SearchStrategy.systematic
    var seed: UInt64 = 0
    var mostTransitions = Int.max
  }

  enum SearchOutcome: Equatable {
    case found(SearchResult)
    case impossible(Obstacle)
  }

  /// Searches the orders of the log.
  ///
  /// - Parameters:
  ///   - exploration: The parameters of the search.
  ///   - progress: A closure that receives the results so far, and returns whether the search should continue.
  /// - Returns: The results, or the reason why the search is not possible. If the feature's code ended the host, the
  ///   violation contains the steps up to this point.
  /// - Throws: `HostFailure`, `Interrupted`.
  func explore(
    _ exploration: ExplorationParameters,
    progress: (SearchResult) -> Bool
  ) throws -> SearchOutcome {
    guard let host = try makeHost(options) else { return .impossible(.notServed) }
    var latest = SearchResult()
    let ending = try host.search(exploration.json(of: log, feature: options.feature)) { json in
      if let found = SearchResult(json) { latest = found }
      return progress(latest)
    }
    switch ending {
    case nil:
      latest.limit = .budget
      return .found(latest)
    case .answered(let json):
      if let obstacle = Obstacle(json) { return .impossible(obstacle) }
      guard let found = SearchResult(json) else { return .impossible(.notServed) }
      return .found(found)
    case .trapped(let signal, let steps?, let made):
      latest.transitions = made &+ 1
      latest.violation = SearchResult.FoundViolation(steps: steps, violation: .trap(signal: signal))
      return .found(latest)
    case .trapped: return .impossible(.differs)
    }
  }
}

extension InMemorySearchClient.ExplorationParameters {
  /// Returns the request for the host as JSON.
  func json(of log: LogSlice, feature: String?) -> JSON {
    var object: JSON.Object = ["kind": "explore", "log": log.json, "judge": judge.json]
    object["feature"] = feature.map(JSON.string)
    object["strategy"] = .string(strategy.rawValue)
    object["seed"] = .string(String(seed))
    if mostTransitions < .max { object["transitions"] = .number(JSON.Number(mostTransitions)) }
    return .object(object)
  }

  /// Reads the parameters from a request, or returns `nil` if the request is not valid.
  init?(_ json: JSON) {
    guard json["kind"]?.string == "explore", let judge = json["judge"].flatMap({ SearchJudge($0) }),
      let strategy = json["strategy"]?.string.flatMap(SearchStrategy.init),
      let seed = json["seed"]?.string.flatMap({ UInt64($0) })
    else { return nil }
    self.init(
      judge: judge,
      strategy: strategy,
      seed: seed,
      mostTransitions: json["transitions"]?.int ?? .max
    )
  }
}

extension LogSlice {
  /// The file and position of the log as JSON.
  ///
  /// The host reads the log from there.
  var json: JSON {
    var object: JSON.Object = [
      "path": .string(path), "name": .string(name), "start": .number(JSON.Number(start)),
      "line": .number(JSON.Number(firstLine)),
    ]
    object["end"] = end.map { .number(JSON.Number($0)) }
    return .object(object)
  }

  /// Reads the file and position of a log from a request, or returns `nil` if they are missing.
  init?(_ json: JSON) {
    guard let path = json["path"]?.string, let name = json["name"]?.string,
      let start = json["start"]?.int, let line = json["line"]?.int
    else { return nil }
    self.init(path: path, name: name, start: start, firstLine: line, end: json["end"]?.int)
  }
}

extension SearchJudge {
  var json: JSON {
    [
      "rules": .array(
        rules.map { rule in
          var object: JSON.Object = ["holds": .string(rule.condition.expression.description)]
          object["name"] = rule.name.map(JSON.string)
          return .object(object)
        }
      ),
      "faults": .bool(countsFaults),
      "overtaking": .bool(countsOvertaking),
      "known": .array(known.map(\.json)),
    ]
  }

  init?(_ json: JSON) {
    guard let rules = json["rules"]?.array, let faults = json["faults"]?.bool,
      let known = json["known"]?.array
    else { return nil }
    let read = rules.compactMap { rule -> Rule? in
      guard let text = rule["holds"]?.string,
        let expression = try? JSONPath.Expression(parsing: text)
      else { return nil }
      return Rule(name: rule["name"]?.string, condition: Condition(expression))
    }
    guard read.count == rules.count else { return nil }
    self.init(read, countsFaults: faults, countsOvertaking: json["overtaking"]?.bool ?? false)
    self.known = Set(known.compactMap { EventReplayer.OrderIndependentFinding($0) })
  }
}

extension EventReplayer.OrderIndependentFinding {
  var json: JSON {
    var object: JSON.Object = ["code": .string(code.rawValue)]
    object["place"] = place.map(JSON.string)
    return .object(object)
  }

  init?(_ json: JSON) {
    guard let code = json["code"]?.string.flatMap(LogEvent.Finding.Code.init) else { return nil }
    self.init(LogEvent.Finding(seq: 0, code: code, subject: json["place"]?.string ?? ""))
  }
}

extension SearchResult {
  var json: JSON {
    var object: JSON.Object = [
      "transitions": .number(JSON.Number(transitions)), "states": .number(JSON.Number(states)),
      "unclear": .number(JSON.Number(unclear)), "isComplete": .bool(isComplete),
    ]
    object["limit"] = limit.map { .string($0.rawValue) }
    if let violation {
      var found = violation.violation.json
      found["steps"] = .array(violation.steps.map { .number(JSON.Number($0)) })
      object["violation"] = .object(found)
    }
    return .object(object)
  }

  init?(_ json: JSON) {
    guard let transitions = json["transitions"]?.count, let states = json["states"]?.count,
      let unclear = json["unclear"]?.count, let isComplete = json["isComplete"]?.bool
    else { return nil }
    self.init(transitions: transitions, states: states, unclear: unclear)
    self.isComplete = isComplete
    limit = json["limit"]?.string.flatMap(SearchLimit.init)
    if let found = json["violation"], let steps = found["steps"]?.array,
      let kind = SearchJudge.Violation(found)
    {
      violation = FoundViolation(steps: steps.compactMap(\.count), violation: kind)
    }
  }
}

extension SearchJudge.Violation {
  var json: JSON.Object {
    switch self {
    case .rule(let index): ["rule": .number(JSON.Number(index))]
    case .fault(let finding): ["fault": finding.json]
    case .trap(let signal): ["trap": .string(signal)]
    case .overtaken(let place):
      [
        "overtaken": .string(place.pointer.description),
        "elements": .array(place.elements.map { .number(JSON.Number($0)) }),
      ]
    }
  }

  init?(_ json: JSON) {
    if let rule = json["rule"]?.count {
      self = .rule(rule)
    } else if let finding = json["fault"].flatMap({ EventReplayer.OrderIndependentFinding($0) }) {
      self = .fault(finding)
    } else if let signal = json["trap"]?.string {
      self = .trap(signal: signal)
    } else if let text = json["overtaken"]?.string, let place = try? JSON.Pointer(parsing: text) {
      let elements = json["elements"]?.array?.compactMap(\.int) ?? []
      self = .overtaken(JSON.ValueLocation(place, elements: elements))
    } else {
      return nil
    }
  }
}

extension InMemorySearchClient.Obstacle {
  var json: JSON {
    switch self {
    case .notServed: ["impossible": "notServed"]
    case .feature(.notSupported): ["impossible": "notSupported"]
    case .feature(.object(let type)): ["impossible": "object", "type": .string(type)]
    case .differs: ["impossible": "differs"]
    }
  }

  init?(_ json: JSON) {
    switch json["impossible"]?.string {
    case "notServed": self = .notServed
    case "notSupported": self = .feature(.notSupported)
    case "object": self = .feature(.object(type: json["type"]?.string ?? ""))
    case "differs": self = .differs
    default: return nil
    }
  }
}

extension SnapshotObstacle {
  /// Reads an obstacle from a request or a response, or returns `nil` if there is none.
  init?(_ json: JSON?) {
    guard case .feature(let obstacle)? = json.flatMap({ InMemorySearchClient.Obstacle($0) }) else {
      return nil
    }
    self = obstacle
  }
}
