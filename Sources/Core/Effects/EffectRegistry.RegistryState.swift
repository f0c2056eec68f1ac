extension EffectRegistry {
  /// The state of the registry, protected by its lock.
  struct RegistryState: Sendable {
    var schedule = Schedule()
    var leaves: [Int: Leaf] = [:]
    /// The actions with unfinished work, by number.
    var actions: [Int: StartedAction] = [:]
    var groups: [Int: WorkGroup] = [:]
    var unreported: [EffectCancellation] = []
    var lastLeaf = 0
  }

  /// A scheduled leaf that has not ended.
  struct Leaf: Sendable {
    let tags: [EffectTag]
    let action: Int
    let group: Int
    var name: String?
    /// The source location that created the effect; `nil` for an operation with an id of its own inside an effect.
    var location: IssueLocation?
    /// Whether the library created the effect for its own use.
    var isInternal = false
    var cancelTask: (@Sendable () -> Void)?
    var sent = 0
  }

  /// An action with unfinished work.
  struct StartedAction: Sendable {
    let stamp: ActionStamp
    /// All leaves of the action's plan, including those that have ended and those that will never start.
    let leaves: [Int]
  }

  /// The work that one external `send` has started, directly or indirectly.
  struct WorkGroup: Sendable {
    let task = StoreTask.Work()
    var actions: Set<Int> = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// A cancellation that has taken effect but is not yet reported to observers.
  struct EffectCancellation: Sendable {
    let tags: [EffectTag]
    let cause: CancelCause
    let dropping: Int
  }

  /// The consequences of the end of a leaf.
  struct LeafEnd {
    let leaf: Leaf
    let steps: [Schedule.EffectCommand]
    /// Whether the leaf's action has no more work.
    let actionEnded: Bool
  }
}

extension EffectRegistry.RegistryState {
  /// Schedules a plan.
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
