// swift-tools-version: 6.2
import PackageDescription

// An app that records itself, shares its log, and opens a log at any action.
let package = Package(
  name: "Inspections",
  platforms: [.macOS(.v15), .iOS(.v18), .visionOS(.v2)],
  products: [
    // For an app target in Xcode. Its only line is `InspectionsScene()` in the body of an `App`.
    .library(name: "InspectionsViews", targets: ["InspectionsViews"])
  ],
  dependencies: [.package(name: "tca-replay", path: "../..")],
  targets: [
    .target(
      name: "InspectionsFeature",
      dependencies: [.product(name: "TCACore", package: "tca-replay")]
    ),
    // The recorder, and the code for sharing and opening logs: a debug menu without its view.
    .target(
      name: "InspectionsSession",
      dependencies: [
        "InspectionsFeature", .product(name: "TCACore", package: "tca-replay"),
        .product(name: "TCAReplaying", package: "tca-replay"),
      ]
    ),
    .target(
      name: "InspectionsViews",
      dependencies: [
        "InspectionsFeature", "InspectionsSession",
        .product(name: "TCACore", package: "tca-replay"),
        .product(name: "TCAReplaying", package: "tca-replay"),
      ]
    ),
    .executableTarget(
      name: "inspections",
      dependencies: ["InspectionsViews"]
    ),
    .executableTarget(
      name: "inspections-replay",
      dependencies: ["InspectionsFeature", .product(name: "TCAReplay", package: "tca-replay")]
    ),
    .testTarget(
      name: "InspectionsTests",
      dependencies: [
        "InspectionsFeature", "InspectionsSession",
        .product(name: "TCATesting", package: "tca-replay"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
