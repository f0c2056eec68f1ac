internal import ActionLog
internal import ReplayEngine

extension SchemaChange {
  static let actions = [
    SchemaChange(
      "rename an action",
      undoing: Migration(from: 1, action: { try $0.move(from: "/lineAdded", to: "/itemAdded") }),
      migration: Migration(from: 1, action: { try $0.move(from: "/itemAdded", to: "/lineAdded") })
    ),
    SchemaChange(
      "rename a label of an action",
      undoing: Migration(
        from: 1,
        action: { try $0.move(from: "/lineAdded/name", to: "/lineAdded/label") }
      ),
      migration: Migration(
        from: 1,
        action: { try $0.move(from: "/lineAdded/label", to: "/lineAdded/name") }
      )
    ),
    SchemaChange(
      "add a value to an action",
      undoing: Migration(from: 1, action: { try $0.remove(at: "/lineAdded/isGift") }),
      migration: Migration(
        from: 1,
        action: { try $0.set(false, at: "/lineAdded/isGift") }
      )
    ),
    SchemaChange(
      "remove a value of an action",
      undoing: Migration(
        from: 1,
        action: { try $0.set(1, at: "/lineAdded/amount") }
      ),
      migration: Migration(from: 1, action: { try $0.remove(at: "/lineAdded/amount") })
    ),
    SchemaChange(
      "reorder the values of an action",
      undoing: Migration(from: 1, action: { try $0.reverse(at: "/lineAdded") }),
      migration: Migration(from: 1)
    ),
    SchemaChange(
      "wrap the value of an action",
      undoing: Migration(from: 1, action: { try $0.unwrap("/countChanged/_0", from: "value") }),
      migration: Migration(from: 1, action: { try $0.wrap("/countChanged/_0", in: "value") })
    ),
    SchemaChange(
      "split an action",
      isSuggested: false,
      undoing: Migration(
        from: 1,
        action: { action in
          if action["limitRaised"] != nil { action = ["tapped": ["_0": "limit"]] }
          if action["stopTapped"] != nil { action = ["tapped": ["_0": "stop"]] }
        }
      ),
      migration: Migration(
        from: 1,
        action: { action in
          guard let button = action["tapped"]?["_0"]?.string else { return }
          action = button == "limit" ? ["limitRaised": [:]] : ["stopTapped": [:]]
        }
      )
    ),
    SchemaChange(
      "change the type of a value of an action",
      isSuggested: false,
      undoing: Migration(from: 1, action: { try $0.makeNumber(at: "/zipChanged/_0") }),
      migration: Migration(from: 1, action: { try $0.makeText(at: "/zipChanged/_0") })
    ),
  ]

  /// Returns a change of the error, which is in the state and in an action.
  private static func error(
    _ name: String,
    isSuggested: Bool = true,
    undoing: @escaping @Sendable (_ error: inout JSON) throws -> Void,
    migration: @escaping @Sendable (_ error: inout JSON) throws -> Void
  ) -> SchemaChange {
    func both(_ change: @escaping @Sendable (_ error: inout JSON) throws -> Void) -> Migration {
      Migration(from: 1) {
        try $0.change("/problem") { if !$0.isNull { try change(&$0) } }
      } action: {
        try $0.change("/failed/_0", change)
      }
    }
    return SchemaChange(
      name,
      isSuggested: isSuggested,
      undoing: both(undoing),
      migration: both(migration)
    )
  }

  static let errors = [
    error("rename the case of an error") {
      try $0.move(from: "/unknown", to: "/other")
    } migration: {
      try $0.move(from: "/other", to: "/unknown")
    },
    error("rename a label of an error") {
      try $0.move(from: "/unknown/reason", to: "/unknown/cause")
    } migration: {
      try $0.move(from: "/unknown/cause", to: "/unknown/reason")
    },
    error("add a value to an error") {
      try $0.remove(at: "/unknown/code")
    } migration: {
      try $0.set(7, at: "/unknown/code")
    },
    error("remove a value of an error") {
      try $0.set("dark", at: "/unknown/theme")
    } migration: {
      try $0.remove(at: "/unknown/theme")
    },
    error("reorder the values of an error") {
      try $0.reverse(at: "/unknown")
    } migration: { _ in
    },
    error("wrap a value of an error") {
      try $0.unwrap("/unknown/reason", from: "text")
    } migration: {
      try $0.wrap("/unknown/reason", in: "text")
      try $0.set(["first": "Ada", "last": "Lovelace"], at: "/unknown/reason/buyer")
    },
    error("split a value of an error") {
      try $0.joinNames(at: "/unknown/reason/buyer")
    } migration: {
      try $0.splitNames(at: "/unknown/reason/buyer")
    },
    error("split the case of an error", isSuggested: false) { error in
      error =
        error["soldOut"] != nil ? ["any": ["_0": [:]]] : ["any": ["_0": error["unknown"] ?? [:]]]
    } migration: { error in
      let values = error["any"]?["_0"] ?? [:]
      error = values["code"] == nil ? ["soldOut": [:]] : ["unknown": values]
    },
    error("change the type of a value of an error", isSuggested: false) {
      try $0.makeText(at: "/unknown/code")
    } migration: {
      try $0.makeNumber(at: "/unknown/code")
    },
  ]
}
