import ActionLog
import ReplayEngine

/// The threads of a log by number, and what each step gives a feature in memory.
struct ThreadTable {
  /// The steps of each thread, in their order.
  private(set) var steps: [[Int32]] = []
  private(set) var threads: [ThreadedLog.Thread] = []
  /// The thread of each step.
  private(set) var threadOfStep: [Int] = []
  private(set) var threadOfEffect: [EffectID: Int] = [:]
  /// The effects of the threads, as the log describes them.
  private(set) var identities: [Int: EffectIdentity] = [:]
  /// When each step can come.
  private(set) var rules: [Rule] = []
  /// What arrives with each step.
  private(set) var inputs: [[SimulatedFeature.SimulatedInput]] = []
  /// The steps of which it matters whether they were made, where the effects that run do not tell it.
  private(set) var landmarks: Set<Int> = []
  /// The numbers of the actions that reducers send themselves, by the effect that sends them.
  private(set) var sends: [EffectID: Int] = [:]
  /// The effects that have sent actions after their operations had returned.
  private(set) var latecomers: Set<EffectID> = []

  /// When a step can come.
  struct Rule {
    /// The effect that takes its turn; `nil` for a step of the user's.
    let effect: EffectID?
    let hasAction: Bool
    /// Whether the library sends the action for the effect, which it may do after the effect's end.
    let isOfLibrary: Bool
    /// Whether the user makes the step, or the library dismisses a feature.
    let isUsers: Bool
    /// The steps that come before it because they start its effect.
    let needs: [Int]
  }

  /// The threads of a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - countsOvertaking: Whether it matters which answers came before others.
  init(_ log: ThreadedLog, countsOvertaking: Bool = false) {
    var known: [ThreadedLog.Thread: Int] = [:]
    var ended: Set<EffectID> = []
    for (index, step) in log.steps.enumerated() {
      let thread = known[step.thread] ?? threads.count
      if thread == threads.count {
        known[step.thread] = thread
        threads.append(step.thread)
        steps.append([])
        if case .effect(let id) = step.thread {
          threadOfEffect[id] = thread
          identities[thread] = log.identities[id]
        }
      }
      steps[thread].append(Int32(truncatingIfNeeded: index))
      threadOfStep.append(thread)
      let rule = Rule(step)
      rules.append(rule)
      // An effect that runs tells that what started it was made.
      if rule.isOfLibrary || step.needsOthers { landmarks.formUnion(rule.needs) }
      inputs.append(Self.inputs(of: step))
      for case .action(let action) in step.events {
        guard let id = action.origin.directEffect else { continue }
        if log.sends.contains(id) { sends[id] = action.seq }
        if ended.contains(id) { latecomers.insert(id) }
      }
      for case .effect(let effect) in step.events {
        if case .finished = effect.event { ended.insert(effect.id) }
      }
    }
    if countsOvertaking { landmarks.formUnion(log.overtaking.steps) }
  }

  /// What a step gives the feature: actions with the answers to their reads, and turns of effects.
  private static func inputs(of step: ThreadedLog.ThreadStep) -> [SimulatedFeature.SimulatedInput] {
    var inputs: [SimulatedFeature.SimulatedInput] = []
    var open: SimulatedFeature.Arriving?
    for event in step.events {
      switch event {
      case .action(let action):
        if let open { inputs.append(.action(open)) }
        open = SimulatedFeature.Arriving(
          seq: action.seq,
          origin: action.origin,
          action: action.logged
        )
        open?.shared = action.shared
      case .read(let read): open?.reads.append(read)
      case .change:
        if let action = open { inputs.append(.action(action)) }
        open = nil
      case .effect(let effect):
        if open == nil { inputs.append(.turn(effect)) } else { open?.turns.append(effect) }
      default: break
      }
    }
    if let open { inputs.append(.action(open)) }
    return inputs
  }
}

extension ThreadTable.Rule {
  fileprivate init(_ step: ThreadedLog.ThreadStep) {
    effect = if case .effect(let id) = step.thread { id } else { nil }
    hasAction = step.action != nil
    isOfLibrary = if case .effect(_, .some) = step.action?.origin { true } else { false }
    isUsers = step.isUsers
    needs = step.needs
  }
}
