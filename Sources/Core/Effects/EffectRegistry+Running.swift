import Synchronization

extension EffectRegistry {
  /// An action of which something is still to come.
  struct RunningAction {
    let number: Int
    let group: Int
    /// The names of its running effects, as far as they have some.
    var names: [String]
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
        let names = leaf.name.map { [$0] } ?? []
        if let index = actions.firstIndex(where: { $0.number == leaf.action }) {
          actions[index].names += names
        } else {
          actions.append(RunningAction(number: leaf.action, group: leaf.group, names: names))
        }
      }
      return actions
    }
  }

  /// Whether nothing of a group is left.
  func isIdle(_ group: Int) -> Bool {
    contents.withLock { $0.groups[group] == nil }
  }
}
