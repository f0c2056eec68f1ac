// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "orders",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(url: "https://github.com/tca-replay/tca-replay", from: "0.1.0")],
  targets: [
    .target(
      name: "OrdersFeature",
      dependencies: [.product(name: "TCARecorder", package: "tca-replay")]
    ),
    .executableTarget(name: "orders", dependencies: ["OrdersFeature"]),
    .executableTarget(
      name: "orders-replay",
      dependencies: ["OrdersFeature", .product(name: "TCAReplay", package: "tca-replay")]
    ),
    .testTarget(
      name: "OrdersTests",
      dependencies: ["OrdersFeature", .product(name: "TCAReplaying", package: "tca-replay")]
    ),
  ]
)
