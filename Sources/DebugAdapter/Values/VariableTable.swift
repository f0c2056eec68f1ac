import ActionLog

/// The expandable values and the references that the client received for them.
///
/// References are valid until the log moves. A reference is never reused.
struct VariableTable {
  private var children: [Int: Variable.Children] = [:]
  private var last = 0
  private let notation: Notation

  /// The maximum number of children in a response to a client that requests no range.
  private static let most = 1000
  /// The number of elements per range in a long list.
  private static let range = 100

  init(_ notation: Notation) { self.notation = notation }

  /// Invalidates all references, because the log has moved.
  mutating func forget() { children = [:] }

  /// Registers the children of a variable, and returns a reference to them, or 0 if there are none.
  mutating func reference(_ children: Variable.Children?) -> Int {
    guard let children, last < Int(Int32.max) else { return 0 }
    last += 1
    self.children[last] = children
    return last
  }

  /// The kinds of children that a client can request.
  enum Filter: String {
    case named, indexed
  }

  /// Returns the variables below a reference.
  ///
  /// - Parameters:
  ///   - reference: A reference that the client received for a variable or a scope.
  ///   - filter: The kind of children, or `nil` for all.
  ///   - start: The index of the first variable among those of the kind.
  ///   - limit: The number of variables, or `nil` for all.
  /// - Returns: The variables in order.
  /// - Throws: `RequestError`.
  func variables(
    _ reference: Int,
    _ filter: Filter? = nil,
    from start: Int = 0,
    limit: Int? = nil
  ) throws(RequestError) -> [Variable] {
    guard let children = children[reference] else { throw .noSuchReference(reference) }
    func wanted(_ count: Int) -> Range<Int> {
      let start = min(start, count)
      return start..<(start + min(count - start, limit ?? count))
    }
    switch children {
    case .list(let variables):
      return filter == .indexed ? [] : Array(variables[wanted(variables.count)])
    case .elements(let part, let range):
      let wanted = wanted(range.count)
      return part.children(
        range.lowerBound + wanted.lowerBound..<range.lowerBound + wanted.upperBound,
        notation
      )
    case .parts(let part):
      let count = part.count
      let kind: Filter = count.indexed > 0 ? .indexed : .named
      guard filter == nil || filter == kind else { return [] }
      let all = count.named + count.indexed
      guard limit == nil, all > Self.most else { return part.children(wanted(all), notation) }
      return stride(from: 0, to: all, by: Self.range).map { start in
        let range = start..<min(start + Self.range, all)
        return Variable(
          name: "[\(range.lowerBound)…\(range.upperBound - 1)]",
          value: "",
          children: .elements(part, range)
        )
      }
    }
  }

  /// Returns the variable with a name below a reference.
  ///
  /// - Throws: `RequestError`.
  func variable(_ name: String, below reference: Int) throws(RequestError) -> Variable {
    guard let children = children[reference] else { throw .noSuchReference(reference) }
    let found: Variable? =
      switch children {
      case .list(let variables): variables.first { $0.name == name }
      case .elements(let part, _), .parts(let part):
        part.children(0..<(part.count.named + part.count.indexed), notation)
          .first { $0.name == name }
      }
    guard let found else { throw .noSuchVariable(name) }
    return found
  }

  /// Returns a variable in the protocol's JSON format.
  mutating func json(_ variable: Variable) -> JSON {
    var object: JSON.Object = ["name": .string(variable.name)]
    describe(variable, valueAs: "value", in: &object)
    object["evaluateName"] = variable.evaluateName.map(JSON.string)
    return .object(object)
  }

  /// Adds the members that describe a value to a JSON object.
  mutating func describe(
    _ variable: Variable,
    valueAs name: String,
    in object: inout JSON.Object
  ) {
    object[name] = .string(variable.value)
    object["variablesReference"] = .number(JSON.Number(reference(variable.children)))
    let (named, indexed) = variable.children?.count ?? (0, 0)
    if named > Self.range { object["namedVariables"] = .number(JSON.Number(named)) }
    if indexed > 0 { object["indexedVariables"] = .number(JSON.Number(indexed)) }
    var attributes: [JSON] = []
    if variable.isChanged { attributes.append("changed") }
    if !attributes.isEmpty { object["presentationHint"] = ["attributes": .array(attributes)] }
  }
}

extension Variable.Children {
  /// The number of named children, and the number of indexed children.
  var count: (named: Int, indexed: Int) {
    switch self {
    case .parts(let part): part.count
    case .elements(_, let range): (0, range.count)
    case .list(let variables): (variables.count, 0)
    }
  }
}
