internal import ActionLog
package import ReplayEngine

/// A change of the shop's schema: what makes a log of the shop one of the version before, and the migration that leads back.
package struct SchemaChange: Sendable {
  package let name: String
  /// Makes values of the code values of the version before.
  package let undoing: Migration
  package let migration: Migration
  /// Whether the migration that `migrate --suggest` writes is enough.
  package let isSuggested: Bool

  /// The variable of the environment that names the change whose migration the host has.
  package static let variable = "TCA_SCHEMA_CHANGE"

  init(
    _ name: String,
    isSuggested: Bool = true,
    undoing: Migration,
    migration: Migration
  ) {
    self.name = name
    self.isSuggested = isSuggested
    self.undoing = undoing
    self.migration = migration
  }

  /// The lines of a log as the version before would have written them.
  ///
  /// - Parameters:
  ///   - lines: The lines of a log of the code's version.
  ///   - version: The version that the header states; `nil` for none.
  /// - Returns: The lines.
  /// - Throws: `MigrationError`, and the errors of lines that are no events.
  package func before(_ lines: [String], stating version: Int? = 1) throws -> [String] {
    let undoing = FeatureEntry(
      name: "Shop",
      stateType: "Shop.State",
      schemaVersion: 2,
      migrations: [undoing]
    ) { throw ReplayError.noCheckpoint(kind: "") }
    let plan = try MigrationPlan(undoing)
    let migrator = LogMigrator { _ in plan }
    var rest = lines.makeIterator()
    var result: [String] = []
    while let event = try migrator.next({ try Self.event(rest.next()) }) {
      var event = event
      if case .header(var header) = event {
        header.schemaVersion = version
        event = .header(header)
      }
      result.append(String(decoding: event.line, as: UTF8.self))
    }
    return result
  }

  private static func event(_ line: String?) throws -> LogEvent? {
    guard let event = try line.map({ try LogEvent(json: JSON(parsing: $0)) }) else { return nil }
    guard case .header(var header) = event else { return event }
    header.schemaVersion = 1
    return .header(header)
  }
}

extension JSON {
  /// Sets the members of an object in the opposite order.
  fileprivate mutating func reverseMembers() {
    guard let object else { return }
    self = .object(Object(members: object.map { ($0.key, $0.value) }.reversed()))
  }

  fileprivate mutating func unwrap(_ place: String, from member: String) throws {
    try change(place) { $0 = $0[member] ?? $0 }
  }
}

private let detail = "/path/*/element/detail/_0"
private let detailAction = "/path/_0/element/action/detail/_0"

extension SchemaChange {
  package static let all =
    states + actions + reads + calls + inputs + errors + elements + shared + cancelIDs

