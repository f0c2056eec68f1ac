import ActionLog

/// What the types of a feature say that logs can reach.
package struct FeatureOutline: Sendable, Equatable {
  /// The name of the feature.
  package let name: String
  /// The name of its state type, without the module: a log finds its feature by it when the names differ.
  package let stateType: String
  /// The module in which its state is declared; empty when that is not known.
  package let module: String
  /// The version of its schema.
  package let schemaVersion: Int
  /// The cases of its actions, from the root on: `.path[].report.reload`.
  package let actions: [String]
  /// The outline of its actions.
  package let action: TypeOutline
  /// The outline of its states.
  package let state: TypeOutline

  package init(
    name: String,
    stateType: String = "",
    module: String = "",
    schemaVersion: Int = 1,
    actions: [String],
    action: TypeOutline = .value,
    state: TypeOutline
  ) {
    (self.name, self.stateType, self.module) = (name, stateType, module)
    self.schemaVersion = schemaVersion
    (self.actions, self.action, self.state) = (actions, action, state)
  }

  /// The outline of a feature; `nil` when its types are not known.
  package init?(_ entry: FeatureEntry) {
    guard let types = entry.types else { return nil }
    let action = TypeOutline(of: types.action)
    self.init(
      name: entry.name,
      stateType: entry.stateType,
      module: String(String(reflecting: types.state).prefix { $0 != "." }),
      schemaVersion: entry.schemaVersion ?? 1,
      actions: action.casePaths,
      action: action,
      state: TypeOutline(of: types.state)
    )
  }
}

// MARK: - JSON

extension FeatureOutline {
  /// The members that `features --cases` adds to those of a feature.
  package var members: JSON.Object {
    [
      "module": .string(module), "schemaVersion": .number(JSON.Number(schemaVersion)),
      "actions": .array(actions.map(JSON.string)),
      "action": action.json, "state": state.json,
    ]
  }

  /// Reads what `features --cases` has written of a feature; `nil` when it does not say what its types are.
  package init?(json: JSON) {
    guard let name = json["name"]?.string, let actions = json["actions"]?.array,
      let state = json["state"]
    else { return nil }
    self.init(
      name: name,
      stateType: json["stateType"]?.string ?? "",
      module: json["module"]?.string ?? "",
      schemaVersion: json["schemaVersion"]?.count ?? 1,
      actions: actions.compactMap(\.string),
      action: json["action"].map { TypeOutline(json: $0) } ?? .value,
      state: TypeOutline(json: state)
    )
  }
}
