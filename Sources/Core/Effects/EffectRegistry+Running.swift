import Synchronization

extension EffectRegistry {
  /// An action of which something is still to come.
  struct RunningAction {
    let number: Int
    let group: Int
    /// Its running effects.
    var effects: [RunningEffect]
  }

  /// An effect that runs, or waits for another one.
  struct RunningEffect {
    /// The name that the feature gave it.
    let name: String?
    /// Where it was written.
    let location: IssueLocation
  }

  /// The actions whose effects run, in the order of the effects' starts.
  ///
  /// Effects that the library makes for its own needs don't count. Cancelled ones don't either,
  /// unless something is to start after them.
  var running: [RunningAction] {
    contents.withLock { contents in
      var actions: [RunningAction] = []
      for id in contents.schedule.pending {
        guard let leaf = contents.leaves[id], !leaf.isInternal else { continue }
        let effects = leaf.location.map { [RunningEffect(name: leaf.name, location: $0)] } ?? []
        if let index = actions.firstIndex(where: { $0.number == leaf.action }) {
          actions[index].effects += effects
        } else {
          actions.append(RunningAction(number: leaf.action, group: leaf.group, effects: effects))
        }
      }
      return actions
    }
  }

  /// The watched effects that run, cancelled or not, or wait for others, in the order of their numbers.
  var unfinished: [EffectID] {
    contents.withLock { contents in
      let waiting = Set(contents.schedule.waiting)
      return contents.leaves.keys.sorted().compactMap { id in
        guard contents.schedule.isRunning(id) || waiting.contains(id) else { return nil }
        return contents.leaves[id]?.tags.first?.id
      }
    }
  }

  /// Whether nothing of a group is left.
  func isIdle(_ group: Int) -> Bool {
    contents.withLock { $0.groups[group] == nil }
  }
}
