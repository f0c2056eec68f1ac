extension EffectSchedule {
  /// The effects of an action, as a tree whose leaves do the work.
  package indirect enum Plan: Hashable, Sendable {
    /// Nothing.
    case none
    /// An action that is handed over at once.
    case send(LeafID)
    /// An operation that takes time, until `finish(_:)` is called for it.
    case run(LeafID)
    /// All at once.
    case merge([Plan])
    /// One after the other, each when the one before it has really ended.
    case concatenate([Plan])
    /// A plan that can be cancelled under an id.
    ///
    /// With `cancelInFlight` the effects alive under the id are cancelled when this node starts.
    case cancellable(CancelID, path: [PathElement], cancelInFlight: Bool, Plan)
    /// Cancels the effects alive under an id at this path and below it.
    case cancel(CancelID, path: [PathElement])
  }

  /// A step that the owner of the schedule carries out, in the order given.
  package enum EffectCommand {
    /// The operation of a leaf begins.
    case run(LeafID)
    /// The action of a leaf is handed over. The leaf has ended with that.
    case send(LeafID)
    /// A leaf is cancelled: by a plan, that of the action given, or by a call when that is nil.
    ///
    /// Its operation goes on until `finish(_:)` says that it has returned. A call names a leaf that had been cancelled
    /// before when it drops effects that would have come after it: `dropping` counts the concatenations around the
    /// leaf, from the inside, up to the last one that has lost its rest.
    case cancel(LeafID, by: Int?, dropping: Int = 0)
    /// A plan has cancelled what is alive under an id at a path and below it: only of a schedule that is one of several,
    /// whose owner has the others cancel theirs.
    case cancelElsewhere(CancelID, path: [PathElement])
  }
}

extension EffectSchedule.EffectCommand: Sendable {}
extension EffectSchedule.EffectCommand: Equatable {}

/// The nodes that are registered under one id of cancellation, by the path at which they were made.
///
/// All children of features share one id for their effects, so there can be as many nodes as rows with effects; a
/// cancellation looks only at those that it reaches.
struct CancellableNodes<PathElement: Hashable & Sendable>: Sendable {
  private var nodes: Set<Int> = []
  private var below: [PathElement: CancellableNodes] = [:]

  var isEmpty: Bool { nodes.isEmpty && below.isEmpty }

  mutating func insert(_ node: Int, at path: [PathElement]) { insert(node, at: path[...]) }

  /// Removes a node.
  ///
  /// - Returns: Whether it was there.
  mutating func remove(_ node: Int, at path: [PathElement]) -> Bool { remove(node, at: path[...]) }

  /// The nodes at a path and below it, in no order.
  func nodes(below path: [PathElement]) -> [Int] {
    var top = self
    for element in path {
      guard let next = top.below[element] else { return [] }
      top = next
    }
    var found: [Int] = []
    var open = [top]
    while let next = open.popLast() {
      found += next.nodes
      open += next.below.values
    }
    return found
  }

  private mutating func insert(_ node: Int, at path: ArraySlice<PathElement>) {
    guard let first = path.first else {
      nodes.insert(node)
      return
    }
    below[first, default: CancellableNodes()].insert(node, at: path.dropFirst())
  }

  private mutating func remove(_ node: Int, at path: ArraySlice<PathElement>) -> Bool {
    guard let first = path.first else { return nodes.remove(node) != nil }
    let wasThere = below[first]?.remove(node, at: path.dropFirst()) ?? false
    if below[first]?.isEmpty == true { below[first] = nil }
    return wasThere
  }
}
