import ActionLog
import ReplayEngine

/// The words of expressions that cannot come out as meant.
extension Wording {
  static func doubt(_ doubt: ConditionSurvey.Doubt, _ option: String) -> String {
    switch doubt {
    case .missing(let path, let place, let owner):
      let query = JSONPath.text(of: path, isRelative: owner != nil)
      let nearest = nearest(
        place,
        root: "the element",
        name: { JSONPath.text(of: $0, isRelative: owner != nil) }
      )
      return "\(option): \(bearer(of: path, owner)) has anything at '\(query)'\(nearest)"
    case .unlike(let part, let left, let right):
      return "\(option): \(unlike(part, left, right))"
    }
  }

  private static func bearer(of path: JSON.Pointer, _ owner: String?) -> String {
    if let owner { return "no element of '\(owner)'" }
    return ["state", "before"].contains(path.tokens.first ?? "")
      ? "no state of the log" : "no action of the log"
  }

  private static func unlike(_ part: JSONPath.Part, _ left: JSON, _ right: JSON) -> String {
    let outcome = part.asks == .comparison("!=") ? "always true" : "never true"
    let consequence = "so '\(part.description)' is \(outcome)"
    guard part.asks == .match || part.literal != nil else {
      return "'\(part.texts.left)' and '\(part.texts.right)' are never of one type in the log,"
        + " \(consequence); they are \(example(left)) and \(example(right))"
    }
    let isLeftLiteral = part.literal == left && part.literal != right
    let (query, value, wanted) =
      isLeftLiteral ? (part.texts.right, right, left) : (part.texts.left, left, right)
    var text =
      "'\(query)' is never \(wanted.kind) in the log, \(consequence); it is \(example(value))"
    if let name = wanted.string, !name.isEmpty, value.object?.count == 1 {
      text += "; '\(JSONPath.text(query, member: name))' asks for a case"
    }
    return text
  }

  private static func example(_ value: JSON) -> String {
    "\(value.kind) such as \(value.abbreviated)"
  }
}
