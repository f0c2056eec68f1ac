import ActionLog
import ReplayEngine

/// The progress of each thread in a search state.
struct ThreadProgress {
  /// For each thread, the index of its next step in `ThreadTable.steps`.
  private var next: [Int32]
  /// The threads that have begun and still have steps.
  private var open: [Int32]
  /// The steps that were executed, one bit for each.
  private var done: [UInt64]
  /// A digest of the next step of each thread in `open`.
  private var standing = Digest()
  /// A digest of the executed steps that are in `ThreadTable.landmarks`.
  private var past = Digest()

  /// Creates the progress before the first step, in which the threads in `open` have begun.
  init(_ table: ThreadTable, open: [Int]) {
    next = Array(repeating: 0, count: table.steps.count)
    done = Array(repeating: 0, count: (table.threadOfStep.count + 63) / 64)
    self.open = []
    for thread in open { openThread(thread) }
  }

  /// The approximate memory use in bytes.
  var size: Int { 192 + next.count * 4 + open.count * 4 + done.count * 8 }

  /// Returns whether a step was executed.
  func isDone(_ step: Int) -> Bool { done[step / 64] & (1 << UInt64(step % 64)) != 0 }

  /// A digest of the parts of the progress on which later steps depend.
  ///
  /// The digest doesn't depend on the order in which threads have begun. Effects are not included.
  var digest: Digest {
    var digest = standing
    digest.add(past)
    return digest
  }
}

extension ThreadProgress {
  /// Marks a step as executed, and adds the threads of the effects that it started.
  mutating func makeStep(_ step: Int, starting started: [StartedEffects], _ table: ThreadTable) {
    done[step / 64] |= 1 << UInt64(step % 64)
    if table.landmarks.contains(step) { past.add(Self.digest(ofStep: step)) }
    advance(table.threadOfStep[step])
    for thread in threads(of: started, table) { openThread(thread) }
  }

  /// Returns the digest that the progress would have after a step.
  func digest(after step: Int, starting started: [StartedEffects], _ table: ThreadTable) -> Digest {
    let thread = table.threadOfStep[step]
    var digest = digest
    if table.landmarks.contains(step) { digest.add(Self.digest(ofStep: step)) }
    digest.remove(Self.digest(of: thread, at: next[thread]))
    digest.add(Self.digest(of: thread, at: next[thread] + 1))
    if started.isEmpty { return digest }
    for thread in threads(of: started, table) {
      digest.add(Self.digest(of: thread, at: next[thread]))
    }
    return digest
  }

  /// Returns the threads that begin when effects start.
  private func threads(of started: [StartedEffects], _ table: ThreadTable) -> [Int] {
    var threads: [Int] = []
    for effects in started {
      for (id, identity) in zip(effects.ids, effects.identities) {
        guard let thread = table.threadOfEffect[id], !threads.contains(thread),
          // In another state, the action may have started a different effect with the same id, which sends other
          // actions.
          table.identities[thread].map(identity.isLike) ?? true,
          !open.contains(Int32(truncatingIfNeeded: thread)),
          next[thread] < table.steps[thread].count
        else { continue }
        threads.append(thread)
      }
    }
    return threads
  }

  private mutating func openThread(_ thread: Int) {
    open.append(Int32(truncatingIfNeeded: thread))
    standing.add(Self.digest(of: thread, at: next[thread]))
  }

  private mutating func advance(_ thread: Int) {
    standing.remove(Self.digest(of: thread, at: next[thread]))
    next[thread] += 1
    standing.add(Self.digest(of: thread, at: next[thread]))
  }

  private static func digest(of thread: Int, at next: Int32) -> Digest {
    Digest((thread, Int(next), 5))
  }

  private static func digest(ofStep step: Int) -> Digest { Digest((step, 0, 6)) }
}

extension ThreadProgress {
  /// Skips the steps that can no longer occur, and returns the steps that can come next.
  ///
  /// - Parameters:
  ///   - table: The threads of the log.
  ///   - effects: The effects in the search state.
  /// - Returns: The indexes of the enabled steps, in the order of the log.
  mutating func settle(_ table: ThreadTable, _ effects: EffectsState) -> [Int] {
    var enabled: [Int] = []
    enabled.reserveCapacity(open.count)
    var left = 0
    for index in open.indices {
      let thread = Int(open[index])
      let steps = table.steps[thread]
      while next[thread] < steps.count {
        let step = Int(steps[Int(next[thread])])
        let turn = Self.turn(table.rules[step], effects)
        if turn == .never {
          advance(thread)
          continue
        }
        if turn == .now, table.rules[step].needs.allSatisfy(isDone) { enabled.append(step) }
        break
      }
      guard next[thread] < steps.count else {
        standing.remove(Self.digest(of: thread, at: next[thread]))
        continue
      }
      open[left] = open[index]
      left += 1
    }
    if left < open.count { open.removeSubrange(left...) }
    if enabled.count > 1 { enabled.sort() }
    return enabled
  }

  private enum Readiness { case now, later, never }

  private static func turn(_ rule: ThreadTable.Preconditions, _ state: EffectsState) -> Readiness {
    guard let id = rule.effect else { return .now }
    let status = state.status(of: id)
    if status.contains(.isWaiting) { return .later }
    if rule.isOfLibrary { return .now }
    if status.contains(.isAwaitingStart) { return .later }
    if !rule.hasAction { return status.contains(.isRunning) ? .now : .never }
    return status.contains(.isAlive) || status.contains(.hasCompleted) ? .now : .never
  }
}
