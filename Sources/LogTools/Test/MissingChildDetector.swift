import ActionLog

/// Finds actions for children that do not exist.
///
/// A feature reports an issue for such an action, and the issue fails a test.
struct MissingChildDetector {
  /// The names of children that are known to be features, because cancellation ids of effects contain the names.
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

  /// Returns the name of the child that must handle an action but doesn't exist in the state.
  ///
  /// Returns `nil` if all children on the path of the action exist, or if the state doesn't show whether they do.
  func name(for action: JSON, in state: JSON) -> String? {
    guard let (name, payload) = onlyCase(action), let inner = payload["_0"],
      let (own, value) = onlyCase(inner)
    else { return nil }
    // A child's actions and its state have the same name in the parent.
    guard let child = state[name] else {
      // The state may be an enum with a case for each child.
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
