import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Messages about invariants and their violations.
extension Wording {
  static func invariant(_ name: String) -> String { "invariant '\(Notation.visible(name))'" }

  static func describe(_ error: InvariantsError) -> String {
    let place = error.line.map { "\(error.file):\($0)" } ?? error.file
    return "\(place): \(describe(error.problem))"
  }

  private static let example = "'total is not negative: total >= 0'"

  private static func describe(_ problem: InvariantsError.Problem) -> String {
    switch problem {
    case .notText: "found bytes that are not UTF-8; expected lines such as \(example)"
    case .none: "there is no invariant; expected lines such as \(example)"
    case .noName(let text):
      "'\(Notation.visible(text))' has no name; expected 'NAME: EXPR', such as \(example)"
    case .noExpression(let name):
      "'\(Notation.visible(name))' has no expression; expected 'NAME: EXPR', such as \(example)"
    case .badExpression(let error): "\(error)"
    case .unknownMember(let name): unknownMember(name)
    case .duplicate(let name, let first):
      "'\(Notation.visible(name))' is the name of line \(first), too; expected a name for each invariant"
    case .badFeature(let text):
      "found '\(Notation.visible(text))'; expected the name of a feature, such as [Todos], or an invariant"
    }
  }

  package static func violates(_ violations: [InvariantResult]) -> String {
    guard let first = violations.first, let violation = first.violation else { return "" }
    let name = Notation.visible(first.invariant.name)
    let place = violation.action == nil ? "from the start" : "at action \(violation.seq)"
    return "violates '\(name)' \(place)"
      + (violations.count > 1 ? " and \(violations.count - 1) more" : "")
  }

  package static func doesNotHold(_ result: InvariantResult) -> String {
    let violation = result.violation
    let place =
      violation?.action == nil
      ? "before the first action" : "after action \(violation?.seq ?? 0)"
    let count = violation?.count ?? 0
    let rest = count > 1 ? ", and in \(count) of \(result.states) states in all" : ""
    return "\(invariant(result.invariant.name)) does not hold \(place)\(rest)"
  }

  package static func noSuchFeature(
    _ feature: String,
    of invariant: Invariant,
    in file: String,
    known: [String]?
  ) -> String {
    let place = "\(file):\(invariant.line): "
    let name = "'\(Notation.visible(feature))'"
    guard let known else { return "\(place)none of the logs is of feature \(name)" }
    return "\(place)feature \(name) is not in this host; it has: \(known.joined(separator: ", "))"
      + suggestion(for: feature, among: known)
  }

  /// Returns a row for each value of an operand, with the path of the value or the text of the operand.
  package static func lines(
    _ operand: JSONPath.OperandValue,
    _ notation: Notation
  ) -> [(place: String, value: String)] {
    guard let nodes = operand.nodes else {
      return [(operand.text, operand.value.map(notation.value) ?? nothing)]
    }
    guard !nodes.isEmpty else { return [(operand.text, nothing)] }
    let rows = nodes.prefix(mostNodes).map { node -> (place: String, value: String) in
      let pointer = node.pointer
      let value =
        pointer.tokens == ["action"] ? notation.action(node.value) : notation.value(node.value)
      return (
        pointer.tokens.isEmpty
          ? operand.text : notation.pathText(JSON.ValueLocation(node.location)),
        value
      )
    }
    let rest = nodes.count - mostNodes
    return rest > 0 ? rows + [("…", andMore(rest).trimmed)] : rows
  }

  private static let nothing = "nothing"

  /// The maximum number of values to list for each query.
  ///
  /// The message states how many values are not listed.
  private static let mostNodes = 5
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
