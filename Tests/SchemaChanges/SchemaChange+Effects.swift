internal import ActionLog
internal import ReplayEngine

extension SchemaChange {
  /// Returns a change of the reads with one of two keys.
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

  static let reads = [
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
    read("reorder the members of a read") { read in
      if read.key == "ShopClient.price" { read.value.reverseMembers() }
    } migration: { _ in
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

  static let calls = [
    SchemaChange(
      "rename a call",
      undoing: Migration(from: 1, call: { $0.key = "ShopClient.store" }),
      migration: Migration(from: 1, call: { $0.key = "ShopClient.save" })
    ),
    SchemaChange(
      "wrap the argument of a call",
      undoing: Migration(from: 1, call: { $0.arguments[0] = ["title": $0.arguments[0]] }),
      migration: Migration(from: 1, call: { $0.arguments[0] = $0.arguments[0]["title"] ?? "" })
    ),
    SchemaChange(
      "add an argument to a call",
      undoing: Migration(from: 1, call: { $0.arguments.removeLast() }),
      migration: Migration(from: 1, call: { $0.arguments.append("20095") })
    ),
    SchemaChange(
      "remove an argument of a call",
      undoing: Migration(from: 1, call: { $0.arguments.append("dark") }),
      migration: Migration(from: 1, call: { $0.arguments.removeLast() })
    ),
    SchemaChange(
      "reorder the arguments of a call",
      undoing: Migration(from: 1, call: { $0.arguments.reverse() }),
      migration: Migration(from: 1, call: { $0.arguments.reverse() })
    ),
    SchemaChange(
      "split the argument of a call",
      undoing: Migration(from: 1, call: { $0.arguments = ["Shop 20095"] }),
      migration: Migration(
        from: 1,
        call: { call in
          let parts = (call.arguments[0].string ?? "").split(separator: " ")
          call.arguments = parts.map { .string(String($0)) }
        }
      )
    ),
    SchemaChange(
      "change the type of the result of a call",
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

  static let inputs = [
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
    input("reorder the members of an input") {
      $0.value.reverseMembers()
    } migration: { _ in
    },
    input("split a member of an input") {
      try $0.value.set("Shop 20095", at: "/address")
      try $0.value.remove(at: "/title")
      try $0.value.remove(at: "/zip")
    } migration: { input in
      let parts = (input.value["address"]?.string ?? "").split(separator: " ").map(String.init)
      try input.value.remove(at: "/address")
      try input.value.set(.string(parts.first ?? ""), at: "/title")
      try input.value.set(.string(parts.last ?? ""), at: "/zip")
    },
    input("change the type of a member of an input", isSuggested: false) {
      try $0.value.makeNumber(at: "/zip")
    } migration: {
      try $0.value.makeText(at: "/zip")
    },
  ]

  private static func cancelID(
    _ name: String,
    isSuggested: Bool = true,
    undoing: @escaping Migration.Change<EffectDescription.CancelID>,
    migration: @escaping Migration.Change<EffectDescription.CancelID>
  ) -> SchemaChange {
    SchemaChange(
      name,
      isSuggested: isSuggested,
      undoing: Migration(from: 1, cancelID: undoing),
      migration: Migration(from: 1, cancelID: migration)
    )
  }

  static let cancelIDs = [
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
    cancelID("remove a value of a cancellation id") {
      try $0.value.set("dark", at: "/save/theme")
    } migration: {
      try $0.value.remove(at: "/save/theme")
    },
    cancelID("reorder the values of a cancellation id") {
      try $0.value.reverse(at: "/save")
    } migration: { _ in
    },
    cancelID("wrap a value of a cancellation id") {
      try $0.value.unwrap("/save/amount", from: "value")
    } migration: {
      try $0.value.wrap("/save/amount", in: "value")
    },
    cancelID("split a value of a cancellation id", isSuggested: false) {
      try $0.value.joinNames(at: "/save/buyer")
    } migration: {
      try $0.value.splitNames(at: "/save/buyer")
    },
    cancelID("change the type of a value of a cancellation id", isSuggested: false) {
      try $0.value.makeText(at: "/save/list")
    } migration: {
      try $0.value.makeNumber(at: "/save/list")
    },
  ]
}
