extension EffectSchedule {
  /// Starts the plan of an action.
  ///
  /// - Parameters:
  ///   - plan: What the action wants to be done.
  ///   - action: The number of the action, which steps and `cancel(actions:)` name it by.
  /// - Returns: The steps to carry out.
  package mutating func start(_ plan: Plan, of action: Int) -> [Step] {
    var steps: [Step] = []
    let root = insert(.root, below: nil, of: action)
    roots[action, default: []].insert(root)
    start(plan, below: root, into: &steps)
    nodes[root]?.isStarting = false
    removeIfEnded(root, into: &steps)
    return steps
  }

  /// Takes note that the operation of an effect has returned, also when it had been cancelled.
  ///
  /// - Parameter leaf: The effect; one that does not run is ignored.
  /// - Returns: The steps to carry out, such as the next part of a concatenation.
  package mutating func finish(_ leaf: LeafID) -> [Step] {
    guard let parent = leaves.removeValue(forKey: leaf)?.parent else { return [] }
    var steps: [Step] = []
    nodes[parent]?.leaves.remove(leaf)
    removeIfEnded(parent, into: &steps)
    return steps
  }

  private mutating func insert(_ kind: Node.Kind, below parent: Int?, of action: Int) -> Int {
    let id = nextOrder()
    nodes[id] = Node(kind: kind, parent: parent, action: action)
    if let parent { nodes[parent]?.nodes.insert(id) }
    return id
  }

  private mutating func start(_ plan: Plan, below parent: Int, into steps: inout [Step]) {
    let action = nodes[parent]?.action ?? 0
    switch plan {
    case .none:
      break
    case .send(let leaf):
      steps.append(.send(leaf))
    case .run(let leaf):
      leaves[leaf] = Leaf(parent: parent, order: nextOrder())
      nodes[parent]?.leaves.insert(leaf)
      steps.append(.run(leaf))
    case .merge(let plans):
      for plan in plans { start(plan, below: parent, into: &steps) }
    case .concatenate(let plans):
      let node = insert(.concatenation(rest: plans[...]), below: parent, of: action)
      advance(node, into: &steps)
      removeIfEnded(node, into: &steps)
    case .cancellable(let id, let path, let cancelInFlight, let plan):
      // Before the node is registered, so that it never cancels what it is about to start.
      if cancelInFlight { cancel(id, at: path, by: action, starting: parent, into: &steps) }
      let node = insert(.cancellable(id, path: path), below: parent, of: action)
      registered[id, default: CancellableNodes()].insert(node, at: path)
      start(plan, below: node, into: &steps)
      nodes[node]?.isStarting = false
      removeIfEnded(node, into: &steps)
    case .cancel(let id, let path):
      cancel(id, at: path, by: action, starting: nil, into: &steps)
    }
  }

  /// Starts parts of a concatenation until one takes time.
  private mutating func advance(_ node: Int, into steps: inout [Step]) {
    nodes[node]?.isStarting = true
    while let current = nodes[node], current.isEmpty,
      case .concatenation(var rest) = current.kind, let next = rest.popFirst()
    {
      nodes[node]?.kind = .concatenation(rest: rest)
      start(next, below: node, into: &steps)
    }
    nodes[node]?.isStarting = false
  }

  private mutating func removeIfEnded(_ start: Int, into steps: inout [Step]) {
    var next: Int? = start
    while let id = next, let node = nodes[id], node.isEmpty, !node.isStarting {
      if case .concatenation(let rest) = node.kind, !rest.isEmpty {
        advance(id, into: &steps)
        guard nodes[id]?.isEmpty == true else { return }
      }
      nodes[id] = nil
      unregister(id, node)
      if let parent = node.parent {
        nodes[parent]?.nodes.remove(id)
      } else {
        roots[node.action]?.remove(id)
        if roots[node.action]?.isEmpty == true { roots[node.action] = nil }
      }
      next = node.parent
    }
  }

  private mutating func unregister(_ id: Int, _ node: Node) {
    guard case .cancellable(let cancelID, let path) = node.kind else { return }
    registered[cancelID]?.remove(id, at: path)
    if registered[cancelID]?.isEmpty == true { registered[cancelID] = nil }
  }
}

extension EffectSchedule {
  /// The leaves that have not begun, because something before them has not ended.
  package var waiting: [LeafID] {
    nodes.values.flatMap { node in
      guard case .concatenation(let rest) = node.kind else { return [LeafID]() }
      return rest.flatMap(\.leaves)
    }
  }
}

extension EffectSchedule.Plan {
  fileprivate var leaves: [LeafID] {
    switch self {
    case .none, .cancel: []
    case .send(let leaf), .run(let leaf): [leaf]
    case .merge(let plans), .concatenate(let plans): plans.flatMap(\.leaves)
    case .cancellable(_, _, _, let plan): plan.leaves
    }
  }
}
