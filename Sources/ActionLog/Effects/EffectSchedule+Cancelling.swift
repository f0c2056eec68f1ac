extension EffectSchedule {
  /// Cancels the effects under an id at a path and below it.
  ///
  /// - Returns: The steps to carry out.
  package mutating func cancel(_ id: CancelID, path: [PathElement]) -> [Step] {
    var steps: [Step] = []
    cancel(id, at: path, by: nil, starting: nil, into: &steps)
    return steps
  }

  /// Cancels all that actions have started, and what would have come after it.
  ///
  /// - Returns: The steps to carry out.
  package mutating func cancel(actions: some Sequence<Int>) -> [Step] {
    var steps: [Step] = []
    for root in actions.flatMap({ roots[$0] ?? [] }).sorted() {
      cancel(below: root, by: nil, into: &steps)
    }
    return steps
  }

  /// Cancels effects one by one; what follows them in a concatenation starts when they return.
  ///
  /// - Returns: The steps to carry out.
  package mutating func cancel(leaves ids: some Sequence<LeafID>) -> [Step] {
    var steps: [Step] = []
    for leaf in ids { cancel(leaf, by: nil, into: &steps) }
    return steps
  }

  /// Cancels everything, as the end of a store does.
  ///
  /// - Returns: The steps to carry out.
  package mutating func cancelAll() -> [Step] {
    cancel(actions: roots.keys.sorted())
  }

  mutating func cancel(
    _ id: CancelID,
    at path: [PathElement],
    by action: Int?,
    starting: Int?,
    into steps: inout [Step]
  ) {
    for node in registered[id] ?? [] {
      guard
        case .cancellable(_, let registeredPath) = nodes[node]?.kind,
        registeredPath.starts(with: path)
      else { continue }
      cancel(below: node, by: action, starting: starting, into: &steps)
    }
  }

  /// Cancels what has started below a node.
  ///
  /// - Parameters:
  ///   - top: The node.
  ///   - action: The action whose plan cancels, nil for a call.
  ///   - starting: The node below which a plan is just being started with `cancelInFlight`. What it
  ///     stands in is not in flight, so the rest of a concatenation around it stays.
  ///   - steps: Where the steps go.
  private mutating func cancel(
    below top: Int,
    by action: Int?,
    starting: Int? = nil,
    into steps: inout [Step]
  ) {
    let kept = ancestors(of: starting)
    var found: [LeafID] = []
    var open = [top]
    while let id = open.popLast() {
      guard let node = nodes[id] else { continue }
      if case .concatenation = node.kind, !kept.contains(id) {
        // All of this concatenation is cancelled, so nothing more of it starts.
        nodes[id]?.kind = .concatenation(rest: [])
      }
      found += node.leaves
      open += node.nodes
    }
    for leaf in sorted(found) { cancel(leaf, by: action, into: &steps) }
  }

  /// A node and all that are above it.
  private func ancestors(of node: Int?) -> Set<Int> {
    var found: Set<Int> = []
    var next = node
    while let id = next {
      found.insert(id)
      next = nodes[id]?.parent
    }
    return found
  }

  private mutating func cancel(_ leaf: LeafID, by action: Int?, into steps: inout [Step]) {
    guard isAlive(leaf) else { return }
    leaves[leaf]?.isCancelled = true
    steps.append(.cancel(leaf, by: action))
  }
}
