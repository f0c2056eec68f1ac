// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "tca-replay", path: "..")],
  targets: [
    .target(name: "AllocationCounter"),
    .target(
      name: "ComposedApp",
      dependencies: [
        .product(name: "TCARecorder", package: "tca-replay"),
        .product(name: "TCAReplaying", package: "tca-replay"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "AllocationCounter", "ComposedApp",
        .product(name: "TCARecorder", package: "tca-replay"),
        .product(name: "TCAReplaying", package: "tca-replay"),
        .product(name: "ReplayEngine", package: "tca-replay"),
        .product(name: "ActionLog", package: "tca-replay"),
      ],
      path: "Sources/Benchmarks",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "soak",
      dependencies: [
        .product(name: "TCARecorder", package: "tca-replay"),
        .product(name: "TCAReplaying", package: "tca-replay"),
      ],
      path: "Sources/Soak",
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
