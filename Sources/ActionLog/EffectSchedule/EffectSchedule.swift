/// The lifetimes of effects: which are alive, which are canceled, and which start later.
///
/// Live stores and replays use the same state machine, so that both cancel, chain, and finish effects in the same
/// order. The schedule holds no tasks and no clock. Each call returns the commands that the owner must carry out.
///
/// - `LeafID` identifies an effect and is never reused within a schedule.
/// - `CancelID` is an id under which effects are canceled. `PathElement` is an element of the navigation path at which
///   these effects were created. A cancellation reaches effects at its path and below it.
///
/// Live stores call specialized functions. The generic functions look up type metadata, which took half of the
/// instructions of a cancellation (measured).
package struct EffectSchedule<
  LeafID: Hashable & Sendable,
  CancelID: Hashable & Sendable,
  PathElement: Hashable & Sendable
>: Sendable {
  private var parts = Forest(blank: PlanNode(kind: .root, action: 0, order: 0))
  /// The index in `parts` of each running effect's leaf.
  private var leaves: [LeafID: Int] = [:]
  /// The indexes in `parts` of the cancelable nodes, by cancellation id.
  private var registered: [CancelID: CancellableNodesByPath<PathElement>] = [:]
  /// The index in `parts` of each action's root node, by the action's number.
  private var roots: [Int: Int] = [:]
  private var counter = 0
  /// The nodes that were canceled during the current call.
  private var cancelled: [Int] = []
  /// Whether the owner has other schedules, so that cancellations by plans are also returned as commands.
  private let isOneOfSeveral: Bool

  /// The ids and paths of cancelable nodes that have no more effects to cancel, and of cancellations that were carried
  /// out, one entry for each.
  ///
  /// Other nodes can have the same id. `nil` if the owner doesn't call `consumeReleased()`.
  private var released: [(id: CancelID, path: [PathElement])]?

  /// Creates an empty schedule.
  ///
  /// - Parameters:
  ///   - isOneOfSeveral: Whether the owner has other schedules, in which plans of this schedule also cancel effects.
  ///   - tellsReleases: Whether the schedule collects the ids that `consumeReleased()` returns.
  package init(isOneOfSeveral: Bool = false, tellsReleases: Bool = false) {
    self.isOneOfSeveral = isOneOfSeveral
    released = tellsReleases ? [] : nil
  }

  /// A node of a plan that has started and not ended.
  private struct PlanNode: Sendable {
    enum Kind: Hashable, Sendable {
      case root
      case cancellable(CancelID, path: [PathElement])
      case concatenation(rest: ArraySlice<Plan>)
      case leaf(LeafID)
    }
    var kind: Kind
    let action: Int
    let order: Int
    /// Whether the node's children are still being started.
    ///
    /// A node that has no children has ended only if this is `false`.
    var isStarting = true
    var isCancelled = false
  }
}

extension EffectSchedule {
  /// The effects that run and are not canceled, in the order in which they started.
  package var alive: [LeafID] { sorted(leaves.values.filter { !parts[$0].isCancelled }) }

  /// Whether an effect runs and is not canceled.
  package func isAlive(_ leaf: LeafID) -> Bool {
    leaves[leaf].map { !parts[$0].isCancelled } ?? false
  }

  /// Whether an effect's operation has started and not returned, even if the effect is canceled.
  package func isRunning(_ leaf: LeafID) -> Bool { leaves[leaf] != nil }

  /// Calls a function with each running effect and whether the effect is canceled, in no particular order.
  package func forEachRunning(_ body: (LeafID, _ isCancelled: Bool) -> Void) {
    for (id, part) in leaves { body(id, parts[part].isCancelled) }
  }

  /// The running effects that are not canceled or that have effects waiting for them.
  package var pending: [LeafID] {
    sorted(leaves.values.filter { !parts[$0].isCancelled || hasRest(above: $0) })
  }

  private func hasRest(above leaf: Int) -> Bool {
    var next = parts.parent(of: leaf)
    while let part = next {
      if case .concatenation(let rest) = parts[part].kind, !rest.isEmpty { return true }
      next = parts.parent(of: part)
    }
    return false
  }

