import ActionLog

/// Finds an action for a child that does not exist.
///
/// The feature reports an issue for it, which fails a test.
struct MissingChild {
  /// The names of the children that have effects and are therefore features.
  private let features: Set<String>

  init(_ events: [LogEvent]) {
    var features: Set<String> = []
    for case .change(let change) in events {
      for effect in change.effects.flatMap(\.flattened) {
        for step in effect.cancelID?.path ?? [] {
          if let place = step["place"]?.string { features.insert(place) }
        }
      }
    }
    self.features = features
  }

  /// Returns the name of the missing child; `nil` if all children on the path of an action exist, or the state does not
  /// show it.
  func name(for action: JSON, in state: JSON) -> String? {
    guard let (name, payload) = onlyCase(action), let inner = payload["_0"],
      let (own, value) = onlyCase(inner)
    else { return nil }
    // The state of a feature and its actions use the same names for children.
    guard let child = state[name] else {
      // The state is a case of an enum of features.
      guard let (current, held) = onlyCase(state) else { return nil }
      return current == name ? held["_0"].flatMap { self.name(for: inner, in: $0) } : nil
    }
    switch own {
    case "presented":
      guard let action = value["_0"], onlyCase(action) != nil else { return nil }
      return child.isNull ? name : self.name(for: action, in: child)
    case "element":
      guard let id = value["id"], let action = value["action"], let rows = child.array else {
        return nil
      }
      guard let row = rows.first(where: { $0["id"] == id }) else {
        return rows.allSatisfy { $0["id"] != nil } ? "\(name)[\(id)]" : nil
      }
      return self.name(for: action, in: row["element"] ?? row)
    default:
      if child.isNull, features.contains(name) { return name }
      return child.object == nil ? nil : self.name(for: inner, in: child)
    }
  }

  private func onlyCase(_ value: JSON) -> (name: String, payload: JSON)? {
    guard let object = value.object, object.count == 1, let name = object.firstKey,
      let payload = object[name], payload.object != nil
    else { return nil }
    return (name, payload)
  }
}
