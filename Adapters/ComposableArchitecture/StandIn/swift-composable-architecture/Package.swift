// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// A stand-in for Point-Free's package of this name, for tests of the adapter. See README.md.
let package = Package(
  name: "swift-composable-architecture",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "ComposableArchitecture", targets: ["ComposableArchitecture"])],
  targets: [
    .target(name: "ComposableArchitecture", dependencies: ["StandInMacros"]),
    .macro(
      name: "StandInMacros",
      // Excludes the `LogValue` conformances and the original's `main`.
      exclude: [
        "Macros/LogValue", "Macros/Plugin/Main.swift",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
