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
  /// When each step can come.
  private(set) var rules: [Rule] = []
  /// What arrives with each step.
  private(set) var inputs: [[SimulatedFeature.Input]] = []
  /// The numbers of the actions that reducers send themselves, by the effect that sends them.
  private(set) var sends: [EffectID: Int] = [:]

  /// When a step can come.
  struct Rule {
    /// The effect that takes its turn; `nil` for a step of the user's.
    let effect: EffectID?
    let hasAction: Bool
    /// Whether the library sends the action for the effect, which it may do after the effect's end.
    let isOfLibrary: Bool
    /// The steps that come before it because they start its effect.
    let needs: [Int]
  }

  init(_ log: ThreadedLog) {
    var known: [ThreadedLog.Thread: Int] = [:]
    for (index, step) in log.steps.enumerated() {
      let thread = known[step.thread] ?? threads.count
      if thread == threads.count {
        known[step.thread] = thread
        threads.append(step.thread)
        steps.append([])
        if case .effect(let id) = step.thread { threadOfEffect[id] = thread }
      }
      steps[thread].append(Int32(truncatingIfNeeded: index))
      threadOfStep.append(thread)
      rules.append(Rule(step))
      inputs.append(Self.inputs(of: step))
      for case .action(let action) in step.events {
        if let id = action.origin.directEffect, log.sends.contains(id) { sends[id] = action.seq }
      }
    }
  }

  /// What a step gives the feature: actions with the answers to their reads, and turns of effects.
  private static func inputs(of step: ThreadedLog.Step) -> [SimulatedFeature.Input] {
    var inputs: [SimulatedFeature.Input] = []
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
  fileprivate init(_ step: ThreadedLog.Step) {
    effect = if case .effect(let id) = step.thread { id } else { nil }
    hasAction = step.action != nil
    isOfLibrary = if case .effect(_, .some) = step.action?.origin { true } else { false }
    needs = step.needs
  }
}

/// How far the threads of a log have come.
struct ThreadProgress {
  /// The place of each thread's next step among its steps.
  private(set) var next: [Int32]
  /// The threads that have begun and have steps left.
  private(set) var open: [Int32]
  /// The steps that were made, a bit for each.
  private var done: [UInt64]

  /// At the start, some threads have begun.
  init(_ table: ThreadTable, open: [Int]) {
    next = Array(repeating: 0, count: table.steps.count)
    self.open = open.map { Int32(truncatingIfNeeded: $0) }
    done = Array(repeating: 0, count: (table.threadOfStep.count + 63) / 64)
  }

  /// How many bytes a place with it takes, about.
  var size: Int { 256 + next.count * 4 + open.count * 4 + done.count * 8 }

  /// Whether a step was made.
  func isDone(_ step: Int) -> Bool { done[step / 64] & (1 << UInt64(step % 64)) != 0 }

  /// Makes the next step of a thread.
  mutating func take(_ step: Int, of thread: Int) {
    done[step / 64] |= 1 << UInt64(step % 64)
    next[thread] += 1
  }

  /// Begins the threads of effects that were started.
  mutating func begin(_ effects: [EffectDescription], _ table: ThreadTable) {
    for leaf in effects.lazy.flatMap(\.flattened) {
      guard let id = leaf.id, let thread = table.threadOfEffect[id] else { continue }
      let number = Int32(truncatingIfNeeded: thread)
      if !open.contains(number), next[thread] < table.steps[thread].count { open.append(number) }
    }
  }

  /// Leaves out the steps that can't come any more, and says which can come now.
  ///
  /// - Parameters:
  ///   - table: The threads of the log.
  ///   - effects: The effects that are alive.
  /// - Returns: The steps that are enabled, in the order of the log.
  mutating func settle(
    _ table: ThreadTable,
    _ effects: SimulatedEffects
  ) -> [Int] {
    let waiting = effects.waiting
    var enabled: [Int] = []
    var left = 0
    for index in open.indices {
      let thread = Int(open[index])
      let steps = table.steps[thread]
      while next[thread] < steps.count {
        let step = Int(steps[Int(next[thread])])
        let turn = Self.turn(table.rules[step], effects, waiting)
        if turn == .never {
          next[thread] += 1
          continue
        }
        if turn == .now, table.rules[step].needs.allSatisfy(isDone) { enabled.append(step) }
        break
      }
      guard next[thread] < steps.count else { continue }
      open[left] = open[index]
      left += 1
    }
    if left < open.count { open.removeSubrange(left...) }
    if enabled.count > 1 { enabled.sort() }
    return enabled
  }

  private enum Turn { case now, later, never }

  private static func turn(
    _ rule: ThreadTable.Rule,
    _ effects: SimulatedEffects,
    _ waiting: [EffectID]
  ) -> Turn {
    guard let id = rule.effect else { return .now }
    if !waiting.isEmpty, waiting.contains(id) { return .later }
    if rule.isOfLibrary { return .now }
    if effects.awaitingStart.contains(id) { return .later }
    if !rule.hasAction { return effects.isRunning(id) ? .now : .never }
    return effects.isAlive(id) || effects.completed.contains(id) ? .now : .never
  }

  /// Stands for the steps that are still to come.
  var digest: Digest {
    var digest = Digest()
    for thread in open { digest.add(Digest((Int(thread), Int(next[Int(thread)]), 5))) }
    return digest
  }
}
