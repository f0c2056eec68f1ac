/// The lifetimes of effects: which are alive, what cancels them, what comes after them.
///
/// The live store and the simulated one of a replay both drive this one state machine, so both
/// cancel, chain and finish alike. It holds no task and knows no time: each call returns the steps
/// that its owner has to carry out.
///
/// - `LeafID` names an effect, once in the life of a schedule.
/// - `CancelID` is what effects are cancelled by, `PathElement` a step of the navigation path at
///   which they were made. A cancellation at a path reaches what lies at it or below it.
package struct EffectSchedule<
  LeafID: Hashable & Sendable,
  CancelID: Hashable & Sendable,
  PathElement: Hashable & Sendable
>: Sendable {
  var nodes: [Int: Node] = [:]
  var leaves: [LeafID: Leaf] = [:]
  /// The cancellable nodes under each id.
  var registered: [CancelID: CancellableNodes<PathElement>] = [:]
  var roots: [Int: Set<Int>] = [:]
  var counter = 0

  /// Makes a schedule without effects.
  package init() {}

  /// A started part of a plan that waits for something below it.
  struct Node: Sendable {
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
    /// Set while the node's children are being started, when having none means nothing yet.
    var isStarting = true
    var isEmpty: Bool { nodes.isEmpty && leaves.isEmpty }
  }

  struct Leaf: Sendable {
    let parent: Int
    let order: Int
    var isCancelled = false
  }

  mutating func nextOrder() -> Int {
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

  /// The effects that run and were not cancelled, or that something waits behind.
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

  /// Whether something that an action started has not ended.
  package func hasWork(of action: Int) -> Bool {
    roots[action] != nil
  }

  /// Whether nothing at all is left, neither effects nor what was registered for them.
  package var isEmpty: Bool {
    nodes.isEmpty && leaves.isEmpty && registered.isEmpty && roots.isEmpty
  }

  func sorted(_ ids: some Sequence<LeafID>) -> [LeafID] {
    ids.sorted { (leaves[$0]?.order ?? 0) < (leaves[$1]?.order ?? 0) }
  }
}
