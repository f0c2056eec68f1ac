import ActionLog
import ReplayEngine

/// The threads of a log by number, with the inputs of each step for a feature in memory.
struct ThreadTable {
  /// The steps of each thread, in order.
  private(set) var steps: [[Int32]] = []
  private(set) var threads: [ThreadedLog.Thread] = []
  /// The thread of each step.
  private(set) var threadOfStep: [Int] = []
  private(set) var threadOfEffect: [EffectID: Int] = [:]
  /// The effects of the threads, as described in the log.
  private(set) var identities: [Int: EffectIdentity] = [:]
  /// The conditions under which each step can occur.
  private(set) var rules: [Rule] = []
  /// The inputs of each step.
  private(set) var inputs: [[SimulatedFeature.SimulatedInput]] = []
  /// The steps that matter for later ones in ways that the running effects don't show.
  private(set) var landmarks: Set<Int> = []
  /// The numbers of the actions that reducers send immediately, by the effect that sends them.
  private(set) var sends: [EffectID: Int] = [:]
  /// The effects that have sent actions after their operations returned.
  private(set) var latecomers: Set<EffectID> = []

  /// The conditions under which a step can occur.
  struct Rule {
    /// The effect of the step; `nil` for a step of the user.
    let effect: EffectID?
    let hasAction: Bool
    /// Whether the library sends the action for the effect, possibly after the effect's end.
    let isOfLibrary: Bool
    /// Whether the step is the user's, or a dismissal by the library.
    let isUsers: Bool
    /// The steps that must come first, because they start its effect.
    let needs: [Int]
  }

  /// Creates the table of a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - countsOvertaking: Whether the relative order of effects' actions matters.
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
      // For other steps, the running effect already shows that its starting step was executed.
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

  /// Returns the inputs of a step: actions with the values of their reads, and effect events.
  private static func inputs(of step: ThreadedLog.ThreadStep) -> [SimulatedFeature.SimulatedInput] {
    var inputs: [SimulatedFeature.SimulatedInput] = []
    var open: SimulatedFeature.ArrivingAction?
    for event in step.events {
      switch event {
      case .action(let action):
        if let open { inputs.append(.action(open)) }
        open = SimulatedFeature.ArrivingAction(
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
