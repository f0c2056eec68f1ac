extension JSONPath {
  /// A comparison or test in an expression, for messages that explain its result.
  package struct Clause: Sendable, Hashable {
    private let kind: Kind
    private let left: Operand
    private let right: Operand
    /// The queries of the enclosing filters, outermost first.
    ///
    /// These queries select the values to which `@` refers.
    private let filtered: [Query]

    /// The kind of comparison or test.
    package enum Kind: Sendable, Hashable {
      /// A comparison with the given operator.
      case comparison(String)
      /// A test of a string against a pattern.
      case match
      /// A test whether a query selects a value.
      case existence
      /// A test whether a value exists.
      ///
      /// If the value is a Boolean, it must also be `true`.
      case truth
    }

    /// One operand of a clause, evaluated for one value of `@`.
    package struct ClauseOperand: Sendable {
      /// The operand's value, or `nil` if it has none.
      package let value: JSON?
      /// The path to the value, or `nil` if the operand isn't a query of names and indexes.
      package let clausePath: ClausePath?
      /// The path of an operand in the short form, such as `rows.count`: its text, the parsed path, and the value in
      /// which the path starts.
      ///
      /// `nil` for other operands.
      package var place: (text: String, place: ValuePath, start: JSON)?
    }

    /// A path from the root, or from the value that a filter tests.
    package struct ClausePath: Sendable {
      /// The value in which the path starts.
      package let start: JSON
      /// The names and indexes in the path.
      package let path: JSON.ValueLocation
      /// Whether the path starts at the value that a filter tests instead of the root.
      package let isRelative: Bool
    }
  }
}

extension JSONPath.Expression {
  /// The comparisons and tests in the expression, including those in its filters.
  package var clauses: [JSONPath.Clause] { condition.clauses(within: []) }
}

extension JSONPath.Expression {
  /// Returns the operands with their values, without literals and duplicates, in the order of the expression.
  ///
  /// Operands inside filters are omitted.
  package func operands(in root: JSON) -> [JSONPath.OperandValue] {
    var seen: Set<String> = []
    return clauses.flatMap { $0.operands(in: root) }.filter { seen.insert($0.text).inserted }
  }
}

extension JSONPath {
  /// An operand in an expression, and its value.
  package struct OperandValue: Sendable, Hashable {
    /// The operand as text, with filters and slices abbreviated.
    package let text: String
    /// The values that a path or query selects, with their paths.
    ///
    /// `nil` for a function or an arithmetic expression.
    package let nodes: [Node]?
    /// The result of a function or an arithmetic expression, or `nil` if it has none.
    package let value: JSON?

    fileprivate init(text: String, nodes: [Node]) {
      (self.text, self.nodes, value) = (text, nodes, nil)
    }

    fileprivate init(text: String, value: JSON?) {
      (self.text, nodes, self.value) = (text, nil, value)
    }
  }
}

extension JSONPath.Condition {
  fileprivate func clauses(within filtered: [JSONPath.Query]) -> [JSONPath.Clause] {
    switch self {
    case .any(let conditions), .all(let conditions):
      conditions.flatMap { $0.clauses(within: filtered) }
    case .not(let condition): condition.clauses(within: filtered)
    case .exists(let query):
      [JSONPath.Clause(.existence, .query(query), .query(query), filtered)]
        + query.clauses(within: filtered)
    case .comparison(let left, let comparison, let right):
      [JSONPath.Clause(.comparison(comparison.rawValue), left, right, filtered)]
        + left.clauses(within: filtered) + right.clauses(within: filtered)
    case .matches(let operand, let pattern, _):
      [JSONPath.Clause(.match, operand, pattern.operand, filtered)]
        + operand.clauses(within: filtered)
    case .truth(let operand):
      [JSONPath.Clause(.truth, operand, operand, filtered)] + operand.clauses(within: filtered)
    case .contains(let whole, let part):
      [
        JSONPath.Clause(.truth, whole, whole, filtered),
        JSONPath.Clause(.truth, part, part, filtered),
      ]
        + whole.clauses(within: filtered) + part.clauses(within: filtered)
    case .action: []
    }
  }
}

extension JSONPath.Pattern {
  /// The operand that contains the pattern, or an empty literal for a compiled pattern.
  fileprivate var operand: JSONPath.Operand {
    switch self {
    case .compiled: .literal("")
    case .operand(let operand): operand
    }
  }
}

extension JSONPath.Operand {
  fileprivate func clauses(within filtered: [JSONPath.Query]) -> [JSONPath.Clause] {
    switch self {
    case .literal, .place, .enumCase: []
    case .query(let query), .count(let query), .value(let query): query.clauses(within: filtered)
    case .length(let operand): operand.clauses(within: filtered)
    // The expression has a value only if both operands have one, so each operand is also a test.
    case .arithmetic(let left, _, let right):
      [left, right].flatMap {
        [JSONPath.Clause(.truth, $0, $0, filtered)] + $0.clauses(within: filtered)
      }
    }
  }
}

