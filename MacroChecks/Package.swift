// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Returns the folder of the toolchain's own parser, next to the `swift` that runs this manifest.
func hostLibraries() -> String {
  let environment = ProcessInfo.processInfo.environment
  if let path = environment["SWIFT_HOST_LIBRARIES"] { return path }
  for folder in (environment["PATH"] ?? "").split(separator: ":") {
    let swift = URL(fileURLWithPath: "\(folder)/swift").resolvingSymlinksInPath()
    let libraries = swift.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host").path
    if FileManager.default.fileExists(atPath: libraries) { return libraries }
  }
  fatalError("no toolchain with lib/swift/host in PATH; set SWIFT_HOST_LIBRARIES")
}

let host = hostLibraries()

// Checks the scanner of the macros against the toolchain's own parser. This is a separate package, because dependencies
// of an app may have no unsafe flags. The scanner's sources are symbolic links.
let package = Package(
  name: "macro-checks",
  platforms: [.macOS(.v15)],
  targets: [
    .testTarget(
      name: "MacroChecks",
      path: "Tests/MacroChecks",
      swiftSettings: [
        .unsafeFlags(["-I", host])
      ],
      linkerSettings: [
        .unsafeFlags([
          "-L", host, "-lSwiftSyntax", "-lSwiftParser", "-Xlinker", "-rpath", "-Xlinker", host,
        ])
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
