import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

extension InvariantResult {
  /// Returns lines that show the first violation of the invariant, with the values to which the invariant refers.
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

  /// Returns the values that an operand has selected, as JSON objects.
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

  /// The maximum number of values to show, because a query such as `$..*` selects the complete state.
  private static let mostValues = 100

  /// A JSONPath condition that is true where the invariant is violated.
  var violationCondition: String {
    let violated = "!(\(invariant.expression))"
    // Before the first action, an invariant about actions does not apply.
    return invariant.isAboutActions ? "$.action && \(violated)" : violated
  }

  /// Returns the path of the first value in the state to which the invariant refers, or `nil` if there is none.
  func statePlace(_ notation: Notation) -> String? {
    for node in violation?.operands.compactMap({ $0.nodes?.first }) ?? [] {
      guard node.location.first == .name("state"), node.location.count > 1 else { continue }
      return notation.pathText(JSON.ValueLocation(Array(node.location.dropFirst())))
    }
    return nil
  }
}

/// The doubts about invariants that apply to all logs of a run, such as a path that exists in none of them.
struct InvariantWarnings {
  /// The doubts that apply to all logs so far, by the name of the invariant.
  private var shared: [String: [String]] = [:]

  mutating func add(_ results: [InvariantResult]) {
    for result in results {
      // The report on a violation already contains the doubts.
      let doubts = result.violation == nil ? result.doubts : []
      let name = result.invariant.name
      shared[name] = shared[name].map { $0.filter(doubts.contains) } ?? doubts
    }
  }

  /// Returns the warnings to print at the end of a run.
  ///
  /// - Parameters:
  ///   - invariants: The invariants of the run.
  ///   - features: The features of the host, or `nil` if they are not known.
  /// - Returns: The warnings in the order of the invariants.
  func warnings(of invariants: Invariants, features: FeatureCatalog?) -> [String] {
    let known = features?.entries.map(\.name)
    var named: Set<String> = []
    return invariants.all.flatMap { invariant -> [String] in
      if let doubts = shared[invariant.name] { return doubts }
      // A file may contain invariants for features that no log of this run has. A feature that the host lacks is
      // misspelled.
      guard let feature = invariant.feature, known?.contains(feature) != true,
        named.insert(feature).inserted
      else { return [] }
      return [Wording.noSuchFeature(feature, of: invariant, in: invariants.file, known: known)]
    }
  }
}
