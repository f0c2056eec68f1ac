import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

extension InvariantResult {
  /// Where the invariant does not hold first, with the values that it refers to, line by line.
  func details(_ style: Style) -> [String] {
    guard let violation else { return [] }
    var lines = [style.bold(Wording.doesNotHold(self)), ""]
    if violation.action != nil {
      lines += VerdictText(style: style).causes(violation.causes, of: violation.seq) + [""]
    }
    lines.append(invariant.expression)
    let rows = violation.operands.flatMap { Wording.lines($0, style.notation) }
    let width = rows.map(\.place.count).max() ?? 0
    lines += rows.map { row in
      "  \(row.place)\(String(repeating: " ", count: width - row.place.count))  \(row.value)"
    }
    return lines + doubts.map { "note: \($0)" }
  }

  /// The result as a JSON object.
  var json: JSON {
    var object: JSON.Object = [
      "name": .string(invariant.name), "expression": .string(invariant.expression),
      "holds": .bool(violation == nil), "states": .number(JSON.Number(states)),
    ]
    guard let violation else { return .object(object) }
    object["at"] = .number(JSON.Number(violation.seq))
    object["action"] = violation.action
    object["line"] = violation.line.map { .number(JSON.Number($0)) }
    object["violations"] = .number(JSON.Number(violation.count))
    object["values"] = .array(violation.operands.flatMap(Self.values))
    if !violation.causes.isEmpty { object["causes"] = .array(violation.causes.map(\.json)) }
    return .object(object)
  }

  /// What an operand stands for, as objects.
  private static func values(_ operand: JSONPath.OperandValue) -> [JSON] {
    guard let nodes = operand.nodes, !nodes.isEmpty else {
      var object: JSON.Object = ["operand": .string(operand.text)]
      object["value"] = operand.value
      return [.object(object)]
    }
    return nodes.prefix(mostValues).map { node in
      [
        "operand": .string(operand.text), "path": .string(node.pointer.description),
        "value": node.value,
      ]
    }
  }

  /// A query such as `$..*` selects everything.
  private static let mostValues = 100

  /// The condition that holds where the invariant is violated.
  var violationCondition: String {
    let violated = "!(\(invariant.expression))"
    // Before the first action there is nothing that such an invariant could be about.
    return invariant.isAboutActions ? "$.action && \(violated)" : violated
  }

  /// The place of the first value of the state that the invariant refers to.
  func statePlace(_ notation: Notation) -> String? {
    for node in violation?.operands.compactMap({ $0.nodes?.first }) ?? [] {
      guard node.location.first == .name("state"), node.location.count > 1 else { continue }
      return notation.pathText(JSON.Location(Array(node.location.dropFirst())))
    }
    return nil
  }
}

/// The doubts about invariants that no log of a run has dispelled.
struct InvariantDoubts {
  /// The doubts that all logs share, by the name of the invariant.
  private var shared: [String: [String]] = [:]

  mutating func add(_ results: [InvariantResult]) {
    for result in results {
      // A violation shows its doubts itself.
      let doubts = result.violation == nil ? result.doubts : []
      let name = result.invariant.name
      shared[name] = shared[name].map { $0.filter(doubts.contains) } ?? doubts
    }
  }

  /// What to say at the end of a run of all logs.
  ///
  /// - Parameters:
  ///   - invariants: The invariants that were evaluated.
  ///   - features: The features of the host, when they are known here.
  /// - Returns: The warnings, in the order of the invariants.
  func warnings(of invariants: Invariants, features: FeatureCatalog?) -> [String] {
    let known = features?.entries.map(\.name)
    var named: Set<String> = []
    return invariants.all.flatMap { invariant -> [String] in
      if let doubts = shared[invariant.name] { return doubts }
      // A file may be for more features than the logs of one run; one that does not exist is misspelt.
      guard let feature = invariant.feature, known?.contains(feature) != true,
        named.insert(feature).inserted
      else { return [] }
      return [Wording.noSuchFeature(feature, of: invariant, in: invariants.file, known: known)]
    }
  }
}
