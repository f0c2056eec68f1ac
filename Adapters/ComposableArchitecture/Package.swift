// swift-tools-version: 6.2
import PackageDescription

// Point-Free's library, or, if STAND_IN is set, the stand-in of this folder, on which the adapter is tested.
let isOnStandIn = Context.environment["STAND_IN"] != nil

let library: [Package.Dependency] =
  isOnStandIn
  ? [.package(path: "StandIn/swift-composable-architecture")]
  : [
    .package(
      url: "https://github.com/pointfreeco/swift-composable-architecture",
      from: "1.25.0"
    ),
    // The first version that reveals the reference of a shared value.
    .package(url: "https://github.com/pointfreeco/swift-sharing", from: "2.8.0"),
    // The first version whose reporters receive the severity of an issue.
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.9.0"),
  ]

let composable = Target.Dependency.product(
  name: "ComposableArchitecture",
  package: "swift-composable-architecture"
)

/// Only fixes the versions.
///
/// The library exports their interfaces.
let sharing: [Target.Dependency] =
  isOnStandIn ? [] : [.product(name: "Sharing", package: "swift-sharing")]
let issueReporting: [Target.Dependency] =
  isOnStandIn ? [] : [.product(name: "IssueReporting", package: "xctest-dynamic-overlay")]

func tool(_ name: String) -> Target.Dependency { .product(name: name, package: "tca-replay") }

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "tca-replay-composable-architecture",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ComposableRecorder", targets: ["ComposableRecorder"]),
    .library(name: "ComposableReplay", targets: ["ComposableReplay"]),
  ],
  dependencies: library + [.package(name: "tca-replay", path: "../..")],
  targets: [
    // Uses Swift 5 mode, because a decoded value is not known to be `Sendable`, as a binding action requires.
    .target(
      name: "ComposableBindings",
      dependencies: [composable],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .target(
      name: "ComposableRecorder",
      dependencies: [
        "ComposableBindings", composable, tool("ActionLog"), tool("ActionRecording"),
      ] + sharing,
      swiftSettings: strict
    ),
    .target(
      name: "ComposableReplay",
      dependencies: [
        "ComposableRecorder", composable, tool("ActionLog"), tool("ActionRecording"),
        tool("ReplayEngine"), tool("ReplayCommandLine"),
      ] + issueReporting,
      swiftSettings: strict
    ),
    .target(
      name: "SampleApp",
      dependencies: ["ComposableRecorder", composable],
      path: "Tests/SampleApp",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "sample-replay",
      dependencies: ["ComposableReplay", "SampleApp"],
      path: "Tests/sample-replay",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "adapter-benchmarks",
      dependencies: ["ComposableRecorder", composable],
      path: "Benchmarks",
      swiftSettings: strict
    ),
    .testTarget(
      name: "AdapterTests",
      dependencies: ["ComposableReplay", "ComposableRecorder", "SampleApp", composable],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
