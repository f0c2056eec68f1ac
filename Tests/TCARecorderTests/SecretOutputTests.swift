import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ActionRecording
@testable import ReplayCommandLine
@testable import ReplayCommands
@testable import ReplayEngine
@testable import ReplayHosts
@testable import TCARecorder
@testable import TCAReplay
@testable import TCAReplaying

extension SecretTests {
  /// Commands whose output and files are checked for secrets of a masked log.
  nonisolated static let commands: [[String]] = [
    ["show", "log.jsonl"], ["show", "log.jsonl", "--at", "2"],
    ["show", "log.jsonl", "--format", "json"], ["stats", "log.jsonl"], ["verify", "log.jsonl"],
    ["blame", "log.jsonl", "/password"], ["blame", "log.jsonl", "/greeting", "--format", "json"],
    ["run", "log.jsonl"], ["run", "log.jsonl", "--format", "json"],
    ["run", "log.jsonl", "--format", "junit"], ["run", "log.jsonl", "--format", "github"],
    ["replay", "log.jsonl"], ["diff", "log.jsonl", "other.jsonl"],
    ["diff", "log.jsonl", "other.jsonl", "--format", "json"],
    ["test", "log.jsonl", "--import", "App"],
    ["bisect", "log.jsonl", "--when", "$.state.isBusy == true"],
    ["minimize", "log.jsonl", "--when", "$.state.isBusy == true", "-o", "-"],
    ["explore", "log.jsonl", "--invariant", "$.state.isBusy == false", "-o", "-"],
  ]

  private struct Shouting: Reducer {
    let shouts: Bool
    var body: some Reducer<Login.State, Login.Action> {
      Login()
      Reduce { state, action in
        if shouts, case .typed = action { state.greeting += "!" }
        return .none
      }
    }
  }

  @Test("No command prints a secret of a masked log", arguments: [false, true])
  func commands(isChanged: Bool) async throws {
    let folder = try TemporaryFolder()
    try await record(to: .file(folder.path + "/log.jsonl"))
    try await record(to: .file(folder.path + "/other.jsonl"), shouts: true)
    let entry = FeatureEntry(name: "Login", stateType: "Login.State") {
      ReducerEngine(
        reducer: { Shouting(shouts: isChanged) },
        initialState: { Login.State() }
      )
    }
    let features = FeatureCatalog([entry])
    for arguments in Self.commands {
      try await check(arguments, features, in: folder)
    }
  }

  private func check(
    _ arguments: [String],
    _ features: FeatureCatalog,
    in folder: TemporaryFolder
  ) async throws {
    let output = ReplayTestSupport.MemorySink()
    let error = ReplayTestSupport.MemorySink()
    var context = CommandContext(
      program: CommandLineTool.Program(name: "tca-replay", version: "1", executable: "self"),
      features: features,
      console: Console(input: FileHandle.nullDevice, output: output, error: error),
      makeReplayStarter: PersistentHost.starter
    )
    context.makeReplayStarter = {
      { log, options in
        InProcessReplay(
          ReplaySession(
            until: options.until ?? .max,
            events: try log.events(),
            makeEngine: { try features.entry(for: $0, named: options.feature).makeEngine() }
          )
        )
      }
    }
    let paths = arguments.map { $0.hasSuffix(".jsonl") ? folder.path + "/" + $0 : $0 }
    let status = await CommandLineTool.run(paths, in: &context)
    #expect([.same, .different, .unreadable].contains(status), "\(arguments): \(error.text)")
    let text = output.text + error.text
    #expect(!text.isEmpty, "\(arguments)")
    // The other log contains a text in capitals, which masks don't promise to find. A comparison shows it.
    let other = try folder.read("other.jsonl")
    let hidden = Self.texts.filter { !arguments.contains("other.jsonl") || !other.contains($0) }
    #expect(hidden.count + 1 >= Self.texts.count)
    for secret in hidden { #expect(!text.contains(secret), "\(arguments)") }
  }
}
