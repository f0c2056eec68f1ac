extension EffectRegistry {
  /// The state of the registry, protected by its lock.
  struct RegistryState: Sendable {
    var schedule = Schedule()
    var leaves: [Int: Leaf] = [:]
    /// The actions with unfinished work, by action number.
    var actions: [Int: StartedAction] = [:]
    var groups: [Int: WorkGroup] = [:]
    var unreported: [EffectCancellation] = []
    var lastLeaf = 0
  }

  /// A scheduled leaf of an effect's tree that has not ended.
  struct Leaf: Sendable {
    let tags: [EffectObserverTag]
    let action: Int
    let group: Int
    var name: String?
    /// The source location of the code that created the effect.
    ///
    /// The property is `nil` for an operation that `start(under:)` has registered.
    var location: IssueLocation?
    /// Whether the leaf isn't an effect of the app.
    ///
    /// The library created the effect for its own use, or `start(under:)` registered an operation.
    var isInternal = false
    var cancelTask: (@Sendable () -> Void)?
    var sent = 0
  }

  /// An action with unfinished work.
  struct StartedAction: Sendable {
    let stamp: ActionStamp
    /// The ids of all leaves in the action's plan, including leaves that have ended and leaves that will never start.
    let leaves: [Int]
  }

  /// The work that one `send` call from outside the store has started, directly or indirectly.
  struct WorkGroup: Sendable {
    let task = StoreTask.CancellationState()
    var actions: Set<Int> = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// A cancellation that has taken effect but has not been reported to observers.
  struct EffectCancellation: Sendable {
    let tags: [EffectObserverTag]
    let cause: CancelCause
    let dropping: Int
  }

  /// The end of a leaf, with the commands that the schedule returned for it.
  struct LeafEnd {
    let leaf: Leaf
    let steps: [Schedule.EffectCommand]
    /// Whether the action that started the leaf has no more work.
    let actionEnded: Bool
  }
}

extension EffectRegistry.RegistryState {
  /// Schedules the plan of an action's effect, and registers the plan's leaves if the action has unfinished work.
  mutating func start(
    _ plan: EffectRegistry.Schedule.Plan,
    of stamp: ActionStamp,
    in group: Int,
    leaves: [Int: EffectRegistry.Leaf]
  ) -> (steps: [EffectRegistry.Schedule.EffectCommand], hasWork: Bool) {
    let steps = schedule.start(plan, of: stamp.number)
    guard schedule.hasWork(of: stamp.number) else { return (steps, false) }
    self.leaves.merge(leaves) { $1 }
    actions[stamp.number] = EffectRegistry.StartedAction(stamp: stamp, leaves: Array(leaves.keys))
    groups[group, default: EffectRegistry.WorkGroup()].actions.insert(stamp.number)
    return (steps, true)
  }

  /// Removes a leaf whose operation has returned.
  ///
  /// - Returns: The consequences of the leaf's end; `nil` if the leaf is unknown.
  mutating func finish(_ id: Int) -> EffectRegistry.LeafEnd? {
    guard let leaf = leaves.removeValue(forKey: id) else { return nil }
    let steps = schedule.finish(id)
    let actionEnded = !schedule.hasWork(of: leaf.action)
    if actionEnded {
      for leaf in actions.removeValue(forKey: leaf.action)?.leaves ?? [] { leaves[leaf] = nil }
      groups[leaf.group]?.actions.remove(leaf.action)
    }
    return EffectRegistry.LeafEnd(leaf: leaf, steps: steps, actionEnded: actionEnded)
  }
}
