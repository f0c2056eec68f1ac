// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The tests in `Tests/NAME`, which are compiled as the targets of products are.
func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "tca-replay",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ActionLog", targets: ["ActionLog"]),
    .library(name: "TCACore", targets: ["TCACore"]),
    .library(name: "ActionRecording", targets: ["ActionRecording"]),
    .library(name: "TCARecorder", targets: ["TCARecorder"]),
    .library(name: "TCATesting", targets: ["TCATesting"]),
    .library(name: "ReplayEngine", targets: ["ReplayEngine"]),
    .library(name: "ReplayCommandLine", targets: ["ReplayCommandLine"]),
    .library(name: "TCAReplaying", targets: ["TCAReplaying"]),
    .library(name: "TCAReplayTesting", targets: ["TCAReplayTesting"]),
    .library(name: "TCAReplayHost", targets: ["TCAReplayHost"]),
    .library(name: "TCAReplay", targets: ["TCAReplay"]),
    .executable(name: "tca-replay", targets: ["tca-replay"]),
    .plugin(name: "ReplayPlugin", targets: ["ReplayPlugin"]),
  ],
  traits: [
    .default(enabledTraits: ["URLSession"]),
    // Off in the tool's releases, because a static executable would need a static libcurl.
    .trait(name: "URLSession", description: "Adds the dependency 'urlSession'."),
  ],
  dependencies: [],
  targets: [
    .target(name: "ActionLog", dependencies: ["TCAMacros"], swiftSettings: strict),
    .macro(name: "TCAMacros", path: "Sources/Macros", swiftSettings: strict),
    .target(
      name: "TCACore",
      dependencies: ["ActionLog", "TCAMacros"],
      path: "Sources/Core",
      swiftSettings: strict
    ),
    .target(
      name: "ActionRecording",
      dependencies: ["ActionLog"],
      path: "Sources/Recording",
      swiftSettings: strict
    ),
    .target(
      name: "TCARecorder",
      dependencies: ["ActionRecording", "TCACore"],
      path: "Sources/Recorder",
      swiftSettings: strict
    ),
    // Apart from TCACore, so that no app links a test library.
    .target(
      name: "TCATesting",
      dependencies: ["ActionLog", "TCACore"],
      path: "Sources/Testing",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayEngine",
      dependencies: ["ActionLog"],
      path: "Sources/Replay",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayCommands",
      dependencies: ["ActionLog", "ReplayEngine"],
      path: "Sources/Commands",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayHosts",
      dependencies: ["ActionLog", "ReplayEngine", "ReplayCommands"],
      path: "Sources/Hosts",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayServing",
      dependencies: ["ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts"],
      path: "Sources/Serving",
      swiftSettings: strict
    ),
    .target(
      name: "LogTools",
      dependencies: ["ActionLog", "ReplayEngine", "ReplayCommands"],
      swiftSettings: strict
    ),
    .target(
      name: "ReplayAnalyses",
      dependencies: ["ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts", "LogTools"],
      path: "Sources/Analyses",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayPictures",
      dependencies: ["ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts", "LogTools"],
      path: "Sources/Pictures",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayDebugAdapter",
      dependencies: [
        "ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts", "LogTools", "ReplayDebugger",
      ],
      path: "Sources/DebugAdapter",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayPage",
      dependencies: [
        "ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts", "LogTools", "ReplayDebugger",
        "ReplayPictures",
      ],
      path: "Sources/Page",
      // Joined into PageSource.swift by .ci/page-source.
      exclude: ["Resources"],
      swiftSettings: strict
    ),
    .target(
      name: "ReplayDebugger",
      dependencies: [
        "ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts", "LogTools", "ReplayAnalyses",
        "ReplayPictures",
      ],
      path: "Sources/Debugger",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayAssistant",
      dependencies: [
        "ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts", "LogTools", "ReplayAnalyses",
        "ReplayDebugger", "ReplayPage", "ReplayPictures",
      ],
      path: "Sources/Assistant",
      swiftSettings: strict
    ),
    .target(
      name: "ReplayCommandLine",
      dependencies: [
        "ActionLog", "ReplayEngine", "ReplayCommands", "ReplayHosts", "LogTools", "ReplayAnalyses",
        "ReplayServing", "ReplayDebugger", "ReplayDebugAdapter", "ReplayPage", "ReplayPictures",
        "ReplayAssistant",
      ],
      path: "Sources/CommandLine",
      swiftSettings: strict
    ),
    .target(
      name: "TCAReplaying",
      dependencies: ["ActionLog", "ReplayEngine", "TCACore", "TCARecorder"],
      path: "Sources/Replaying",
      swiftSettings: strict
    ),
    // Apart from TCAReplaying, so that only tests link the page.
    .target(
      name: "TCAReplayTesting",
      dependencies: [
        "ActionLog", "ReplayEngine", "ReplayCommands", "ReplayPage", "ReplayPictures",
        "TCAReplaying",
      ],
      path: "Sources/ReplayTesting",
      swiftSettings: strict
    ),
    // Hosts that only answer the tool, without the commands for people.
    .target(
      name: "TCAReplayHost",
      dependencies: ["TCAReplaying", "ReplayServing"],
      path: "Sources/ServingHost",
      swiftSettings: strict
    ),
    .target(
      name: "TCAReplay",
      dependencies: [
        "ActionLog", "TCAReplaying", "ReplayEngine", "ReplayCommands", "ReplayHosts",
        "ReplayCommandLine",
      ],
      path: "Sources/Host",
      swiftSettings: strict
    ),
    .target(name: "SampleFeatures", dependencies: ["TCACore"], swiftSettings: strict),
    .target(
      name: "SamplePictures",
      dependencies: ["ReplayEngine", "SampleFeatures", "TCACore"],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "tca-replay",
      dependencies: ["TCAReplay", "SampleFeatures", "SamplePictures"],
      swiftSettings: strict
    ),
    .plugin(
      name: "ReplayPlugin",
      capability: .command(
        intent: .custom(verb: "replay", description: "Replay the logs of the package's features")
      ),
      path: "Plugins/Replay"
    ),
    .executableTarget(
      name: "CrashingApp",
      dependencies: ["TCARecorder", "TCAReplay", "SampleFeatures", "SchemaChanges"],
      path: "Tests/CrashingApp",
      swiftSettings: strict
    ),
    .target(
      name: "TestSupport",
      dependencies: ["ActionLog"],
      path: "Tests/Support",
      exclude: ["run-beside"],
      swiftSettings: strict
    ),
    // A feature and the changes of its schema, for hosts and tests.
    .target(
      name: "SchemaChanges",
      dependencies: ["ActionLog", "ReplayEngine", "TCACore", "TCARecorder"],
      path: "Tests/SchemaChanges",
      swiftSettings: strict
    ),
    // The command line over a small feature, for the tests of all targets from the engine to the command line.
    .target(
      name: "ReplayTestSupport",
      dependencies: ["ReplayCommandLine", "TestSupport"],
      path: "Tests/ReplaySupport",
      swiftSettings: strict
    ),
    tests(
      "EndToEndTests",
      of: [
        "ActionLog", "tca-replay", "CrashingApp", "SchemaChanges", "TestSupport", "TCAReplay",
        "SampleFeatures",
      ]
    ),
    tests("ActionLogTests", of: ["ActionLog", "TestSupport"]),
    tests("ActionRecordingTests", of: ["ActionRecording", "TestSupport"]),
    tests("TCACoreTests", of: ["TCACore", "TCATesting", "TestSupport"]),
    .testTarget(
      name: "LegacyTests",
      dependencies: ["TCACore"],
      // The mode of the code that is moved over: a slash is an operator there.
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    tests(
      "TCARecorderTests",
      of: [
        "TCARecorder", "ActionLog", "TCAReplay", "SampleFeatures", "ReplayTestSupport",
        "TestSupport",
      ]
    ),
    tests(
      "TCAReplayTests",
      of: [
        "TCAReplay", "TCARecorder", "TCACore", "ActionLog", "SampleFeatures", "SchemaChanges",
        "ReplayTestSupport", "TestSupport",
      ]
    ),
    tests(
      "TCAReplayTestingTests",
      of: ["ActionLog", "TCAReplayTesting", "TCACore", "ReplayEngine", "TestSupport"]
    ),
    tests("SampleFeaturesTests", of: ["SampleFeatures", "TCACore"]),
    // Written by .ci/store-tests out of the sample logs.
    tests("StoreTests", of: ["SampleFeatures", "TCACore", "TCATesting"]),
    tests("ReplayEngineTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("ReplayCommandsTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("ReplayHostsTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("LogToolsTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("ReplayAnalysesTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("ReplayDebuggerTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("ReplayDebugAdapterTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("ReplayAssistantTests", of: ["ReplayTestSupport", "TestSupport"]),
    tests("ReplayCommandLineTests", of: ["ReplayTestSupport", "TestSupport"]),
    // Built of the plugin's sources, which are linked in: a test target that depends on a macro makes the package manager build
    // the tests of all targets, and whatever they depend on, a second time for the host.
    .testTarget(
      name: "TCAMacrosTests",
      exclude: ["Macros/Plugin/Main.swift"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "GeneratedCodeTests",
      dependencies: ["TCACore", "TestSupport"],
      // Generated code has to compile under whatever an app has switched on, and without a warning.
      swiftSettings: strict + [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .treatAllWarnings(as: .error),
      ]
    ),
    tests("XCTestRoutingTests", of: ["TCACore"]),
    .testTarget(
      name: "MainActorTests",
      dependencies: ["TCACore"],
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