extension JSONPath.Query {
  /// Returns the comparisons and tests in the query's filters.
  fileprivate func clauses(within filtered: [JSONPath.Query]) -> [JSONPath.Clause] {
    segments.indices.flatMap { index in
      segments[index].selectors.flatMap { selector -> [JSONPath.Clause] in
        guard case .filter(let condition) = selector else { return [] }
        // The filter tests the children of the values that the earlier segments select, and with `..` all descendants.
        var query = self
        query.segments = Array(segments[..<index])
        query.segments.append(
          JSONPath.Segment(isDescendant: segments[index].isDescendant, selectors: [.wildcard])
        )
        return condition.clauses(within: (query.isRelative ? filtered : []) + [query])
      }
    }
  }

  /// The names and indexes in the query, or `nil` if it has other selectors or negative indexes.
  fileprivate var path: JSON.ValueLocation? {
    var steps: [JSONPath.Node.Step] = []
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .name(let name): steps.append(.name(name))
      case .index(let index) where index >= 0: steps.append(.index(index))
      case .index, .wildcard, .slice, .filter: return nil
      }
    }
    return JSON.ValueLocation(steps)
  }
}

extension JSONPath.Clause {
  fileprivate init(
    _ kind: Kind,
    _ left: JSONPath.Operand,
    _ right: JSONPath.Operand,
    _ filtered: [JSONPath.Query]
  ) {
    self.kind = kind
    self.left = left
    self.right = right
    self.filtered = filtered
  }

  /// The kind of comparison or test.
  package var asks: Kind { kind }

  /// Whether the clause is in a filter, so that `@` refers to values inside the root.
  private var isFiltering: Bool { !filtered.isEmpty }

  /// Whether one operand is the literal `null`, which can be compared with any value.
  package var comparesWithNull: Bool { left == .literal(.null) || right == .literal(.null) }

  /// The operand that is a literal, or `nil` if neither is one.
  package var literal: JSON? {
    for case .literal(let value) in [left, right] { return value }
    return nil
  }

  /// Returns both operands for each value to which `@` refers.
  package func sides(in root: JSON) -> [(left: ClauseOperand, right: ClauseOperand)] {
    let evaluation = JSONPath.Evaluation(root: root)
    var values = [root]
    for query in filtered {
      values = values.flatMap { evaluation.values(of: query, at: $0) }
    }
    return values.map { value in
      (side(left, at: value, evaluation), side(right, at: value, evaluation))
    }
  }

  private func side(
    _ operand: JSONPath.Operand,
    at current: JSON,
    _ evaluation: JSONPath.Evaluation
  ) -> ClauseOperand {
    var clausePath: ClausePath?
    if let query = operand.query, let path = query.path {
      let isRelative = query.isRelative && isFiltering
      clausePath = ClausePath(
        start: isRelative ? current : evaluation.root,
        path: path,
        isRelative: isRelative
      )
    }
    if case .place(let short) = operand {
      var side = ClauseOperand(
        value: short.nodes(in: evaluation.root).first?.value,
        clausePath: nil
      )
      side.place = short.start(in: evaluation.root).map { (short.text, $0.place, $0.value) }
      return side
    }
    if case .enumCase = operand { return ClauseOperand(value: nil, clausePath: nil) }
    if kind == .existence, let query = operand.query {
      return ClauseOperand(
        value: evaluation.values(of: query, at: current).first,
        clausePath: clausePath
      )
    }
    return ClauseOperand(value: evaluation.value(of: operand, at: current), clausePath: clausePath)
  }

  /// Returns the operands that depend only on the root, except literals and enum cases.
  ///
  /// Their values explain the result of the clause.
  fileprivate func operands(in root: JSON) -> [JSONPath.OperandValue] {
    guard !isFiltering else { return [] }
    let evaluation = JSONPath.Evaluation(root: root)
    return ([.existence, .truth].contains(kind) ? [left] : [left, right]).compactMap { operand in
      switch operand {
      case .literal, .enumCase: return nil
      case .place(let place):
        return JSONPath.OperandValue(text: operand.text, nodes: place.nodes(in: root))
      case .arithmetic:
        return JSONPath.OperandValue(
          text: operand.text,
          value: evaluation.value(of: operand, at: root)
        )
      case .query(let query), .value(let query):
        return JSONPath.OperandValue(text: operand.text, nodes: evaluation.nodes(of: query))
      case .length, .count:
        return JSONPath.OperandValue(
          text: operand.text,
          value: evaluation.value(of: operand, at: root)
        )
      }
    }
  }

