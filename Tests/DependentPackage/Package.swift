// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "app",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(url: "https://github.com/tca-replay/tca-replay", from: "0.1.0")],
  targets: [
    .target(
      name: "AppFeature",
      dependencies: [.product(name: "TCACore", package: "tca-replay")]
    ),
    .executableTarget(
      name: "app",
      dependencies: ["AppFeature", .product(name: "TCARecorder", package: "tca-replay")]
    ),
    .executableTarget(
      name: "app-replay",
      dependencies: ["AppFeature", .product(name: "TCAReplay", package: "tca-replay")]
    ),
    .executableTarget(
      name: "app-answers",
      dependencies: ["AppFeature", .product(name: "TCAReplayHost", package: "tca-replay")]
    ),
    .testTarget(
      name: "AppFeatureTests",
      dependencies: ["AppFeature", .product(name: "TCAReplay", package: "tca-replay")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
