internal import ActionLog
internal import ReplayEngine

private let detail = "/path/*/element/detail/_0"
private let detailAction = "/path/_0/element/action/detail/_0"

extension SchemaChange {
  static let states = [
    SchemaChange(
      "rename a member of the state",
      undoing: Migration(from: 1) { try $0.move(from: "/title", to: "/name") },
      migration: Migration(from: 1) { try $0.move(from: "/name", to: "/title") }
    ),
    SchemaChange(
      "rename a member of rows",
      undoing: Migration(from: 1) { try $0.move(from: "/lines/*/name", to: "/lines/*/label") },
      migration: Migration(from: 1) { try $0.move(from: "/lines/*/label", to: "/lines/*/name") }
    ),
    SchemaChange(
      "add a member to the state",
      undoing: Migration(from: 1) { try $0.remove(at: "/buyer") },
      migration: Migration(from: 1) {
        try $0.set(["first": "Ada", "last": "Lovelace"], at: "/buyer")
      }
    ),
    SchemaChange(
      "add a member to rows",
      undoing: Migration(from: 1) { try $0.remove(at: "/lines/*/isGift") },
      migration: Migration(from: 1) { try $0.set(false, at: "/lines/*/isGift") }
    ),
    SchemaChange(
      "remove a member of the state",
      undoing: Migration(from: 1) { try $0.set("dark", at: "/theme") },
      migration: Migration(from: 1) { try $0.remove(at: "/theme") }
    ),
    SchemaChange(
      "reorder the members of the state",
      undoing: Migration(from: 1) { $0.reverseMembers() },
      migration: Migration(from: 1)
    ),
    SchemaChange(
      "wrap a member of the state",
      undoing: Migration(from: 1) { try $0.unwrap("/count", from: "value") },
      migration: Migration(from: 1) { try $0.wrap("/count", in: "value") }
    ),
    SchemaChange(
      "wrap a member of the state beside another value",
      undoing: Migration(from: 1) { try $0.unwrap("/total", from: "cents") },
      migration: Migration(from: 1) { state in
        try state.wrap("/total", in: "cents")
        try state.set("EUR", at: "/total/currency")
      }
    ),
    SchemaChange(
      "split a member of the state",
      undoing: Migration(from: 1) { try $0.joinNames(at: "/buyer") },
      migration: Migration(from: 1) { try $0.splitNames(at: "/buyer") }
    ),
    SchemaChange(
      "change the type of a member of the state",
      isSuggested: false,
      undoing: Migration(from: 1) { try $0.makeNumber(at: "/zip") },
      migration: Migration(from: 1) { try $0.makeText(at: "/zip") }
    ),
  ]

