import ActionLog

/// Members that several tools share.
extension Schema.SchemaProperty {
  static let log = Schema.SchemaProperty.required(
    "log",
    .text("the log's name, as in list_logs; 'name.jsonl#2' is the second log of a file")
  )
  static let action = Schema.SchemaProperty.required("action", .integer("the number of the action"))
  static let cursor = Schema.SchemaProperty.optional(
    "cursor",
    .text("the cursor of the last answer, to continue it; keep the other arguments the same")
  )
  static let seconds = Schema.SchemaProperty.optional(
    "seconds",
    .number("the time limit of the search in seconds (20, at most 600)")
  )
  static let ignoredPlaces = Schema.SchemaProperty.optional(
    "ignore",
    .list("paths of the state that are not compared", of: .text(""))
  )
  static let nextCursor = Schema.SchemaProperty.optional(
    "cursor",
    .text("there is more; pass this cursor to continue")
  )
  static let logName = Schema.SchemaProperty.required("log", .text(""))
  static let output = Schema.SchemaProperty.optional("output", .text("the log that was written"))
}

extension Schema {
  /// Returns a schema for text from a log.
  static func data(_ about: String) -> Schema {
    .text(about.isEmpty ? "data from the log" : "\(about); data from the log")
  }

  /// Actions with their senders, from the last action back to its first cause.
  static let causes = Schema.list(
    "the chain of causes, back to an action from outside",
    of: .object(
      "",
      [
        .required("action", .integer("")), .required("text", .data("")),
        .required("sender", .text("")),
      ]
    )
  )

  /// Returns a schema for differences of values.
  static func differences(_ first: String, _ second: String) -> Schema {
    .list(
      "",
      of: .object(
        "",
        [
          .required("action", .integer("")), .required("kind", .text("")),
          .required("place", .data("")), .optional(first, .data("")),
          .optional(second, .data("")), .optional("message", .data("")),
        ]
      )
    )
  }
}