  /// The effects that wait for earlier effects to end.
  package var waiting: [LeafID] {
    var waiting: [LeafID] = []
    for part in parts.values {
      guard case .concatenation(let rest) = part.kind else { continue }
      for plan in rest { waiting += plan.leaves }
    }
    return waiting
  }

  /// Whether an action has effects that run or wait.
  package func hasWork(of action: Int) -> Bool { roots[action] != nil }

  /// Returns the running effects that a cancellation under an id at a path would cancel, in no particular order.
  package func alive(under id: CancelID, path: [PathElement]) -> [LeafID] {
    var alive: [LeafID] = []
    var open = registered[id]?.nodes(below: path) ?? []
    while let part = open.popLast() {
      if case .leaf(let leaf) = parts[part].kind, !parts[part].isCancelled { alive.append(leaf) }
      parts.forEachChild(of: part) { open.append($0) }
    }
    return alive
  }

  /// The ids under which effects can be canceled.
  package var cancellableIDs: some Sequence<CancelID> { registered.keys }

  /// The cancellation ids around a running effect, and those of the parts that wait for it, outermost first.
  ///
  /// An element is `nil` in place of an id under which no effect can be canceled anymore.
  package typealias SurroundingIDs = [(id: CancelID, path: [PathElement])?]

  /// Calls a function with each running effect and the ids around it.
  package func forEachSurroundingIDs(_ body: (LeafID, SurroundingIDs) -> Void) {
    for (leaf, part) in leaves { body(leaf, ids(around: part)) }
  }

  private func ids(around leaf: Int) -> SurroundingIDs {
    var ids: SurroundingIDs = []
    for part in parts.path(to: leaf).reversed() {
      switch parts[part].kind {
      case .cancellable(let id, let path): ids.append(isSpent(part) ? nil : (id, path))
      case .concatenation(let rest): for plan in rest { plan.forEachID { ids.append(($0, $1)) } }
      case .root, .leaf: break
      }
    }
    return ids
  }

  /// Returns how many parts of each concatenation around a running effect have not started, outermost first.
  package func waitingParts(around leaf: LeafID) -> [Int] {
    guard let leaf = leaves[leaf] else { return [] }
    return parts.path(to: leaf).reversed().compactMap { part in
      if case .concatenation(let rest) = parts[part].kind { rest.count } else { nil }
    }
  }

  /// Returns and clears the ids and paths of cancelable nodes that have no more effects to cancel, and of cancellations
  /// that were carried out or dropped.
  ///
  /// An id occurs once for each of them. Others can still have the same id.
  package mutating func consumeReleased() -> [(id: CancelID, path: [PathElement])] {
    guard released?.isEmpty == false else { return [] }
    defer { released = [] }
    return released ?? []
  }

  /// The number of plan nodes that have started and not ended.
  package var count: Int { parts.count }

  /// A hash of the contents on which later commands depend, except the order in which effects started.
  package var standingHash: Int { roots.values.reduce(0) { $0 &+ hash(of: $1) } }

  private func hash(of part: Int) -> Int {
    // The hash can ignore `registered`. A node that is missing there has no more effects to cancel.
    var below = 0
    parts.forEachChild(of: part) { below &+= hash(of: $0) }
    var hasher = Hasher()
    hasher.combine(below)
    hasher.combine(parts[part].kind)
    hasher.combine(parts[part].action)
    hasher.combine(parts[part].isCancelled)
    return hasher.finalize()
  }

  /// Whether the schedule has no effects and no registrations.
  package var isEmpty: Bool {
    parts.isEmpty && leaves.isEmpty && registered.isEmpty && roots.isEmpty
  }

