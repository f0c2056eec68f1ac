extension JSONPath {
  /// The evaluation of queries and conditions for one root value.
  struct Evaluation {
    let root: JSON
  }
}

extension JSONPath.Evaluation {
  func values(of query: JSONPath.Query, at current: JSON) -> [JSON] {
    var values: [JSON] = []
    select(query, at: current) { value in
      values.append(value)
      return true
    }
    return values
  }

  /// Calls a closure with each value that a query selects, in order, until the closure returns `false`.
  func select(
    _ query: JSONPath.Query,
    at current: JSON,
    _ body: (JSON) -> Bool
  ) {
    let start = query.isRelative ? current : root
    if query.isSingular {
      if let value = single(query, from: start) { _ = body(value) }
      return
    }
    var walk = JSONPath.Walk(evaluation: self, segments: query.segments, recordsLocations: false)
    _ = walk.visit(start, segment: 0) { value, _ in body(value) }
  }

  func nodes(of query: JSONPath.Query) -> [JSONPath.Node] {
    var nodes: [JSONPath.Node] = []
    var walk = JSONPath.Walk(evaluation: self, segments: query.segments, recordsLocations: true)
    _ = walk.visit(root, segment: 0) { value, location in
      nodes.append(JSONPath.Node(location: location, value: value))
      return true
    }
    return nodes
  }

  /// Returns the value of a query that consists of names and indexes.
  private func single(_ query: JSONPath.Query, from start: JSON) -> JSON? {
    var value = start
    for segment in query.segments {
      switch (segment.selectors[0], value) {
      case (.name(let name), .object(let object)):
        guard let member = object[name] else { return nil }
        value = member
      case (.index(let index), .array(let elements)):
        let position = index < 0 ? elements.count + index : index
        guard elements.indices.contains(position) else { return nil }
        value = elements[position]
      default: return nil
      }
    }
    return value
  }
}

extension JSONPath.Operand {
  /// The value of an operand that selects no value.
  ///
  /// `null` for a path, as with optional chaining in Swift. `nil` for a query, as the `Nothing` of RFC 9535.
  fileprivate var valueOfNothing: JSON? { if case .place = self { .null } else { nil } }
}

extension JSONPath.Evaluation {
  /// Whether a condition is true if `@` refers to `current`.
  func holds(_ condition: JSONPath.Condition, at current: JSON) -> Bool {
    switch condition {
    case .any(let conditions): conditions.contains { holds($0, at: current) }
    case .all(let conditions): conditions.allSatisfy { holds($0, at: current) }
    case .not(let condition): !holds(condition, at: current)
    case .exists(let query): exists(query, at: current)
    case .comparison(let lhs, let comparison, let rhs):
      compares(lhs, comparison, rhs, at: current)
    case .matches(let operand, let pattern, let isWhole):
      matches(value(of: operand, at: current), pattern, isWhole: isWhole, at: current)
    case .truth(let operand): values(of: operand, at: current).contains(where: \.isTrue)
    case .contains(let whole, let part):
      values(of: whole, at: current).contains { whole in
        value(of: part, at: current).map { whole.contains($0) } ?? false
      }
    case .action(let pattern): root["action"].map { pattern.isFound(in: $0) } ?? false
    }
  }

  /// Whether a comparison of two operands is true.
  ///
  /// If a path selects many values, the comparison must be true for at least one of them.
  private func compares(
    _ lhs: JSONPath.Operand,
    _ comparison: JSONPath.Comparison,
    _ rhs: JSONPath.Operand,
    at current: JSON
  ) -> Bool {
    if case .enumCase(let pattern) = rhs { return compares(lhs, comparison, pattern, at: current) }
    if case .enumCase(let pattern) = lhs { return compares(rhs, comparison, pattern, at: current) }
    guard lhs.standsForMany || rhs.standsForMany else {
      return comparison.holds(
        value(of: lhs, at: current) ?? lhs.valueOfNothing,
        value(of: rhs, at: current) ?? rhs.valueOfNothing
      )
    }
    let right = values(of: rhs, at: current)
    return values(of: lhs, at: current).contains { left in
      right.contains { comparison.holds(left, $0) }
    }
  }

