import ActionLog

/// The places of a feature's states, with `[*]` for the rows of a collection: those that its types declare, and those that logs have.
///
/// It knows no values but those of enums with raw values, so it does not grow with the logs.
package struct PlaceTree: Sendable {
  private enum PathComponent: Hashable, Sendable {
    case member(String)
    case element
    /// One of the values that a place can have.
    case value(String)
  }

  private struct TreeNode: Sendable {
    let parent: Int?
    let step: PathComponent?
    var children: [PathComponent: Int] = [:]
    /// The children in the order in which they were met.
    var order: [Int] = []
    /// Whether an array, or an object with keys of any name, stands here.
    var isCollection = false
    /// Whether an element of a stack stands here, which has an id beside it.
    var isStackElement = false
    /// Whether the type of the place has few values, which count one by one.
    var isChoice = false
    var isDeclared = false
  }

  private var nodes = [TreeNode(parent: nil, step: nil)]

  /// No places.
  package init() {}

  /// What a log does with places.
  package struct Marks: Sendable {
    /// The places that have held a value.
    package fileprivate(set) var held = BitSet()
    /// The places that an action, or a change from outside, has written.
    package fileprivate(set) var changed = BitSet()

    package init() {}

    package mutating func formUnion(_ other: Marks) {
      held.formUnion(other.held)
      changed.formUnion(other.changed)
    }
  }

  /// The largest number of members that a type has; more names are the keys of a dictionary.
  private static let mostMembers = 100
}

// MARK: - What types declare

extension PlaceTree {
  /// Adds the places of an outline.
  package mutating func declare(_ outline: TypeOutline) { declare(outline, at: 0) }

  private mutating func declare(_ outline: TypeOutline, at node: Int) {
    nodes[node].isDeclared = true
    switch outline {
    case .value: break
    case .members(let members):
      for member in members { declare(member.outline, at: child(.member(member.name), of: node)) }
    case .cases(let cases):
      for enumCase in cases {
        let place = child(.member(enumCase.name), of: node)
        if let only = enumCase.only {
          declare(only, at: place)
        } else {
          nodes[place].isDeclared = true
          for value in enumCase.payload {
            declare(value.outline, at: child(.member(value.name), of: place))
          }
        }
      }
    case .elements(let element):
      nodes[node].isCollection = true
      declare(element, at: child(.element, of: node))
    case .choice(let values):
      nodes[node].isChoice = true
      for value in values {
        nodes[child(.value(Notation().value(value)), of: node)].isDeclared = true
      }
    }
  }
}

// MARK: - What logs have

extension PlaceTree {
  /// Takes an event.
  package mutating func markPaths(_ event: LogEvent, _ marks: inout Marks) {
    switch event.stateUpdate {
    case .none, .unknown: break
    case .whole(let state): markPaths(state.json, at: 0, isChange: false, &marks)
    case .patch(let patch):
      guard !patch.isEmpty else { return }
      for operation in patch.patch.operations { markPaths(operation, &marks) }
    }
  }

  private mutating func markPaths(_ operation: JSON.Patch.Operation, _ marks: inout Marks) {
    switch operation {
    case .add(let path, let value), .replace(let path, let value):
      markPaths(value, at: node(path), isChange: true, &marks)
    case .splice(let path, _): mark(node(path), isChange: true, &marks)
    case .remove(let path): marks.changed.insert(node(path))
    case .move(let from, let path):
      marks.changed.insert(node(from))
      copy(from, to: path, &marks)
    case .copy(let from, let path): copy(from, to: path, &marks)
    case .test: break
    }
  }

  /// What stands at one place stands at another one from now on.
  private mutating func copy(_ from: JSON.Pointer, to path: JSON.Pointer, _ marks: inout Marks) {
    let (source, target) = (node(from), node(path))
    guard source != target else {
      marks.changed.insert(target)
      return
    }
    // Collected before the copy, which may lie within the original.
    var left = Self.mostCopied - nodes.count
    let parts = parts(of: source, marks, &left)
    copy(parts, to: target, &marks)
  }

  /// Places from which on a tree grows by no further copies: a patch may double them with each operation, and no app has so many.
  private static let mostCopied = 10_000

  /// What a place holds, with the places in it that hold something.
  private struct HeldPaths {
    var isHeld: Bool
    var children: [(step: PathComponent, parts: HeldPaths)] = []
    var isEmpty: Bool { !isHeld && children.isEmpty }
  }

  private func parts(of node: Int, _ marks: Marks, _ left: inout Int) -> HeldPaths {
    var parts = HeldPaths(isHeld: marks.held.contains(node))
    for child in nodes[node].order {
      guard let step = nodes[child].step, left > 0 else { continue }
      left -= 1
      let own = self.parts(of: child, marks, &left)
      if !own.isEmpty { parts.children.append((step, own)) }
    }
    return parts
  }

  private mutating func copy(_ parts: HeldPaths, to target: Int, _ marks: inout Marks) {
    mark(target, isHeld: parts.isHeld, &marks)
    for child in parts.children {
      copy(child.parts, to: self.child(child.step, of: target), &marks)
    }
  }

  private func mark(_ node: Int, isHeld: Bool, _ marks: inout Marks) {
    marks.changed.insert(node)
    if isHeld { marks.held.insert(node) }
  }

  private func mark(_ node: Int, isChange: Bool, _ marks: inout Marks) {
    marks.held.insert(node)
    if isChange { marks.changed.insert(node) }
  }