  /// The clause as text, such as `$.state.count < "3"`.
  package var description: String {
    switch kind {
    case .comparison(let name): "\(left.text) \(name) \(right.text)"
    case .match: "match(\(left.text), …)"
    case .existence, .truth: left.text
    }
  }

  /// The enum case that one operand of `==` consists of, and whether the left operand is compared with that case.
  ///
  /// `nil` if neither operand is a case, or if the other operand is the action.
  package var askedCase: (pattern: ActionPattern, isLeft: Bool)? {
    guard kind == .comparison("==") else { return nil }
    if case .enumCase(let pattern) = right, !left.isWholeAction { return (pattern, true) }
    if case .enumCase(let pattern) = left, !right.isWholeAction { return (pattern, false) }
    return nil
  }

  package var texts: (left: String, right: String) { (left.text, right.text) }

  /// The text of the query for the containers whose children the innermost filter tests.
  package var filteredText: String {
    var query = filtered.last ?? JSONPath.Query()
    if !query.segments.isEmpty { query.segments.removeLast() }
    return query.text
  }
}

extension JSONPath.Clause.ClausePath {
  /// The path in the short form of expressions, such as `rows[0].title` for `$.state.rows[0].title`.
  ///
  /// `nil` if the path doesn't lead into a state or an action.
  package var shortText: String? {
    guard !isRelative, path.steps.count > 1, case .name(let root)? = path.steps.first else {
      return nil
    }
    let place = Notation().pathText(JSON.ValueLocation(Array(path.steps.dropFirst())))
    return switch root {
    case "state": place
    case "before", "action": "\(root).\(place)"
    default: nil
    }
  }

  /// The path in the short form, or `nil` if that form selects no value.
  package var shortTextThatFinds: String? {
    guard let text = shortText, let place = try? JSONPath.ShortPath(parsing: text),
      !place.nodes(in: start).isEmpty
    else { return nil }
    return text
  }
}

extension JSONPath.Expression {
  /// The patterns with which the expression compares actions.
  package var actions: [ActionPattern] { condition.actions }
}

extension JSONPath.Condition {
  fileprivate var actions: [ActionPattern] {
    switch self {
    case .any(let conditions), .all(let conditions): conditions.flatMap(\.actions)
    case .not(let condition): condition.actions
    case .action(let pattern): [pattern]
    case .comparison(.enumCase(let pattern), _, let other) where other.isWholeAction: [pattern]
    case .comparison(let other, _, .enumCase(let pattern)) where other.isWholeAction: [pattern]
    case .exists, .comparison, .matches, .truth, .contains: []
    }
  }
}

extension JSONPath.Operand {
  /// The query in the operand, or `nil` if it has none.
  fileprivate var query: JSONPath.Query? {
    switch self {
    case .literal, .place, .enumCase, .arithmetic: nil
    case .query(let query), .count(let query), .value(let query): query
    case .length(let operand): operand.query
    }
  }

  fileprivate var text: String {
    switch self {
    case .literal(let value): value.description
    case .query(let query): query.text
    case .length(let operand): "length(\(operand.text))"
    case .count(let query): "count(\(query.text))"
    case .value(let query): "value(\(query.text))"
    case .place(let place): place.text
    case .enumCase(let pattern): pattern.description
    case .arithmetic(let left, let arithmetic, let right):
      "\(left.text) \(arithmetic.rawValue) \(right.text)"
    }
  }
}

extension JSONPath.Query {
  /// The query as text, with its filters and slices abbreviated.
  fileprivate var text: String {
    segments.reduce(isRelative ? "@" : "$") { text, segment in
      text + (segment.isDescendant ? ".." : "")
        + segment.selectors.map { $0.text(isDescendant: segment.isDescendant) }.joined()
    }
  }
}

extension JSONPath.Selector {
  fileprivate func text(isDescendant: Bool) -> String {
    switch self {
    case .name(let name): JSONPath.text(ofName: name, isDescendant: isDescendant)
    case .wildcard: "[*]"
    case .index(let index): "[\(index)]"
    case .slice: "[:]"
    case .filter: "[?…]"
    }
  }
}

extension JSONPath {
  private static func text(ofName name: String, isDescendant: Bool) -> String {
    let isPlain =
      name.first.map { $0.isLetter || $0 == "_" } == true
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    guard isPlain else { return "[\(JSON.string(name))]" }
    return isDescendant ? name : ".\(name)"
  }

  /// Returns the text of a query for a path from the root, or from the value that a filter tests.
  package static func text(of path: JSON.ValueLocation, isRelative: Bool) -> String {
    path.steps.reduce(isRelative ? "@" : "$") { query, step in
      switch step {
      case .name(let name): text(query, member: name)
      case .index(let index): "\(query)[\(index)]"
      }
    }
  }

  /// Returns the text of a query for the member `name` of the values that `query` selects.
  package static func text(_ query: String, member name: String) -> String {
    query + text(ofName: name, isDescendant: false)
  }
}
