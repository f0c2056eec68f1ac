import ActionLog
import ReplayEngine

/// The threads of a log as numbers, with the inputs that each step passes to a feature in memory.
struct ThreadTable {
  /// For each thread, the indexes of its steps in order.
  private(set) var steps: [[Int32]] = []
  private(set) var threads: [ThreadedLog.Thread] = []
  /// For each step, the number of its thread.
  private(set) var threadOfStep: [Int] = []
  private(set) var threadOfEffect: [EffectID: Int] = [:]
  /// The operation and child feature of each thread's effect, as recorded in the log.
  private(set) var identities: [Int: EffectIdentity] = [:]
  /// For each step, the conditions under which it can occur.
  private(set) var rules: [Preconditions] = []
  /// For each step, the inputs that it passes to the feature.
  private(set) var inputs: [[SimulatedFeature.SimulatedInput]] = []
  /// The steps on which later steps depend, and whose execution can't be inferred from the running effects.
  private(set) var landmarks: Set<Int> = []
  /// The numbers of the actions that `.send` effects deliver, keyed by effect.
  private(set) var sends: [EffectID: Int] = [:]
  /// The effects that sent actions after their operations had returned.
  private(set) var latecomers: Set<EffectID> = []

  /// The conditions under which a step can occur.
  struct Preconditions {
    /// The effect that performs the step, or `nil` for a step of the user thread.
    ///
    /// The effect's status determines whether the step can occur.
    let effect: EffectID?
    let hasAction: Bool
    /// Whether the library sends the action on behalf of the effect, which may have ended.
    let isOfLibrary: Bool
    /// Whether the step comes from the user, or is a dismissal that the library sends.
    let isFromUser: Bool
    /// The indexes of the steps that must come first: they start the step's effect, or the effect that it cancels.
    let needs: [Int]
  }

  /// Creates a table of a log's threads.
  ///
  /// - Parameters:
  ///   - log: The log, divided into threads.
  ///   - countsOvertaking: Whether an action that overwrites the result of a newer effect is a violation.
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
      let rule = Preconditions(step)
      rules.append(rule)
      // In other cases, the running effect shows that the step that started the effect was executed.
      if rule.isOfLibrary || step.cancelsOtherThread { landmarks.formUnion(rule.needs) }
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

  /// Returns the inputs of a step: actions with their reads and their effects, and effect events.
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
      case .change(let change):
        if var action = open {
          action.recordedEffects = change.effects
          inputs.append(.action(action))
        }
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

extension ThreadTable.Preconditions {
  fileprivate init(_ step: ThreadedLog.ThreadStep) {
    effect = if case .effect(let id) = step.thread { id } else { nil }
    hasAction = step.action != nil
    isOfLibrary = if case .effect(_, .some) = step.action?.origin { true } else { false }
    isFromUser = step.isFromUser
    needs = step.needs
  }
}
