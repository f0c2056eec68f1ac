extension JSONPath {
  /// The way of a query through a document, value after value in the order of RFC 9535, section 2.5.
  struct Walk {
    let evaluation: Evaluation
    let segments: [Segment]
    /// Whether somebody asks for the places; without them no path is kept.
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
  /// Applies the segments from one on; false, when the closure wants no more values.
  mutating func visit(_ value: JSON, segment index: Int, _ body: Body) -> Bool {
    guard index < segments.count else { return body(value, location) }
    guard selectChildren(of: value, segment: index, body) else { return false }
    guard segments[index].isDescendant else { return true }
    return visitDescendants(of: value, segment: index, body)
  }

  private mutating func visitDescendants(
    of value: JSON,
    segment index: Int,
    _ body: Body
  ) -> Bool {
    switch value {
    case .array(let elements):
      for (position, element) in elements.enumerated() {
        guard descend(.index(position), element, segment: index, body) else { return false }
      }
    case .object(let object):
      for position in 0..<object.count {
        let name = object.keys[position]
        guard descend(.name(name), object.values[position], segment: index, body) else {
          return false
        }
      }
    default: break
    }
    return true
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
      for position in 0..<object.count where isSelected(object.values[position]) {
        let name = object.keys[position]
        guard descend(.name(name), object.values[position], segment: next, body) else {
          return false
        }
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