  private func compares(
    _ operand: JSONPath.Operand,
    _ comparison: JSONPath.Comparison,
    _ pattern: ActionPattern,
    at current: JSON
  ) -> Bool {
    let values = values(of: operand, at: current)
    let isAction = operand.isWholeAction
    func isCase(_ value: JSON) -> Bool {
      isAction ? pattern.isFound(in: value) : pattern.isCase(value)
    }
    return switch comparison {
    case .equal: values.contains(where: isCase)
    case .unequal:
      operand.standsForMany ? values.contains { !isCase($0) } : !values.contains(where: isCase)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: false
    }
  }

  /// Returns the values of an operand, which can be many for a path with wildcards.
  private func values(of operand: JSONPath.Operand, at current: JSON) -> [JSON] {
    if case .place(let place) = operand { return place.nodes(in: root).map(\.value) }
    return value(of: operand, at: current).map { [$0] } ?? []
  }

  private func exists(_ query: JSONPath.Query, at current: JSON) -> Bool {
    var found = false
    select(query, at: current) { _ in
      found = true
      return false
    }
    return found
  }

  /// Returns the value of an operand, or `nil` for the `Nothing` of RFC 9535, section 2.4.1.
  func value(of operand: JSONPath.Operand, at current: JSON) -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .enumCase: return nil
    case .place(let place):
      let nodes = place.nodes(in: root)
      return nodes.count == 1 ? nodes[0].value : nil
    case .arithmetic(let left, let arithmetic, let right):
      guard let left = value(of: left, at: current), let right = value(of: right, at: current)
      else { return nil }
      return arithmetic.value(left, right)
    case .query(let query), .value(let query): return onlyValue(of: query, at: current)
    case .length(let operand):
      switch value(of: operand, at: current) {
      case .string(let text): return .number(JSON.Number(text.unicodeScalars.count))
      case .array(let elements): return .number(JSON.Number(elements.count))
      // A tagged value of the format is a single value without members.
      case .object(let object)? where object.firstKey?.isTag != true:
        return .number(JSON.Number(object.count))
      default: return nil
      }
    case .count(let query):
      var count = 0
      select(query, at: current) { _ in
        count += 1
        return true
      }
      return .number(JSON.Number(count))
    }
  }

  private func onlyValue(of query: JSONPath.Query, at current: JSON) -> JSON? {
    var value: JSON?
    var count = 0
    select(query, at: current) { found in
      value = found
      count += 1
      return count < 2
    }
    return count == 1 ? value : nil
  }

  private func matches(
    _ text: JSON?,
    _ pattern: JSONPath.Pattern,
    isWhole: Bool,
    at current: JSON
  ) -> Bool {
    guard let text = text?.string else { return false }
    let expression: JSONPath.RegularExpression? =
      switch pattern {
      case .compiled(let expression): expression
      case .operand(let operand):
        value(of: operand, at: current)?.string.flatMap(JSONPath.RegularExpression.init)
      }
    guard let expression else { return false }
    return isWhole ? expression.matches(text) : expression.isFound(in: text)
  }
}

extension JSONPath.Comparison {
  /// Whether the operator is true for two values, compared by their meaning.
  ///
  /// A value that is missing is `nil` (RFC 9535, section 2.3.5.2.2).
  func holds(_ lhs: JSON?, _ rhs: JSON?) -> Bool {
    switch self {
    case .equal: Self.areEqual(lhs, rhs)
    case .unequal: !Self.areEqual(lhs, rhs)
    case .less: Self.isLess(lhs, rhs)
    case .greater: Self.isLess(rhs, lhs)
    case .lessOrEqual: Self.isLess(lhs, rhs) || Self.areEqual(lhs, rhs)
    case .greaterOrEqual: Self.isLess(rhs, lhs) || Self.areEqual(lhs, rhs)
    }
  }

  private static func areEqual(_ lhs: JSON?, _ rhs: JSON?) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    return JSONPath.NormalizedValue.areEqual(lhs, rhs)
  }

  private static func isLess(_ lhs: JSON?, _ rhs: JSON?) -> Bool {
    guard let lhs, let rhs else { return false }
    return JSONPath.NormalizedValue.isLess(lhs, rhs)
  }
}

