extension EffectRegistry {
  /// The state of the registry, protected by its lock.
  struct RegistryState: Sendable {
    var schedule = Schedule()
    var leaves: [Int: Leaf] = [:]
    /// The actions that still have work.
    var actions: [Int: StartedAction] = [:]
    var groups: [Int: WorkGroup] = [:]
    var unreported: [EffectCancellation] = []
    var lastLeaf = 0
  }

  /// A leaf that was given to the schedule and has not ended.
  struct Leaf: Sendable {
    let tags: [EffectTag]
    let action: Int
    let group: Int
    var name: String?
    /// Where it was written; nil for what is no effect, such as a part of one under an id of its own.
    var location: IssueLocation?
    /// Whether the library made it for its own needs.
    var isInternal = false
    var cancelTask: (@Sendable () -> Void)?
    var sent = 0
  }

  /// An action that still has work.
  struct StartedAction: Sendable {
    let stamp: ActionStamp
    /// The leaves of its plan, those that have ended and those that never start among them.
    let leaves: [Int]
  }

  /// The work that goes back to one `send` from outside.
  struct WorkGroup: Sendable {
    let task = StoreTask.Work()
    var actions: Set<Int> = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// A cancellation that has taken effect and was not reported to observers yet.
  struct EffectCancellation: Sendable {
    let tags: [EffectTag]
    let cause: CancelCause
    let dropping: Int
  }

  /// The consequences of a leaf's end.
  struct LeafEnd {
    let leaf: Leaf
    let steps: [Schedule.EffectCommand]
    /// Whether nothing is left of the leaf's action.
    let actionEnded: Bool
  }
}

extension EffectRegistry.RegistryState {
  /// Gives a plan to the schedule.
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

  /// Notes that the operation of a leaf has returned.
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
