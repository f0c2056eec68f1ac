import ActionLog

/// The combined shape of all values that occur at a path in a log: the union of their members and of their elements.
final class ObservedShape {
  private(set) var names: [String] = []
  private var members: [String: ObservedShape] = [:]
  private(set) var elements: ObservedShape?
  private(set) var hasObjects = false
  /// The distinct scalar values except `null`.
  private(set) var scalars: [JSON] = []

  /// The maximum number of scalars to store, which is enough to distinguish an enumeration from free text.
  private static let mostScalars = 16

  init(_ values: some Sequence<JSON> = []) {
    for value in values { add(value) }
  }

  func add(_ value: JSON) {
    switch value {
    case .null: break
    case .object(let object):
      hasObjects = true
      for (name, member) in object {
        let shape = members[name] ?? ObservedShape()
        if members[name] == nil { names.append(name) }
        members[name] = shape
        shape.add(member)
      }
    case .array(let values):
      let shape = elements ?? ObservedShape()
      elements = shape
      for value in values { shape.add(value) }
    default:
      if scalars.count < Self.mostScalars, !scalars.contains(value) { scalars.append(value) }
    }
  }

  subscript(name: String) -> ObservedShape? { members[name] }

  /// Whether all inserted values were `null`.
  var isEmpty: Bool { !hasObjects && elements == nil && scalars.isEmpty }

  /// The combined shape of the elements of arrays or the values of dictionaries, which the wildcard `*` matches.
  var anyElement: ObservedShape? {
    if let elements { return elements }
    guard hasObjects else { return nil }
    let all = ObservedShape()
    for name in names { members[name].map(all.merge) }
    return all
  }

  private func merge(_ other: ObservedShape) {
    hasObjects = hasObjects || other.hasObjects
    for value in other.scalars where !scalars.contains(value) { scalars.append(value) }
    for name in other.names {
      if members[name] == nil {
        names.append(name)
        members[name] = ObservedShape()
      }
      if let member = other[name] { members[name]?.merge(member) }
    }
    if let part = other.elements {
      let shape = elements ?? ObservedShape()
      elements = shape
      shape.merge(part)
    }
  }

  /// Returns the shape of a stack's elements, or `nil` if this shape is not that of a stack element with its ID.
  ///
  /// The log stores each element of a stack next to its ID.
  func stackElement(of outline: TypeOutline) -> ObservedShape? {
    guard case .cases(let cases) = outline, names == ["id", "element"],
      !cases.contains(where: { names.contains($0.name) })
    else { return nil }
    return self["element"]
  }

  /// Returns whether values of this shape can belong to a type with an outline.
  ///
  /// An outline does not distinguish scalar types.
  func fits(_ outline: TypeOutline) -> Bool {
    guard !isEmpty else { return true }
    switch outline {
    case .value: return true
    case .members(let list):
      let known = Set(list.map(\.name))
      return hasObjects && (known.isEmpty && names.isEmpty || names.contains(where: known.contains))
    case .cases(let cases):
      let known = Set(cases.map(\.name))
      return hasObjects && names.contains(where: known.contains)
    case .elements(let part):
      guard let element = anyElement else { return false }
      return (element.stackElement(of: part) ?? element).fits(part)
    case .choice(let values): return !scalars.isEmpty && scalars.allSatisfy(values.contains)
    }
  }

  /// Returns whether values of this shape can be the payload of an enum case.
  func fits(_ payload: [TypeOutline.Member]) -> Bool {
    guard hasObjects, names.count == payload.count else { return false }
    return zip(names, payload).allSatisfy { self[$0]?.fits($1.outline) ?? true }
  }
}
