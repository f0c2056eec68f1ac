// Paths in the short form of expressions, such as `rows.count`, and the arithmetic operators.

extension JSONPath {
  /// A path in the short form: `count`, `path[1].visit.seconds`, `before.count`, `rows.count`.
  struct ShortPath: Sendable, Hashable {
    /// The path as it was written.
    let text: String
    /// The path, read as a path in the state.
    let place: ValuePath
    /// The path, read as one that starts at a root, or `nil` if its first name isn't one of `roots`.
    let rooted: Rooted?
    /// The path, read as a property of a value, or `nil` if its last name can't be a property.
    let property: Property?

    /// A path that starts at one of the roots.
    struct Rooted: Sendable, Hashable {
      let root: String
      /// The path inside the root, or `nil` for the root itself.
      let place: ValuePath?
    }

    /// A property, such as `count`, of a value that has no member with this name.
    struct Property: Sendable, Hashable {
      enum PropertyName: String, Sendable, CaseIterable { case count, isEmpty }

      let name: PropertyName
      let owner: PropertyOwner
    }
  }

  /// The path of the value that has the property.
  indirect enum PropertyOwner: Sendable, Hashable {
    case place(ShortPath)
  }

  enum Arithmetic: String, Sendable, Hashable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case modulo = "%"
  }
}

extension JSONPath.ShortPath {
  /// The members of the expression's value at which paths can start.
  static let roots = ["state", "before", "action", "reads", "effects", "origin", "seq"]

  /// Parses a path in the short form.
  ///
  /// - Throws: A `NotationSyntaxError` with the position of the error.
  init(parsing text: String) throws(NotationSyntaxError) {
    self.text = text
    place = try ValuePath(parsing: text)
    let first = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let rest = text.dropFirst(first.count)
    if Self.roots.contains(String(first)),
      rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
    {
      let inner = rest.hasPrefix(".") ? rest.dropFirst() : rest
      let place = try inner.isEmpty ? nil : ValuePath(parsing: String(inner))
      rooted = Rooted(root: String(first), place: place)
    } else {
      rooted = nil
    }
    let last =
      text.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let owner = text.dropLast(last.count + 1)
    if let name = Property.PropertyName(rawValue: last), text.hasSuffix(".\(last)"), !owner.isEmpty
    {
      property = Property(
        name: name,
        owner: .place(try JSONPath.ShortPath(parsing: String(owner)))
      )
    } else {
      property = nil
    }
  }

  /// The members of the expression's value that the path can read.
  var members: Set<String> { Set(["state"] + [rooted?.root].compactMap(\.self)) }

  /// Whether the path has a wildcard, which selects all members or elements of a value.
  var standsForMany: Bool { place.standsForMany }

  /// Returns the values that the path selects, with their paths in the expression's value.
  func nodes(in root: JSON) -> [JSONPath.Node] {
    // A member of the state takes precedence over a root or a property with the same name.
    if let nodes = Self.nodes(of: place, in: root, "state") { return nodes }
    if let rooted, let value = root[rooted.root] {
      guard let place = rooted.place else {
        return [JSONPath.Node(location: [.name(rooted.root)], value: value)]
      }
      if let nodes = Self.nodes(of: place, in: root, rooted.root) { return nodes }
    }
    guard let property, case .place(let owner) = property.owner else { return [] }
    return owner.nodes(in: root).compactMap { node in
      property.name.value(of: node.value).map { JSONPath.Node(location: node.location, value: $0) }
    }
  }

  private static func nodes(of place: ValuePath, in root: JSON, _ name: String) -> [JSONPath.Node]?
  {
    guard let value = root[name], case .found(let pointers) = place.resolve(in: value) else {
      return nil
    }
    return pointers.compactMap { pointer in
      value[pointer].map {
        JSONPath.Node(
          location: [.name(name)] + JSON.ValueLocation(pointer, in: value).steps,
          value: $0
        )
      }
    }
  }

  /// Returns the value in which the path starts and the path inside it.
  ///
  /// Used to explain why a path selects no value.
  func start(in root: JSON) -> (value: JSON, place: ValuePath)? {
    if let rooted, let place = rooted.place, let value = root[rooted.root] { return (value, place) }
    return root["state"].map { ($0, place) }
  }
}

extension JSONPath.ShortPath.Property.PropertyName {
  fileprivate func value(of value: JSON) -> JSON? {
    let count: Int
    switch value {
    case .string(let text): count = text.count
    case .array(let elements): count = elements.count
    case .object(let object) where object.firstKey?.isTag != true: count = object.count
    default: return nil
    }
    return self == .count ? .number(JSON.Number(count)) : .bool(count == 0)
  }
}

extension JSONPath.Arithmetic {
  /// Returns the result of the operation, or `nil` if the operation is undefined for the operands.
  func value(_ left: JSON, _ right: JSON) -> JSON? {
    switch (JSONPath.NormalizedValue(left), JSONPath.NormalizedValue(right)) {
    case (.number(let left), .number(let right)):
      if let left = left.int, let right = right.int, let exact = whole(left, right) {
        return .number(JSON.Number(exact))
      }
      return Self.json(double(left.double, right.double))
    case (.date(let left, _), .date(let right, _)) where self == .minus:
      return Self.json(left - right)
    case (.text(let left), .text(let right)) where self == .plus: return .string(left + right)
    default: return nil
    }
  }

  private static func json(_ value: Double) -> JSON? { JSON.Number(value).map(JSON.number) }

  private func whole(_ left: Int, _ right: Int) -> Int? {
    let result: (partialValue: Int, overflow: Bool)
    switch self {
    case .plus: result = left.addingReportingOverflow(right)
    case .minus: result = left.subtractingReportingOverflow(right)
    case .times: result = left.multipliedReportingOverflow(by: right)
    case .divided:
      let rest = left.remainderReportingOverflow(dividingBy: right)
      guard right != 0, !rest.overflow, rest.partialValue == 0 else { return nil }
      result = left.dividedReportingOverflow(by: right)
    case .modulo: result = left.remainderReportingOverflow(dividingBy: right)
    }
    return result.overflow ? nil : result.partialValue
  }

  private func double(_ left: Double, _ right: Double) -> Double {
    switch self {
    case .plus: left + right
    case .minus: left - right
    case .times: left * right
    case .divided: left / right
    case .modulo: left.truncatingRemainder(dividingBy: right)
    }
  }
}
