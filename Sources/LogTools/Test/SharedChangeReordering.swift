import ActionLog

/// Moves the changes of shared values to the step at which a test store observes them.
///
/// When a test asserts an action, the store has already reduced all actions that followed directly from it. The store
/// keeps the state after each of these actions, but only the last value of a shared value.
struct SharedChangeReordering {
  let members: StoreTest.StateMemberTraits

  /// Returns the steps with the states that a test store would observe.
  func steps(_ steps: [StoreScript.ScriptStep]) -> [StoreScript.ScriptStep] {
    guard !members.shared.isEmpty else { return steps }
    var result = steps
    for index in steps.indices {
      guard var reduced = steps[index].reduced else { continue }
      var end = index + 1
      while end < steps.endIndex, case .receive = steps[end] { end += 1 }
      let later = steps[(index + 1)..<end].compactMap(\.reduced?.after)
      if case .receive = steps[index] {
        for state in [reduced.after] + later {
          copyShared(from: state, into: &reduced.before, at: ["$0"])
        }
      }
      for state in later { copyShared(from: state, into: &reduced.after, at: ["$0"]) }
      result[index].reduced = reduced
    }
    return result
  }

  /// Copies the shared values from one state to another state.
  private func copyShared(
    from other: JSON,
    into state: inout JSON,
    at place: ValueTypeInference.WildcardPath
  ) {
    guard other != state else { return }
    switch (other, state) {
    case (.object(let new), .object(var object)):
      for (name, value) in new {
        guard var member = object[name], member != value else { continue }
        let inner = place + [name]
        if members.isShared(inner) || members.isReader(inner) {
          member = value
        } else {
          copyShared(from: value, into: &member, at: inner)
        }
        object[name] = member
      }
      state = .object(object)
    case (.array(let new), .array(var elements)):
      let rows = Dictionary(new.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
      for index in elements.indices {
        let row = rows[elements[index].rowID] ?? (new.count == elements.count ? new[index] : nil)
        guard let row else { continue }
        copyShared(from: row, into: &elements[index], at: place + ["*"])
      }
      state = .array(elements)
    default: break
    }
  }
}
