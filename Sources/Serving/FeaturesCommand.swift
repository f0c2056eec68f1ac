import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `features`: lists the features that the host can replay.
package enum FeaturesCommand: Command {
  package static let syntax = CommandSyntax(
    name: "features",
    summary: "list the features of the host",
    options: [
      .host,
      CommandSyntax.Option(
        name: "--cases",
        summary: "also list the cases of their actions and the paths of their states"
      ),
      .format,
    ],
    examples: [
      CommandSyntax.Example("--host .build/debug/app-replay", "list what a host can replay")
    ]
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    let listsCases = arguments.isOn("--cases")
    if let host = try context.host(arguments) {
      try HostExecution.become(
        host,
        arguments: ["features", "--format", arguments.isJSON ? "json" : "text"]
          + (listsCases ? ["--cases"] : [])
      )
    }
    let entries = context.features.entries
    if arguments.isJSON {
      let features = entries.map { entry -> JSON in
        var object: JSON.Object = [
          "name": .string(entry.name), "stateType": .string(entry.stateType),
          "canRecord": .bool(entry.record != nil),
        ]
        if listsCases, let outline = FeatureOutline(entry) {
          for (name, value) in outline.members { object[name] = value }
        }
        return .object(object)
      }
      let document: JSON = ["features": .array(features)]
      try context.console.print(document)
    } else {
      let width = entries.map(\.name.count).max() ?? 0
      for entry in entries {
        let gap = String(repeating: " ", count: width - entry.name.count + 2)
        try context.console.print("\(entry.name)\(gap)\(entry.stateType)\n")
        if listsCases { try context.console.print(cases(of: entry)) }
      }
    }
    return .same
  }

  /// Returns the cases of the actions and the paths of the states, one per line.
  private static func cases(of entry: FeatureEntry) -> String {
    guard let outline = FeatureOutline(entry) else { return "  \(Wording.unknownTypes)\n" }
    var places = StatePathTree()
    places.declare(outline.state)
    let sections = [("actions", outline.actions), ("state", places.declared)]
    return sections.map { title, lines in
      "  \(title)\n" + lines.map { "    \($0)\n" }.joined()
    }
    .joined()
  }
}
