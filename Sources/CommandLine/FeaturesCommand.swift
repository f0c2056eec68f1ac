import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `features`: the features that the host can replay.
enum FeaturesCommand: Command {
  static let syntax = CommandSyntax(
    name: "features",
    summary: "list the features of the host",
    options: [.host, .format]
  )

  static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    if let host = try context.host(arguments) {
      try HostExecution.become(
        host,
        arguments: ["features", "--format", arguments.isJSON ? "json" : "text"]
      )
    }
    let entries = context.features.entries
    if arguments.isJSON {
      let features = entries.map { entry -> JSON in
        [
          "name": .string(entry.name), "stateType": .string(entry.stateType),
          "canRecord": .bool(entry.record != nil),
        ]
      }
      let document: JSON = ["features": .array(features)]
      try context.console.print("\(document)\n")
    } else {
      let width = entries.map(\.name.count).max() ?? 0
      for entry in entries {
        let gap = String(repeating: " ", count: width - entry.name.count + 2)
        try context.console.print("\(entry.name)\(gap)\(entry.stateType)\n")
      }
    }
    return .same
  }
}
