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

  /// Cancels one effect, as a step of another schedule tells it.
  ///
  /// - Parameters:
  ///   - leaf: The effect.
  ///   - dropping: Of how many of the concatenations around it, from the inside, nothing more is to start. What follows
  ///     in those further out starts when the effect returns.
  /// - Returns: The steps to carry out.
  package mutating func cancel(_ leaf: LeafID, dropping: Int = 0) -> [Step] {
    var left = dropping
    var next = leaves[leaf]?.parent
    while left > 0, let id = next, let node = nodes[id] {
      if case .concatenation = node.kind {
        nodes[id]?.kind = .concatenation(rest: [])
        left -= 1
      }
      next = node.parent
    }
    var steps: [Step] = []
    cancel(leaf, by: nil, dropping: dropping, into: &steps)
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
    for node in registered[id]?.nodes(below: path) ?? [] {
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
    var cut: Set<Int> = []
    var open = [top]
    while let id = open.popLast() {
      guard let node = nodes[id] else { continue }
      if case .concatenation(let rest) = node.kind, !kept.contains(id) {
        if !rest.isEmpty { cut.insert(id) }
        // All of this concatenation is cancelled, so nothing more of it starts.
        nodes[id]?.kind = .concatenation(rest: [])
      }
      found += node.leaves
      open += node.nodes
    }
    for leaf in sorted(found) {
      let dropping = cut.isEmpty || action != nil ? 0 : dropped(around: leaf, upTo: top, cut)
      cancel(leaf, by: action, dropping: dropping, into: &steps)
    }
  }

  /// How many concatenations there are around a leaf, from the inside, up to the last one that was cut.
  private func dropped(around leaf: LeafID, upTo top: Int, _ cut: Set<Int>) -> Int {
    var count = 0
    var dropped = 0
    var next = leaves[leaf]?.parent
    while let id = next, let node = nodes[id] {
      if case .concatenation = node.kind { count += 1 }
      if cut.contains(id) { dropped = count }
      next = id == top ? nil : node.parent
    }
    return dropped
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

  private mutating func cancel(
    _ leaf: LeafID,
    by action: Int?,
    dropping: Int,
    into steps: inout [Step]
  ) {
    guard isAlive(leaf) || dropping > 0 else { return }
    leaves[leaf]?.isCancelled = true
    steps.append(.cancel(leaf, by: action, dropping: dropping))
  }
}
