import ActionLog

/// The cases and members that can occur in logs of a feature according to its types.
package struct FeatureOutline: Sendable, Equatable {
  /// The name of the feature in the headers of its logs.
  package let name: String
  /// The name of the state type without the module.
  ///
  /// If a log has another feature name, it is matched with the feature by this type.
  package let stateType: String
  /// The name of the module that declares the state type, or an empty string if it is unknown.
  package let module: String
  /// The version of the feature's schema, which is 1 if the app has no versions.
  package let schemaVersion: Int
  /// The paths of all action cases from the root, such as `.path[].report.reload`.
  package let actions: [String]
  /// The outline of the actions.
  package let action: TypeOutline
  /// The outline of the states.
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

  /// Creates the outline of a feature, or returns `nil` if the feature's types are not known.
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
  /// The JSON members that `features --cases` adds to those of a feature.
  package var members: JSON.Object {
    [
      "module": .string(module), "schemaVersion": .number(JSON.Number(schemaVersion)),
      "actions": .array(actions.map(JSON.string)),
      "action": action.json, "state": state.json,
    ]
  }

  /// Parses the output of `features --cases` for a feature, or returns `nil` if the output contains no types.
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
