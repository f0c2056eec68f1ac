extension JSONPath {
  /// Queries and conditions, answered for one document.
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

  /// Calls a closure with each selected value in order until it returns false.
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

  /// The value that a query of names and indices alone leads to.
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