  private static let states = [
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
      undoing: Migration(from: 1) { state in
        try state.change("/buyer") { buyer in
          buyer = .string("\(buyer["first"]?.string ?? "") \(buyer["last"]?.string ?? "")")
        }
      },
      migration: Migration(from: 1) { state in
        try state.change("/buyer") { buyer in
          let names = (buyer.string ?? "").split(separator: " ").map { JSON.string(String($0)) }
          buyer = ["first": names.first ?? "", "last": names.last ?? ""]
        }
      }
    ),
    SchemaChange(
      "change the type of a member of the state",
      isSuggested: false,
      undoing: Migration(from: 1) { state in
        try state.change("/zip") { $0 = .number(JSON.Number(Int($0.string ?? "") ?? 0)) }
      },
      migration: Migration(from: 1) { state in
        try state.change("/zip") { $0 = .string("\($0.int ?? 0)") }
      }
    ),
  ]

  private static let actions = [
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
      undoing: Migration(from: 1, action: { try $0.change("/lineAdded") { $0.reverseMembers() } }),
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
      undoing: Migration(
        from: 1,
        action: { action in
          try action.change("/zipChanged/_0") {
            $0 = .number(JSON.Number(Int($0.string ?? "") ?? 0))
          }
        }
      ),
      migration: Migration(
        from: 1,
        action: { action in
          try action.change("/zipChanged/_0") { $0 = .string("\($0.int ?? 0)") }
        }
      )
    ),
  ]

  /// A change of the reads with one of two keys.
  private static func read(
    _ name: String,
    isSuggested: Bool = true,
    undoing: @escaping Migration.Change<Migration.Read>,
    migration: @escaping Migration.Change<Migration.Read>
  ) -> SchemaChange {
    SchemaChange(
      name,
      isSuggested: isSuggested,
      undoing: Migration(from: 1, read: undoing),
      migration: Migration(from: 1, read: migration)
    )
  }

  private static let reads = [
    read("rename a read") { read in
      if read.key == "ShopClient.stock" { read.key = "ShopClient.count" }
    } migration: { read in
      if read.key == "ShopClient.count" { read.key = "ShopClient.stock" }
    },
    read("rename a member of a read") { read in
      if read.key == "ShopClient.price" { try read.value.move(from: "/cents", to: "/amount") }
    } migration: { read in
      if read.key == "ShopClient.price" { try read.value.move(from: "/amount", to: "/cents") }
    },
    read("add a member to a read") { read in
      if read.key == "ShopClient.price" { try read.value.remove(at: "/cents") }
    } migration: { read in
      if read.key == "ShopClient.price" { try read.value.set(300, at: "/cents") }
    },
    read("remove a member of a read") { read in
      if read.key == "ShopClient.price" { try read.value.set(0, at: "/tax") }
    } migration: { read in
      if read.key == "ShopClient.price" { try read.value.remove(at: "/tax") }
    },
    read("remove a read") { read in
      if read.key == "ShopClient.stock" { read.add("ShopClient.tax", value: 7) }
    } migration: { read in
      if read.key == "ShopClient.tax" { read.remove() }
    },
    read("wrap a read") { read in
      if read.key == "ShopClient.stock" { try read.value.unwrap("", from: "value") }
    } migration: { read in
      if read.key == "ShopClient.stock" { try read.value.wrap("", in: "value") }
    },
    read("wrap a read that is renamed") { read in
      guard read.key == "ShopClient.stock" else { return }
      read.key = "ShopClient.count"
      try read.value.unwrap("", from: "value")
    } migration: { read in
      guard read.key == "ShopClient.count" else { return }
      read.key = "ShopClient.stock"
      try read.value.wrap("", in: "value")
    },
    read("split a read", isSuggested: false) { read in
      if read.key == "ShopClient.firstName" {
        (read.key, read.value) = ("ShopClient.name", "Ada Lovelace")
      }
      if read.key == "ShopClient.lastName" { read.remove() }
    } migration: { read in
      guard read.key == "ShopClient.name" else { return }
      let names = (read.value.string ?? "").split(separator: " ").map { JSON.string(String($0)) }
      (read.key, read.value) = ("ShopClient.firstName", names.first ?? "")
      read.add("ShopClient.lastName", value: names.last ?? "")
    },
    read("change the type of a read", isSuggested: false) { read in
      if read.key == "ShopClient.firstName" { read.value = ["Ada"] }
    } migration: { read in
      if read.key == "ShopClient.firstName" { read.value = read.value.array?.first ?? "" }
    },
  ]

  private static let calls = [
    SchemaChange(
      "rename a call",
      undoing: Migration(from: 1, call: { $0.key = "ShopClient.store" }),
      migration: Migration(from: 1, call: { $0.key = "ShopClient.save" })
    ),
    SchemaChange(
      "wrap the argument of a call",
      undoing: Migration(from: 1, call: { $0.arguments = [["title": $0.arguments[0]]] }),
      migration: Migration(from: 1, call: { $0.arguments = [$0.arguments[0]["title"] ?? ""] })
    ),
    SchemaChange(
      "change the result of a call",
      undoing: Migration(from: 1, call: { $0.outcome = .returned("4") }),
      migration: Migration(from: 1, call: { $0.outcome = .returned(4) })
    ),
  ]

  private static func input(
    _ name: String,
    isSuggested: Bool = true,
    undoing: @escaping Migration.Change<Migration.Input>,
    migration: @escaping Migration.Change<Migration.Input>
  ) -> SchemaChange {
    SchemaChange(
      name,
      isSuggested: isSuggested,
      undoing: Migration(from: 1, input: undoing),
      migration: Migration(from: 1, input: migration)
    )
  }

  private static let inputs = [
    input("rename an effect") {
      $0.name = "store"
    } migration: {
      $0.name = "save"
    },
    input("rename a member of an input") {
      try $0.value.move(from: "/title", to: "/name")
    } migration: {
      try $0.value.move(from: "/name", to: "/title")
    },
    input("add a member to an input") {
      try $0.value.remove(at: "/zip")
    } migration: {
      try $0.value.set("20095", at: "/zip")
    },
    input("remove a member of an input") {
      try $0.value.set("dark", at: "/theme")
    } migration: {
      try $0.value.remove(at: "/theme")
    },
    input("wrap a member of an input") {
      try $0.value.unwrap("/count", from: "value")
    } migration: {
      try $0.value.wrap("/count", in: "value")
    },
    input("change the type of a member of an input", isSuggested: false) {
      try $0.value.set(20095, at: "/zip")
    } migration: {
      try $0.value.change("/zip") { $0 = .string("\($0.int ?? 0)") }
    },
  ]

  private static let errors = [
    SchemaChange(
      "rename the case of an error",
      undoing: Migration(from: 1) {
        try $0.move(from: "/problem/unknown", to: "/problem/other")
      } action: {
        try $0.move(from: "/failed/_0/unknown", to: "/failed/_0/other")
      },
      migration: Migration(from: 1) {
        try $0.move(from: "/problem/other", to: "/problem/unknown")
      } action: {
        try $0.move(from: "/failed/_0/other", to: "/failed/_0/unknown")
      }
    ),
    SchemaChange(
      "rename a label of an error",
      undoing: Migration(from: 1) {
        try $0.move(from: "/problem/unknown/reason", to: "/problem/unknown/text")
      } action: {
        try $0.move(from: "/failed/_0/unknown/reason", to: "/failed/_0/unknown/text")
      },
      migration: Migration(from: 1) {
        try $0.move(from: "/problem/unknown/text", to: "/problem/unknown/reason")
      } action: {
        try $0.move(from: "/failed/_0/unknown/text", to: "/failed/_0/unknown/reason")
      }
    ),
  ]

  private static let elements = [
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
      undoing: Migration(from: 1) { try $0.set(1, at: "\(detail)/size") },
      migration: Migration(from: 1) { try $0.remove(at: "\(detail)/size") }
    ),
  ]

  private static let shared = [
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
    SchemaChange(
      "change the type of a shared value",
      isSuggested: false,
      undoing: Migration(from: 1) { state in
        for place in ["/limit", "\(detail)/limit"] {
          try state.change(place) { $0 = .string("\($0.int ?? 0)") }
        }
      },
      migration: Migration(from: 1) { state in
        for place in ["/limit", "\(detail)/limit"] {
          try state.change(place) { $0 = .number(JSON.Number(Int($0.string ?? "") ?? 0)) }
        }
      }
    ),
  ]

  private static func cancelID(
    _ name: String,
    undoing: @escaping Migration.Change<EffectDescription.CancelID>,
    migration: @escaping Migration.Change<EffectDescription.CancelID>
  ) -> SchemaChange {
    SchemaChange(
      name,
      undoing: Migration(from: 1, cancelID: undoing),
      migration: Migration(from: 1, cancelID: migration)
    )
  }

  private static let cancelIDs = [
    cancelID("rename the type of a cancellation id") { id in
      if id.type == "Shop.CancelID" { id.type = "Shop.ID" }
    } migration: { id in
      if id.type == "Shop.ID" { id.type = "Shop.CancelID" }
    },
    cancelID("rename the case of a cancellation id") {
      try $0.value.move(from: "/save", to: "/store")
    } migration: {
      try $0.value.move(from: "/store", to: "/save")
    },
    cancelID("add a value to a cancellation id") {
      try $0.value.remove(at: "/save/list")
    } migration: {
      try $0.value.set(1, at: "/save/list")
    },
  ]
}
