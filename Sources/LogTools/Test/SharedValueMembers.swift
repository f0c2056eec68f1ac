import ActionLog

/// Finds the members of a state that hold shared values, from the reads and changes in a log.
enum SharedValueMembers {
  /// Returns the paths to the members that hold shared values, in the form that `StoreTest.StateMemberTraits` uses.
  static func paths(in script: StoreScript) -> Set<String> {
    var names = Set(
      script.sharedPlaces.map { StoreTest.StateMemberTraits.path(["$0"] + $0) }
    )
    for reduced in script.steps.compactMap(\.reduced) {
      for read in reduced.reads {
        if let name = key(of: read), reduced.after.hasMember(name) { names.insert(name) }
      }
      names.formUnion(twins(in: reduced))
    }
    return names
  }

  /// Returns pairs of shared members that have the same name but had different values in some state.
  static func distinct(
    in script: StoreScript,
    _ members: StoreTest.StateMemberTraits
  ) -> Set<Set<ValueTypeInference.WildcardPath>> {
    guard !members.shared.isEmpty else { return [] }
    var pairs: Set<Set<ValueTypeInference.WildcardPath>> = []
    for state in script.steps.compactMap(\.reduced?.after) {
      var found: [ValueTypeInference.WildcardPath: [JSON]] = [:]
      func collectValues(_ value: JSON, at place: ValueTypeInference.WildcardPath) {
        if members.isShared(place) { found[place, default: []].append(value) }
        switch value {
        case .object(let object):
          for (name, value) in object { collectValues(value, at: place + [name]) }
        case .array(let elements): for value in elements { collectValues(value, at: place + ["*"]) }
        default: break
        }
      }
      collectValues(state, at: ["$0"])
      for namesakes in Dictionary(grouping: found, by: \.key.last).values where namesakes.count > 1
      {
        for (first, values) in namesakes {
          for (second, others) in namesakes
          where first != second && Set(values).isDisjoint(with: others) {
            pairs.insert([first, second])
          }
        }
      }
    }
    return pairs
  }

  /// Returns the name in a key such as `shared.appStorage(name)`, or `nil` for other keys.
  private static func key(of read: LogEvent.Read) -> String? {
    guard read.key.hasPrefix("shared."), read.key.hasSuffix(")"),
      let start = read.key.firstIndex(of: "(")
    else { return nil }
    return String(read.key[read.key.index(after: start)...].dropLast())
  }

  /// Returns the members that one action changed in the same way at different paths.
  ///
  /// Such members hold the same shared value, or are part of it.
  private static func twins(in reduced: StoreScript.ReducedAction) -> Set<String> {
    var places: [[JSON]: Set<ValueTypeInference.WildcardPath>] = [:]
    func collectValues(_ old: JSON, _ new: JSON, at place: ValueTypeInference.WildcardPath) {
      guard old != new else { return }
      // Simple values are often equal by chance, so only objects with several members count.
      if let before = old.object, let after = new.object, after.count > 1, before.keys == after.keys
      {
        places[[old, new], default: []].insert(place)
      }
      switch (old, new) {
      case (.object(let before), .object(let after)):
        for (name, value) in after {
          if let old = before[name] { collectValues(old, value, at: place + [name]) }
        }
      case (.array(let before), .array(let after)) where before.count == after.count:
        for (old, new) in zip(before, after) { collectValues(old, new, at: place + ["*"]) }
      default: break
      }
    }
    collectValues(reduced.before, reduced.after, at: ["$0"])
    let all = Set(places.values.filter { $0.count > 1 }.joined())
    // The members inside of a shared value change in the same way, so only the outermost paths count.
    let outer = all.filter { place in
      !place.indices.dropFirst().contains { all.contains(Array(place[..<$0])) }
    }
    // If a row changed in the same way at two paths, its list is shared.
    return Set(
      outer.map { StoreTest.StateMemberTraits.path($0.last == "*" ? Array($0.dropLast()) : $0) }
    )
  }
}

extension JSON {
  /// Returns whether this value, or a value inside of it, is an object with the given member.
  fileprivate func hasMember(_ name: String) -> Bool {
    switch self {
    case .object(let object): object[name] != nil || object.values.contains { $0.hasMember(name) }
    case .array(let elements): elements.contains { $0.hasMember(name) }
    default: false
    }
  }
}