  private func sorted(_ leaves: [Int]) -> [LeafID] {
    leaves.sorted { parts[$0].order < parts[$1].order }.compactMap { part in
      if case .leaf(let leaf) = parts[part].kind { leaf } else { nil }
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

  /// Calls a function with each cancellation id in the plan.
  fileprivate func forEachID(_ body: (CancelID, [PathElement]) -> Void) {
    switch self {
    case .none, .send, .run: break
    case .merge(let plans), .concatenate(let plans): for plan in plans { plan.forEachID(body) }
    case .cancellable(let id, let path, _, let plan):
      body(id, path)
      plan.forEachID(body)
    case .cancel(let id, let path): body(id, path)
    }
  }
}

// MARK: - Starting and finishing effects

extension EffectSchedule {
  /// Starts the plan of an action.
  ///
  /// - Parameters:
  ///   - plan: The effects of the action.
  ///   - action: The action's number, by which commands and `cancel(actions:)` refer to the plan.
  /// - Returns: The commands to carry out.
  @_specialize(where LeafID == Int, CancelID == CancelKey, PathElement == NavigationID)
  package mutating func start(_ plan: Plan, of action: Int) -> [EffectCommand] {
    defer { forgetCancelled() }
    var steps: [EffectCommand] = []
    let root = roots[action] ?? insert(.root, below: nil, of: action)
    parts[root].isStarting = true
    roots[action] = root
    start(plan, below: root, of: action, into: &steps)
    parts[root].isStarting = false
    removeIfEnded(root, into: &steps)
    return steps
  }

  /// Records that the operation of an effect has returned, even if the effect was canceled.
  ///
  /// - Parameter leaf: The effect. Ignored if it isn't running.
  /// - Returns: The commands to carry out, such as the start of the next part of a concatenation.
  @_specialize(where LeafID == Int, CancelID == CancelKey, PathElement == NavigationID)
  package mutating func finish(_ leaf: LeafID) -> [EffectCommand] {
    guard let part = leaves.removeValue(forKey: leaf) else { return [] }
    defer { forgetCancelled() }
    var steps: [EffectCommand] = []
    let parent = parts.parent(of: part)
    _ = parts.remove(part)
    if let parent { removeIfEnded(parent, into: &steps) }
    return steps
  }

  private mutating func insert(_ kind: PlanNode.Kind, below parent: Int?, of action: Int) -> Int {
    counter += 1
    return parts.insert(PlanNode(kind: kind, action: action, order: counter), below: parent)
  }

  private mutating func start(
    _ plan: Plan,
    below parent: Int,
    of action: Int,
    into steps: inout [EffectCommand]
  ) {
    switch plan {
    case .none:
      break
    case .send(let leaf):
      steps.append(.send(leaf))
    case .run(let leaf):
      leaves[leaf] = insert(.leaf(leaf), below: parent, of: action)
      steps.append(.run(leaf))
    case .merge(let plans):
      for plan in plans { start(plan, below: parent, of: action, into: &steps) }
    case .concatenate(let plans):
      let part = insert(.concatenation(rest: plans[...]), below: parent, of: action)
      advance(part, into: &steps)
      removeIfEnded(part, into: &steps)
    case .cancellable(let id, let path, let cancelInFlight, let plan):
      // Cancels before the node is registered, so that the plan never cancels its own effects.
      if cancelInFlight { cancel(id, at: path, by: action, starting: parent, into: &steps) }
      let part = insert(.cancellable(id, path: path), below: parent, of: action)
      registered[id, default: CancellableNodesByPath()].insert(part, at: path)
      start(plan, below: part, of: action, into: &steps)
      parts[part].isStarting = false
      removeIfEnded(part, into: &steps)
    case .cancel(let id, let path):
      cancel(id, at: path, by: action, starting: nil, into: &steps)
      released?.append((id, path))
    }
  }

  /// Starts the parts of a concatenation, up to the first one that doesn't end immediately.
  private mutating func advance(_ part: Int, into steps: inout [EffectCommand]) {
    parts[part].isStarting = true
    let action = parts[part].action
    while !parts.hasChildren(part), case .concatenation(var rest) = parts[part].kind,
      let next = rest.popFirst()
    {
      parts[part].kind = .concatenation(rest: rest)
      start(next, below: part, of: action, into: &steps)
    }
    parts[part].isStarting = false
  }

  private mutating func removeIfEnded(_ start: Int, into steps: inout [EffectCommand]) {
    var next: Int? = start
    while let part = next, !parts.hasChildren(part), !parts[part].isStarting {
      if case .concatenation(let rest) = parts[part].kind, !rest.isEmpty {
        advance(part, into: &steps)
        guard !parts.hasChildren(part) else { return }
      }
      next = parts.parent(of: part)
      let ended = parts.remove(part)
      unregister(part, ended)
      if next == nil { roots[ended.action] = nil }
    }
  }

  private mutating func unregister(_ number: Int, _ part: PlanNode) {
    guard case .cancellable(let id, let path) = part.kind,
      let index = registered.index(forKey: id)
    else { return }
    if registered.values[index].remove(number, at: path) { released?.append((id, path)) }
    if registered.values[index].isEmpty { registered.remove(at: index) }
  }
}

// MARK: - Canceling effects

extension EffectSchedule {
  /// Cancels the effects under an id, at a path and below it.
  ///
  /// - Returns: The commands to carry out.
  @_specialize(where LeafID == Int, CancelID == CancelKey, PathElement == NavigationID)
  package mutating func cancel(_ id: CancelID, path: [PathElement]) -> [EffectCommand] {
    defer { forgetCancelled() }
    var steps: [EffectCommand] = []
    cancel(id, at: path, by: nil, starting: nil, into: &steps)
    return steps
  }

  /// Cancels all effects of actions, including those that have not started.
  ///
  /// - Returns: The commands to carry out.
  package mutating func cancel(actions: some Sequence<Int>) -> [EffectCommand] {
    defer { forgetCancelled() }
    var steps: [EffectCommand] = []
    for root in inOrder(actions.compactMap { roots[$0] }) {
      cancel(below: root, by: nil, into: &steps)
    }
    return steps
  }

  /// Cancels one effect, and drops later parts of the concatenations around it.
  ///
  /// A replay repeats the `cancel` commands of the recorded store's schedule with this function.
  ///
  /// - Parameters:
  ///   - leaf: The effect to cancel.
  ///   - dropping: The number of concatenations around the effect, from the inside, that start no further parts. Outer
  ///     concatenations continue when the effect returns.
  /// - Returns: The commands to carry out.
  @_specialize(where LeafID == Int, CancelID == CancelKey, PathElement == NavigationID)
  package mutating func cancel(_ leaf: LeafID, dropping: Int = 0) -> [EffectCommand] {
    guard let part = leaves[leaf] else {
      return dropping > 0 ? [.cancel(leaf, by: nil, dropping: dropping)] : []
    }
    defer { forgetCancelled() }
    var left = dropping
    var next = parts.parent(of: part)
    while left > 0, let part = next {
      if case .concatenation = parts[part].kind {
        dropRest(of: part)
        left -= 1
      }
      next = parts.parent(of: part)
    }
    var steps: [EffectCommand] = []
    cancel(part, leaf, by: nil, dropping: dropping, into: &steps)
    return steps
  }

  /// Cancels all effects, as when a store ends.
  ///
  /// - Returns: The commands to carry out.
  package mutating func cancelAll() -> [EffectCommand] { cancel(actions: roots.keys) }

  private func inOrder(_ some: [Int]) -> [Int] {
    some.count < 2 ? some : some.sorted { parts[$0].order < parts[$1].order }
  }

  private mutating func cancel(
    _ id: CancelID,
    at path: [PathElement],
    by action: Int?,
    starting: Int?,
    into steps: inout [EffectCommand]
  ) {
    for part in inOrder(registered[id]?.nodes(below: path) ?? []) {
      cancel(below: part, by: action, starting: starting, into: &steps)
    }
    unregisterSpent()
    if isOneOfSeveral, action != nil { steps.append(.cancelElsewhere(id, path: path)) }
  }

  /// Cancels the started effects below a node.
  ///
  /// - Parameters:
  ///   - top: The index of the node.
  ///   - action: The number of the action whose plan cancels, or `nil` for a call.
  ///   - starting: The node below which a plan with `cancelInFlight` is being started. The nodes around it are not in
  ///     flight, so concatenations among them continue.
  ///   - steps: The array to which the commands are appended.
  private mutating func cancel(
    below top: Int,
    by action: Int?,
    starting: Int? = nil,
    into steps: inout [EffectCommand]
  ) {
    let kept = starting.map { parts.path(to: $0) } ?? []
    var found: [Int] = []
    var cut: Set<Int> = []
    var open = [top]
    while let number = open.popLast() {
      if case .leaf = parts[number].kind {
        found.append(number)
        continue
      }
      if !kept.contains(number), case .concatenation(let rest) = parts[number].kind, !rest.isEmpty {
        cut.insert(number)
        // All started parts of this concatenation are canceled, so its later parts never start.
        dropRest(of: number)
      }
      parts.forEachChild(of: number) { open.append($0) }
    }
    for number in inOrder(found) {
      guard case .leaf(let leaf) = parts[number].kind else { continue }
      let dropping = cut.isEmpty || action != nil ? 0 : dropped(around: number, upTo: top, cut)
      cancel(number, leaf, by: action, dropping: dropping, into: &steps)
    }
  }

  /// Unregisters each ancestor of a canceled node, if no effect below the ancestor can be canceled anymore.
  ///
  /// Canceled operations can take long to return, and further cancellations can skip them. With this rule,
  /// registrations depend only on the effects that are alive. A schedule that starts with the same effects has the same
  /// registrations.
  private mutating func unregisterSpent() {
    var passed: Set<Int> = []
    var left: [Int] = []
    for part in cancelled {
      var next: Int? = part
      while let number = next, passed.insert(number).inserted {
        // A node that is being started can still get effects.
        guard isSpent(number) else {
          left.append(part)
          break
        }
        unregister(number, parts[number])
        next = parts.parent(of: number)
      }
    }
    cancelled = left
  }

  /// Unregisters spent nodes around those that the current call has canceled, and clears `cancelled`.
  private mutating func forgetCancelled() {
    guard !cancelled.isEmpty else { return }
    unregisterSpent()
    cancelled = []
  }

  /// Whether no effect below a node is alive or can still start.
  private func isSpent(_ top: Int) -> Bool {
    var open = [top]
    while let number = open.popLast() {
      switch parts[number].kind {
      case .leaf: if !parts[number].isCancelled { return false }
      case .concatenation(let rest):
        if parts[number].isStarting || !rest.isEmpty { return false }
      case .root, .cancellable: if parts[number].isStarting { return false }
      }
      parts.forEachChild(of: number) { open.append($0) }
    }
    return true
  }

  /// Removes the parts of a concatenation that have not started.
  private mutating func dropRest(of part: Int) {
    guard case .concatenation(let rest) = parts[part].kind else { return }
    parts[part].kind = .concatenation(rest: [])
    cancelled.append(part)
    guard released != nil else { return }
    for plan in rest { plan.forEachID { released?.append(($0, $1)) } }
  }

  /// Returns the number of concatenations around a leaf, from the inside, up to the outermost one whose later parts
  /// were dropped.
  private func dropped(around leaf: Int, upTo top: Int, _ cut: Set<Int>) -> Int {
    var count = 0
    var dropped = 0
    var next = parts.parent(of: leaf)
    while let number = next {
      if case .concatenation = parts[number].kind { count += 1 }
      if cut.contains(number) { dropped = count }
      next = number == top ? nil : parts.parent(of: number)
    }
    return dropped
  }

  private mutating func cancel(
    _ part: Int,
    _ leaf: LeafID,
    by action: Int?,
    dropping: Int,
    into steps: inout [EffectCommand]
  ) {
    guard !parts[part].isCancelled || dropping > 0 else { return }
    parts[part].isCancelled = true
    cancelled.append(part)
    steps.append(.cancel(leaf, by: action, dropping: dropping))
  }
}