extension JSONPath {
  /// A traversal of a document by a query, in the order of RFC 9535, section 2.5.
  struct Walk {
    let evaluation: Evaluation
    let segments: [Segment]
    /// Whether the caller needs the paths of the values, which are otherwise not tracked.
    let recordsLocations: Bool
    private var location: [Node.Step] = []

    init(evaluation: Evaluation, segments: [Segment], recordsLocations: Bool) {
      self.evaluation = evaluation
      self.segments = segments
      self.recordsLocations = recordsLocations
    }

    typealias Body = (JSON, [Node.Step]) -> Bool
  }
}

extension JSONPath.Walk {
  /// Applies the segments from an index on to a value.
  ///
  /// - Returns: `false` if the closure requests a stop.
  mutating func visit(_ value: JSON, segment index: Int, _ body: Body) -> Bool {
    guard index < segments.count else { return body(value, location) }
    guard selectChildren(of: value, segment: index, body) else { return false }
    guard segments[index].isDescendant else { return true }
    return selectEach(.wildcard, of: value, segment: index, body)
  }

  private mutating func selectChildren(
    of value: JSON,
    segment index: Int,
    _ body: Body
  ) -> Bool {
    for selector in segments[index].selectors {
      guard select(selector, of: value, segment: index + 1, body) else { return false }
    }
    return true
  }

  private mutating func select(
    _ selector: JSONPath.Selector,
    of value: JSON,
    segment next: Int,
    _ body: Body
  ) -> Bool {
    switch (selector, value) {
    case (.name(let name), .object(let object)):
      guard let member = object[name] else { return true }
      return descend(.name(name), member, segment: next, body)
    case (.index(let index), .array(let elements)):
      let position = index < 0 ? elements.count + index : index
      guard elements.indices.contains(position) else { return true }
      return descend(.index(position), elements[position], segment: next, body)
    case (.slice(let start, let end, let step), .array(let elements)):
      for position in JSONPath.Slice(start, end, step).positions(count: elements.count) {
        guard descend(.index(position), elements[position], segment: next, body) else {
          return false
        }
      }
      return true
    case (.wildcard, _), (.filter, _):
      return selectEach(selector, of: value, segment: next, body)
    default: return true
    }
  }

  private mutating func selectEach(
    _ selector: JSONPath.Selector,
    of value: JSON,
    segment next: Int,
    _ body: Body
  ) -> Bool {
    func isSelected(_ child: JSON) -> Bool {
      guard case .filter(let condition) = selector else { return true }
      return evaluation.holds(condition, at: child)
    }
    switch value {
    case .array(let elements):
      for (position, element) in elements.enumerated() where isSelected(element) {
        guard descend(.index(position), element, segment: next, body) else { return false }
      }
    case .object(let object):
      for (name, member) in object where isSelected(member) {
        guard descend(.name(name), member, segment: next, body) else { return false }
      }
    default: break
    }
    return true
  }

  private mutating func descend(
    _ step: JSONPath.Node.Step,
    _ value: JSON,
    segment: Int,
    _ body: Body
  ) -> Bool {
    guard recordsLocations else { return visit(value, segment: segment, body) }
    location.append(step)
    defer { location.removeLast() }
    return visit(value, segment: segment, body)
  }
}

extension JSONPath.Operand {
  /// Whether the operand is a path with a wildcard, which can select many values.
  var standsForMany: Bool {
    if case .place(let place) = self { place.standsForMany } else { false }
  }

  /// Whether the operand is the path of the action itself.
  var isWholeAction: Bool {
    switch self {
    case .place(let place): place.text == "action"
    case .query(let query):
      !query.isRelative && query.segments == [JSONPath.Segment(selectors: [.name("action")])]
    default: false
    }
  }
}

extension JSON {
  /// Whether the value counts as true in a condition: a Boolean by its value, and any other value unless it is `null`.
  fileprivate var isTrue: Bool { bool ?? !isNull }

  /// Whether a string contains `part` as a substring, an array as an element, or an object as a key.
  fileprivate func contains(_ part: JSON) -> Bool {
    switch self {
    case .string(let text): part.string.map { text.contains($0) } ?? false
    case .array(let elements):
      elements.contains { JSONPath.NormalizedValue.areEqual($0, part) }
    case .object(let object): part.string.map { object.key(like: $0) != nil } ?? false
    default: false
    }
  }
}