  static let elements = [
    SchemaChange(
      "rename a member of an element of the stack",
      undoing: Migration(from: 1) { try $0.move(from: "\(detail)/text", to: "\(detail)/title") },
      migration: Migration(from: 1) { try $0.move(from: "\(detail)/title", to: "\(detail)/text") }
    ),
    SchemaChange(
      "rename the case of an element of the stack",
      undoing: Migration(from: 1) {
        try $0.move(from: "/path/*/element/detail", to: "/path/*/element/item")
      } action: {
        try $0.move(
          from: "/path/_0/element/action/detail",
          to: "/path/_0/element/action/item"
        )
      },
      migration: Migration(from: 1) {
        try $0.move(from: "/path/*/element/item", to: "/path/*/element/detail")
      } action: {
        try $0.move(
          from: "/path/_0/element/action/item",
          to: "/path/_0/element/action/detail"
        )
      }
    ),
    SchemaChange(
      "rename an action of an element of the stack",
      undoing: Migration(
        from: 1,
        action: { try $0.move(from: "\(detailAction)/textChanged", to: "\(detailAction)/typed") }
      ),
      migration: Migration(
        from: 1,
        action: { try $0.move(from: "\(detailAction)/typed", to: "\(detailAction)/textChanged") }
      )
    ),
    SchemaChange(
      "remove a member of an element of the stack",
      undoing: Migration(from: 1) { try $0.set("dark", at: "\(detail)/theme") },
      migration: Migration(from: 1) { try $0.remove(at: "\(detail)/theme") }
    ),
    SchemaChange(
      "add a member to an element of the stack",
      undoing: Migration(from: 1) { try $0.remove(at: "\(detail)/size") },
      migration: Migration(from: 1) { try $0.set(["value": 3], at: "\(detail)/size") }
    ),
    SchemaChange(
      "reorder the members of an element of the stack",
      undoing: Migration(from: 1) { try $0.reverse(at: detail) },
      migration: Migration(from: 1)
    ),
    SchemaChange(
      "wrap a member of an element of the stack",
      undoing: Migration(from: 1) { try $0.unwrap("\(detail)/size", from: "value") },
      migration: Migration(from: 1) { try $0.wrap("\(detail)/size", in: "value") }
    ),
    SchemaChange(
      "split a member of an element of the stack",
      isSuggested: false,
      undoing: Migration(from: 1) { try $0.joinNames(at: "\(detail)/author") },
      migration: Migration(from: 1) { try $0.splitNames(at: "\(detail)/author") }
    ),
    SchemaChange(
      "change the type of a member of an element of the stack",
      isSuggested: false,
      undoing: Migration(from: 1) { try $0.makeText(at: "\(detail)/page") },
      migration: Migration(from: 1) { try $0.makeNumber(at: "\(detail)/page") }
    ),
  ]

  static let shared = [
    SchemaChange(
      "rename a shared value",
      undoing: Migration(from: 1) {
        try $0.move(from: "/limit", to: "/maximum")
        try $0.move(from: "\(detail)/limit", to: "\(detail)/maximum")
      },
      migration: Migration(from: 1) {
        try $0.move(from: "/maximum", to: "/limit")
        try $0.move(from: "\(detail)/maximum", to: "\(detail)/limit")
      }
    ),
    preferences("add a member to a shared value") { state, place in
      try state.remove(at: "\(place)/currency")
    } migration: { state, place in
      try state.set("EUR", at: "\(place)/currency")
    },
    preferences("remove a member of a shared value") { state, place in
      try state.set("dark", at: "\(place)/theme")
    } migration: { state, place in
      try state.remove(at: "\(place)/theme")
    },
    preferences("reorder the members of a shared value") { state, place in
      try state.reverse(at: place)
    } migration: { _, _ in
    },
    preferences("wrap a member of a shared value") { state, place in
      try state.unwrap("\(place)/size", from: "value")
    } migration: { state, place in
      try state.wrap("\(place)/size", in: "value")
    },
    preferences("split a member of a shared value", isSuggested: false) { state, place in
      try state.joinNames(at: "\(place)/owner")
    } migration: { state, place in
      try state.splitNames(at: "\(place)/owner")
    },
    SchemaChange(
      "change the type of a shared value",
      isSuggested: false,
      undoing: Migration(from: 1) { state in
        for place in ["/limit", "\(detail)/limit"] { try state.makeText(at: place) }
      },
      migration: Migration(from: 1) { state in
        for place in ["/limit", "\(detail)/limit"] { try state.makeNumber(at: place) }
      }
    ),
  ]

  /// Returns a change of a value that the shop shares with the elements of its stack.
  private static func preferences(
    _ name: String,
    isSuggested: Bool = true,
    undoing: @escaping @Sendable (_ state: inout JSON, _ place: String) throws -> Void,
    migration: @escaping @Sendable (_ state: inout JSON, _ place: String) throws -> Void
  ) -> SchemaChange {
    let places = ["/preferences", "\(detail)/preferences"]
    return SchemaChange(
      name,
      isSuggested: isSuggested,
      undoing: Migration(from: 1) { for place in places { try undoing(&$0, place) } },
      migration: Migration(from: 1) { for place in places { try migration(&$0, place) } }
    )
  }
}