  /// Marks the places of a value.
  private mutating func markPaths(
    _ value: JSON,
    at node: Int,
    isChange: Bool,
    _ marks: inout Marks
  ) {
    switch value {
    case .object(let object):
      guard let first = object.firstKey else { return mark(node, isChange: isChange, &marks) }
      if object.count == 1, first == "$some" || first == "_0" {
        return markPaths(object.values[0], at: node, isChange: isChange, &marks)
      }
      if first.hasPrefix("$"), !first.hasPrefix("$$") {
        return mark(node, isChange: isChange, &marks)
      }
      if nodes[node].step == .element, object.keys == ["id", "element"],
        object.values[0].number != nil
      {
        nodes[node].isStackElement = true
        return markPaths(object.values[1], at: node, isChange: isChange, &marks)
      }
      for (name, member) in object {
        markPaths(member, at: child(named: name, of: node), isChange: isChange, &marks)
      }
    case .array(let elements):
      nodes[node].isCollection = true
      if elements.isEmpty { mark(node, isChange: isChange, &marks) }
      for element in elements {
        markPaths(element, at: child(.element, of: node), isChange: isChange, &marks)
      }
    default:
      mark(node, isChange: isChange, &marks)
      if nodes[node].isChoice {
        let place = child(.value(Notation().value(value)), of: node)
        mark(place, isChange: isChange, &marks)
      }
    }
  }

  /// The place to which a pointer leads.
  private mutating func node(_ pointer: JSON.Pointer) -> Int {
    var node = 0
    for token in pointer.tokens {
      switch token {
      case "$some": continue
      // The wrappers that the value is found in.
      case "_0" where nodes[node].children[.member(token)] == nil: continue
      case "element"
      where nodes[node].step == .element && nodes[node].children[.member(token)] == nil:
        continue
      // Another element came into its place.
      case "id" where nodes[node].isStackElement: continue
      case _ where token.hasPrefix("$") && !token.hasPrefix("$$"): return node
      default: node = child(named: token, of: node)
      }
    }
    return node
  }

  private mutating func child(named name: String, of node: Int) -> Int {
    let isKey =
      nodes[node].isCollection
      || nodes[node].children[.member(name)] == nil
        && (!Self.canBeMember(name) || nodes[node].order.count >= Self.mostMembers)
    return child(isKey ? .element : .member(name), of: node)
  }

  /// Whether a name can be that of a member or a case; ids and texts are keys.
  private static func canBeMember(_ name: String) -> Bool {
    name.isSwiftIdentifier || name.isPlaceOfPayload
  }

  private mutating func child(_ step: PathComponent, of node: Int) -> Int {
    if let child = nodes[node].children[step] { return child }
    let child = nodes.count
    nodes.append(TreeNode(parent: node, step: step))
    nodes[node].children[step] = child
    nodes[node].order.append(child)
    return child
  }
}

// MARK: - Places

extension PlaceTree {
  /// A place that has no other places in it, or a value of one with few values.
  package struct LeafPath: Sendable {
    /// The number by which marks name it.
    package let number: Int
    /// `todos[*].title`, or `filter == "active"`.
    package let text: String
    /// Whether it is a value of a place, which has an entry of its own.
    package let isValue: Bool
    /// Whether the types declare it.
    package let isDeclared: Bool
  }

  /// The places that types declare.
  package var declared: [String] { places(Marks()).map(\.text) }

  /// The places that types declare or logs have.
  ///
  /// - Parameter marks: What all logs together do with places; those of a log that could not be read to its end are left out.
  /// - Returns: The places, in the order in which they were met.
  package func places(_ marks: Marks) -> [LeafPath] {
    var places: [LeafPath] = []
    _ = collect(0, "", marks, into: &places)
    return places
  }

  /// - Returns: Whether there is a place here.
  private func collect(
    _ node: Int,
    _ text: String,
    _ marks: Marks,
    into places: inout [LeafPath]
  ) -> Bool {
    let own = nodes[node]
    let position = places.count
    var hasParts = false
    for child in own.order {
      guard let step = nodes[child].step else { continue }
      if case .value(let value) = step {
        guard nodes[child].isDeclared || marks.held.contains(child) else { continue }
        places.append(
          LeafPath(
            number: child,
            text: "\(text.isEmpty ? Self.whole : text) == \(value)",
            isValue: true,
            isDeclared: nodes[child].isDeclared
          )
        )
      } else if collect(child, Self.text(text, step), marks, into: &places) {
        hasParts = true
      }
    }
    if hasParts { return true }
    guard own.isDeclared || marks.held.contains(node) || places.count > position else {
      return false
    }
    let place = LeafPath(
      number: node,
      text: text.isEmpty ? Self.whole : text,
      isValue: false,
      isDeclared: own.isDeclared
    )
    places.insert(place, at: position)
    return true
  }

  /// The name of a state without parts.
  private static let whole = "state"

  private static func text(_ parent: String, _ step: PathComponent) -> String {
    switch step {
    case .element: return "\(parent)[*]"
    case .value(let value): return "\(parent) == \(value)"
    case .member(let name):
      let dot = parent.isEmpty ? "" : "."
      if name.isPlaceOfPayload { return "\(parent)\(dot)\(name.dropFirst())" }
      return "\(parent)\(dot)\(Notation.visible(name))"
    }
  }
}
