/// The lifetimes of effects: which are alive, which are cancelled, and which start after them.
///
/// The live store and the simulated one of a replay drive this state machine, so that both cancel, chain and finish effects
/// in the same way. It holds no tasks and no clock: each call returns the steps that its owner carries out.
///
/// - `LeafID` names an effect, once in the life of a schedule.
/// - `CancelID` is an id by which effects are cancelled, `PathElement` a step of the navigation path at which they were
///   made. A cancellation at a path reaches effects at it and below it.
package struct EffectSchedule<
  LeafID: Hashable & Sendable,
  CancelID: Hashable & Sendable,
  PathElement: Hashable & Sendable
>: Sendable {
  private var nodes: [Int: Node] = [:]
  private var leaves: [LeafID: Leaf] = [:]
  /// The cancellable nodes under each id.
  private var registered: [CancelID: CancellableNodes<PathElement>] = [:]
  private var roots: [Int: Set<Int>] = [:]
  private var counter = 0

  /// Makes a schedule without effects.
  package init() {}

  /// A started part of a plan that waits for effects below it.
  private struct Node: Sendable {
    enum Kind: Sendable {
      case root
      case cancellable(CancelID, path: [PathElement])
      case concatenation(rest: ArraySlice<Plan>)
    }
    var kind: Kind
    let parent: Int?
    let action: Int
    var nodes: Set<Int> = []
    var leaves: Set<LeafID> = []
    /// Whether the node's children are being started, so that it may have none yet.
    var isStarting = true
    var isEmpty: Bool { nodes.isEmpty && leaves.isEmpty }
  }

  private struct Leaf: Sendable {
    let parent: Int
    let order: Int
    var isCancelled = false
  }

  private mutating func nextOrder() -> Int {
    counter += 1
    return counter
  }
}

extension EffectSchedule {
  /// The effects that run and were not cancelled, in the order they started.
  package var alive: [LeafID] {
    sorted(leaves.filter { !$0.value.isCancelled }.map(\.key))
  }

  /// Whether an effect runs and was not cancelled.
  package func isAlive(_ leaf: LeafID) -> Bool {
    leaves[leaf].map { !$0.isCancelled } ?? false
  }

  /// Whether the operation of an effect has begun and not yet returned, cancelled or not.
  package func isRunning(_ leaf: LeafID) -> Bool {
    leaves[leaf] != nil
  }

  /// Calls a function with each effect that runs, and whether it was cancelled, in no order.
  package func forEachRunning(_ body: (LeafID, _ isCancelled: Bool) -> Void) {
    for (id, leaf) in leaves { body(id, leaf.isCancelled) }
  }

  /// The effects that run and were not cancelled, or that other effects wait for.
  package var pending: [LeafID] {
    sorted(leaves.filter { !$0.value.isCancelled || hasRest(above: $0.value) }.map(\.key))
  }

  private func hasRest(above leaf: Leaf) -> Bool {
    var next: Int? = leaf.parent
    while let id = next, let node = nodes[id] {
      if case .concatenation(let rest) = node.kind, !rest.isEmpty { return true }
      next = node.parent
    }
    return false
  }

  /// Whether an effect of an action has not ended.
  package func hasWork(of action: Int) -> Bool {
    roots[action] != nil
  }

  /// Whether neither effects nor registrations are left.
  package var isEmpty: Bool {
    nodes.isEmpty && leaves.isEmpty && registered.isEmpty && roots.isEmpty
  }

  private func sorted(_ ids: some Sequence<LeafID>) -> [LeafID] {
    ids.sorted { (leaves[$0]?.order ?? 0) < (leaves[$1]?.order ?? 0) }
  }
}

extension EffectSchedule {
  /// Starts the plan of an action.
  ///
  /// - Parameters:
  ///   - plan: The effects of the action.
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

  /// Takes note that the operation of an effect has returned, even if it had been cancelled.
  ///
  /// - Parameter leaf: The effect; ignored if it does not run.
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
      // Before the node is registered, so that it never cancels its own effects.
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
  /// The leaves that have not begun because effects before them have not ended.
  package var waiting: [LeafID] {
    var waiting: [LeafID] = []
    for node in nodes.values {
      guard case .concatenation(let rest) = node.kind else { continue }
      for plan in rest { waiting += plan.leaves }
    }
    return waiting
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

extension EffectSchedule {
  /// Cancels the effects under an id at a path and below it.
  ///
  /// - Returns: The steps to carry out.
  package mutating func cancel(_ id: CancelID, path: [PathElement]) -> [Step] {
    var steps: [Step] = []
    cancel(id, at: path, by: nil, starting: nil, into: &steps)
    return steps
  }

  /// Cancels all effects of actions, and those that would have come after them.
  ///
  /// - Returns: The steps to carry out.
  package mutating func cancel(actions: some Sequence<Int>) -> [Step] {
    var steps: [Step] = []
    for root in actions.flatMap({ roots[$0] ?? [] }).sorted() {
      cancel(below: root, by: nil, into: &steps)
    }
    return steps
  }

  /// Cancels one effect, as a step of another schedule asks for it.
  ///
  /// - Parameters:
  ///   - leaf: The effect.
  ///   - dropping: The number of concatenations around it, from the inside, that start nothing more. The next parts of
  ///     outer ones start when the effect returns.
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

  private mutating func cancel(
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

  /// Cancels the effects that have started below a node.
  ///
  /// - Parameters:
  ///   - top: The node.
  ///   - action: The action whose plan cancels, nil for a call.
  ///   - starting: The node below which a plan is being started with `cancelInFlight`. The nodes around it are not in
  ///     flight, so the rest of a concatenation around it stays.
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
    var cancelled: [Int] = []
    var isStarting = false
    var open = [top]
    while let id = open.popLast() {
      guard let node = nodes[id] else { continue }
      isStarting = isStarting || node.isStarting
      if !kept.contains(id) { cancelled.append(id) }
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
    // Nothing comes to life any more below these, so that the next cancellation passes them, though it may take long until
    // their operations return.
    guard !isStarting else { return }
    for id in cancelled { if let node = nodes[id] { unregister(id, node) } }
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

  /// A node and all nodes above it.
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
