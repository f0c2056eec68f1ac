// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "tca-replay",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ActionLog", targets: ["ActionLog"]),
    .library(name: "TCACore", targets: ["TCACore"]),
  ],
  dependencies: [],
  targets: [
    .target(name: "ActionLog", swiftSettings: strict),
    .macro(name: "TCAMacros", path: "Sources/Macros", swiftSettings: strict),
    .target(
      name: "TCACore",
      dependencies: ["ActionLog", "TCAMacros"],
      path: "Sources/Core",
      swiftSettings: strict
    ),
    .testTarget(name: "ActionLogTests", dependencies: ["ActionLog"], swiftSettings: strict),
    .testTarget(name: "TCACoreTests", dependencies: ["TCACore"], swiftSettings: strict),
    .testTarget(
      name: "TCAMacrosTests",
      dependencies: ["TCAMacros", "TCACore"],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
