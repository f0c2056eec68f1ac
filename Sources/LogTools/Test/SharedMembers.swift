import ActionLog

/// Finds the members of a state that hold shared values, according to a log.
enum SharedMembers {
  /// The ways to the members, as `StoreTest.StateMembers` has them.
  static func paths(in script: StoreScript) -> Set<String> {
    var names = Set(
      script.sharedPlaces.map { StoreTest.StateMembers.path(["$0"] + $0) }
    )
    for reduced in script.steps.compactMap(\.reduced) {
      for read in reduced.reads {
        if let name = key(of: read), reduced.after.hasMember(name) { names.insert(name) }
      }
      names.formUnion(twins(in: reduced))
    }
    return names
  }

  /// Returns the pairs of equally named shared members that had different values at the same time.
  static func distinct(
    in script: StoreScript,
    _ members: StoreTest.StateMembers
  ) -> Set<Set<ValuePlaces.Place>> {
    guard !members.shared.isEmpty else { return [] }
    var pairs: Set<Set<ValuePlaces.Place>> = []
    for state in script.steps.compactMap(\.reduced?.after) {
      var found: [ValuePlaces.Place: [JSON]] = [:]
      func collectValues(_ value: JSON, at place: ValuePlaces.Place) {
        if members.isShared(place) { found[place, default: []].append(value) }
        switch value {
        case .object(let object):
          for (name, value) in object { collectValues(value, at: place + [name]) }
        case .array(let elements): for value in elements { collectValues(value, at: place + ["*"]) }
        default: break
        }
      }
      collectValues(state, at: ["$0"])
      for (first, values) in found {
        for (second, others) in found
        where first != second && first.last == second.last && Set(values).isDisjoint(with: others) {
          pairs.insert([first, second])
        }
      }
    }
    return pairs
  }

  /// Returns the name in a key such as `shared.appStorage(name)`.
  private static func key(of read: LogEvent.Read) -> String? {
    guard read.key.hasPrefix("shared."), read.key.hasSuffix(")"),
      let start = read.key.firstIndex(of: "(")
    else { return nil }
    return String(read.key[read.key.index(after: start)...].dropLast())
  }

  /// Returns the members that one action changed equally at different paths.
  ///
  /// They hold the same value or parts of it.
  private static func twins(in reduced: StoreScript.Reduced) -> Set<String> {
    var places: [[JSON]: Set<ValuePlaces.Place>] = [:]
    func collectValues(_ old: JSON, _ new: JSON, at place: ValuePlaces.Place) {
      guard old != new else { return }
      // Only structures count, because simple values are often equal.
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
    // The members of a shared value change equally, too.
    let outer = all.filter { place in
      !place.indices.dropFirst().contains { all.contains(Array(place[..<$0])) }
    }
    // An equally changed row is part of a shared list.
    return Set(
      outer.map { StoreTest.StateMembers.path($0.last == "*" ? Array($0.dropLast()) : $0) }
    )
  }
}

extension JSON {
  /// Returns whether an object in this value has a member.
  fileprivate func hasMember(_ name: String) -> Bool {
    switch self {
    case .object(let object): object[name] != nil || object.values.contains { $0.hasMember(name) }
    case .array(let elements): elements.contains { $0.hasMember(name) }
    default: false
    }
  }
}
