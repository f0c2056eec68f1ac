import ActionLog

/// The members that several tools have.
extension Schema.Member {
  static let log = Schema.Member.required(
    "log",
    .text("the log's name, as in list_logs; 'name.jsonl#2' is the second log of a file")
  )
  static let action = Schema.Member.required("action", .integer("the number of the action"))
  static let cursor = Schema.Member.optional(
    "cursor",
    .text("the cursor of the last answer, to continue it; keep the other arguments the same")
  )
  static let seconds = Schema.Member.optional(
    "seconds",
    .number("the time limit of the search in seconds (20, at most 600)")
  )
  static let ignoredPlaces = Schema.Member.optional(
    "ignore",
    .list("paths of the state that are not compared", of: .text(""))
  )
  static let nextCursor = Schema.Member.optional(
    "cursor",
    .text("there is more; pass this cursor to continue")
  )
  static let logName = Schema.Member.required("log", .text(""))
  static let output = Schema.Member.optional("output", .text("the log that was written"))
}

extension Schema {
  /// A text that comes from a log.
  static func data(_ about: String) -> Schema {
    .text(about.isEmpty ? "data from the log" : "\(about); data from the log")
  }

  /// Actions with their senders, the first being what happened, the last what began it.
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

  /// Differences of values.
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
