extension EffectSchedule {
  /// The effects of an action as a tree.
  ///
  /// Its leaves are operations and sent actions.
  package indirect enum Plan: Hashable, Sendable {
    /// No effect.
    case none
    /// Sends an action immediately.
    case send(LeafID)
    /// Runs an operation, until `finish(_:)` is called.
    case run(LeafID)
    /// Runs all plans concurrently.
    case merge([Plan])
    /// Runs plans one after the other.
    ///
    /// Each plan starts when all operations of the previous one have returned.
    case concatenate([Plan])
    /// Runs a plan that can be canceled under an id.
    ///
    /// - Parameters:
    ///   - path: The path of the feature that chose the id.
    ///   - cancelInFlight: Whether the start of this plan cancels the effects that are alive under the id.
    case cancellable(CancelID, path: [PathElement], cancelInFlight: Bool, Plan)
    /// Cancels the effects that are alive under an id, at this path and below it.
    case cancel(CancelID, path: [PathElement])
  }

  /// A command that the owner of the schedule must carry out, in the given order.
  package enum EffectCommand {
    /// Start the operation of a leaf.
    case run(LeafID)
    /// Send the action of a leaf.
    ///
    /// The leaf ends with this command.
    case send(LeafID)
    /// Cancel a leaf on behalf of an action's plan, or on behalf of a call.
    ///
    /// The operation continues until it returns and `finish(_:)` is called. A call can name a leaf that is already
    /// canceled, to drop the effects after that leaf.
    ///
    /// - Parameters:
    ///   - by: The number of the action whose plan cancels the leaf, or `nil` for a call.
    ///   - dropping: The number of concatenations around the leaf, counted from the innermost, up to the outermost one
    ///     whose later parts are dropped.
    case cancel(LeafID, by: Int?, dropping: Int = 0)
    /// Cancel the effects under an id, at a path and below it, in the other schedules of the same owner.
    ///
    /// Returned only by a schedule whose owner has several.
    case cancelElsewhere(CancelID, path: [PathElement])
  }
}

extension EffectSchedule.EffectCommand: Sendable {}
extension EffectSchedule.EffectCommand: Equatable {}

/// The nodes under one cancellation id, grouped by path.
///
/// All child features share one id for their effects, so there can be a node for each row of a list. With the grouping,
/// a cancellation visits only the nodes that it reaches.
struct CancellableNodesByPath<PathElement: Hashable & Sendable>: Sendable {
  private var nodes: Set<Int> = []
  private var below: [PathElement: CancellableNodesByPath] = [:]

  var isEmpty: Bool { nodes.isEmpty && below.isEmpty }

  mutating func insert(_ node: Int, at path: [PathElement]) { insert(node, at: path[...]) }

  /// Removes a node.
  ///
  /// - Returns: Whether the node was present.
  mutating func remove(_ node: Int, at path: [PathElement]) -> Bool { remove(node, at: path[...]) }

  /// Returns the nodes whose path equals `path` or lies below it, in no particular order.
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
    below[first, default: CancellableNodesByPath()].insert(node, at: path.dropFirst())
  }

  private mutating func remove(_ node: Int, at path: ArraySlice<PathElement>) -> Bool {
    guard let first = path.first else { return nodes.remove(node) != nil }
    let wasThere = below[first]?.remove(node, at: path.dropFirst()) ?? false
    if below[first]?.isEmpty == true { below[first] = nil }
    return wasThere
  }
}
