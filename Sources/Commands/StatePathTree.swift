import ActionLog

/// A tree of the paths in a feature's states, with `[*]` for the elements of a collection.
///
/// The paths come from declared types and from logs. No values are stored except those of types with few values, so
/// memory does not grow with the logs.
package struct StatePathTree: Sendable {
  private enum PathComponent: Hashable, Sendable {
    case member(String)
    case element
    /// One value of a type with few values.
    case value(String)
  }

  private struct TreeNode: Sendable {
    let parent: Int?
    let step: PathComponent?
    var children: [PathComponent: Int] = [:]
    /// The indexes of the child nodes, in the order in which they were added.
    var order: [Int] = []
    /// Whether the node is an array, or an object whose keys are data.
    var isCollection = false
    /// Whether the node is a stack element, which a log stores as an object with `id` and `element`.
    var isStackElement = false
    /// Whether each value at the path is counted separately, because its type has few values.
    var isChoice = false
    var isDeclared = false
  }

  private var nodes = [TreeNode(parent: nil, step: nil)]

  /// Creates a tree that contains only the root.
  package init() {}

  /// The numbers of the paths that a log reaches.
  package struct ReachedPaths: Sendable {
    /// The paths that have had a value in some state.
    package fileprivate(set) var held = BitSet()
    /// The paths that an action or an external change has written.
    package fileprivate(set) var changed = BitSet()

    package init() {}

    package mutating func formUnion(_ other: ReachedPaths) {
      held.formUnion(other.held)
      changed.formUnion(other.changed)
    }
  }

  /// The maximum number of members in an object, above which the object counts as a dictionary.
  private static let mostMembers = 100
}

// MARK: - Paths of declared types

extension StatePathTree {
  /// Adds the paths that the outline of a state type declares.
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

// MARK: - Paths in logs

extension StatePathTree {
  /// Marks the paths that an event's state or patch contains.
  package mutating func markPaths(_ event: LogEvent, _ marks: inout ReachedPaths) {
    switch event.stateUpdate {
    case .none, .unknown: break
    case .whole(let state): markPaths(state.json, at: 0, isChange: false, &marks)
    case .patch(let patch):
      guard !patch.isEmpty else { return }
      for operation in patch.patch.operations { markPaths(operation, &marks) }
    }
  }

  private mutating func markPaths(_ operation: JSON.Patch.Operation, _ marks: inout ReachedPaths) {
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

  /// Marks the paths that get a value when a patch copies or moves a subtree.
  private mutating func copy(
    _ from: JSON.Pointer,
    to path: JSON.Pointer,
    _ marks: inout ReachedPaths
  ) {
    let (source, target) = (node(from), node(path))
    guard source != target else {
      marks.changed.insert(target)
      return
    }
    // The destination may be inside the source, so all nodes are collected before any is added.
    var left = Self.mostCopied - nodes.count
    let parts = parts(of: source, marks, &left)
    copy(parts, to: target, &marks)
  }

  /// The number of nodes above which copied subtrees are no longer added.
  ///
  /// Each copy operation in a patch can double the number of paths. No real app has that many.
  private static let mostCopied = 10_000

  /// The marked paths of a subtree, and whether its root has had a value.
  private struct ReachedSubtree {
    var isHeld: Bool
    var children: [(step: PathComponent, parts: ReachedSubtree)] = []
    var isEmpty: Bool { !isHeld && children.isEmpty }
  }

  private func parts(of node: Int, _ marks: ReachedPaths, _ left: inout Int) -> ReachedSubtree {
    var parts = ReachedSubtree(isHeld: marks.held.contains(node))
    for child in nodes[node].order {
      guard let step = nodes[child].step, left > 0 else { continue }
      left -= 1
      let own = self.parts(of: child, marks, &left)
      if !own.isEmpty { parts.children.append((step, own)) }
    }
    return parts
  }

  private mutating func copy(_ parts: ReachedSubtree, to target: Int, _ marks: inout ReachedPaths) {
    mark(target, isHeld: parts.isHeld, &marks)
    for child in parts.children {
      copy(child.parts, to: self.child(child.step, of: target), &marks)
    }
  }

  private func mark(_ node: Int, isHeld: Bool, _ marks: inout ReachedPaths) {
    marks.changed.insert(node)
    if isHeld { marks.held.insert(node) }
  }

  private func mark(_ node: Int, isChange: Bool, _ marks: inout ReachedPaths) {
    marks.held.insert(node)
    if isChange { marks.changed.insert(node) }
  }

  /// Marks the paths inside a value.
  private mutating func markPaths(
    _ value: JSON,
    at node: Int,
    isChange: Bool,
    _ marks: inout ReachedPaths
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

  /// Returns the node for a pointer, and adds it if it is missing.
  private mutating func node(_ pointer: JSON.Pointer) -> Int {
    var node = 0
    for token in pointer.tokens {
      switch token {
      case "$some": continue
      // The log format wraps an unlabeled associated value in `_0`.
      case "_0" where nodes[node].children[.member(token)] == nil: continue
      case "element"
      where nodes[node].step == .element && nodes[node].children[.member(token)] == nil:
        continue
      // A changed id means that another element has moved to this index.
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

  /// Returns whether a name can be the name of a member or a case.
  ///
  /// Other names, such as ids, are dictionary keys.
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

// MARK: - List of paths

extension StatePathTree {
  /// A path without children, or one value at a path whose type has few values.
  package struct LeafPath: Sendable {
    /// The number that `ReachedPaths` uses for the path.
    package let number: Int
    /// The path as text, such as `todos[*].title` or `filter == "active"`.
    package let text: String
    /// Whether the entry is for one value at a path, in addition to the entry for the path.
    package let isValue: Bool
    /// Whether the feature's types declare the path.
    package let isDeclared: Bool
  }

  /// The paths that the types declare, as text.
  package var declared: [String] { places(ReachedPaths()).map(\.text) }

  /// Returns the paths that the types declare, and the paths that are marked.
  ///
  /// - Parameter marks: The paths that logs or states reach.
  /// - Returns: The paths in depth-first order. Siblings keep the order in which they were added to the tree.
  package func places(_ marks: ReachedPaths) -> [LeafPath] {
    var places: [LeafPath] = []
    _ = collect(0, "", marks, into: &places)
    return places
  }

  /// Appends the paths in a node's subtree to the result.
  ///
  /// - Returns: Whether the subtree contains a path.
  private func collect(
    _ node: Int,
    _ text: String,
    _ marks: ReachedPaths,
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

  /// The text for a state that is a single value without members.
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
