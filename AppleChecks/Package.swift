// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Type-checks, on Linux, the code that only Apple's platforms compile. The libraries are those of the package above
// with
// such code, and their dependencies, as symbolic links. They are compiled against stand-ins for Apple's modules, so
// that
// `#if canImport(SwiftUI)` and similar conditions are true.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// On Apple's platforms, Foundation exports the names of Darwin, as it does those of Glibc on Linux.
///
/// Schedulers are in Dispatch and Foundation.
let darwin = SwiftSetting.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "Darwin"])

/// All stand-ins, for each target.
///
/// A module that is found only because another target was built before would not be a valid check.
let standIns = ["Combine", "Darwin", "ImageIO", "SwiftUI", "UIKit", "UniformTypeIdentifiers", "os"]

func standIn(_ name: String, of dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "StandIns/\(name)", swiftSettings: strict)
}

func library(
  _ name: String,
  in folder: String? = nil,
  of dependencies: [Target.Dependency]
) -> Target {
  .target(
    name: name,
    dependencies: dependencies + standIns.map { .target(name: $0) },
    path: "Libraries/\(folder ?? name)",
    swiftSettings: strict + [darwin, .define("URLSession")]
  )
}

/// Returns a target with the settings of an app.
func example(_ name: String, of dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name,
    dependencies: dependencies + standIns.map { .target(name: $0) },
    path: "Libraries/\(name)"
  )
}

let package = Package(
  name: "AppleChecks",
  targets: [
    standIn("Combine"),
    standIn("Darwin", of: ["Combine"]),
    standIn("ImageIO"),
    standIn("SwiftUI", of: ["ImageIO", "UniformTypeIdentifiers"]),
    standIn("UIKit"),
    standIn("UniformTypeIdentifiers"),
    standIn("os"),
    .macro(name: "TCAMacros", path: "Libraries/Macros", swiftSettings: strict),
    library("ActionLog", of: ["TCAMacros"]),
    library("TCACore", in: "Core", of: ["ActionLog", "TCAMacros"]),
    library("ActionRecording", in: "Recording", of: ["ActionLog"]),
    library("TCARecorder", in: "Recorder", of: ["ActionRecording", "TCACore"]),
    library("ReplayEngine", in: "Replay", of: ["ActionLog"]),
    library(
      "TCAReplaying",
      in: "Replaying",
      of: ["ActionLog", "ReplayEngine", "TCACore", "TCARecorder"]
    ),
    library("ReplayCommands", in: "Commands", of: ["ActionLog", "ReplayEngine"]),
    library("ReplayHosts", in: "Hosts", of: ["ActionLog", "ReplayEngine", "ReplayCommands"]),
    // The sample app in Examples/Inspections.
    example("InspectionsFeature", of: ["TCACore"]),
    example("InspectionsSession", of: ["InspectionsFeature", "TCACore", "TCAReplaying"]),
    example(
      "InspectionsViews",
      of: ["InspectionsFeature", "InspectionsSession", "TCACore", "TCAReplaying"]
    ),
    .executableTarget(
      name: "inspections",
      dependencies: ["InspectionsViews", "SwiftUI"],
      path: "Checks/App"
    ),
    .target(
      name: "Views",
      dependencies: ["TCACore", "TCAReplaying", "SwiftUI", "UIKit"],
      path: "Checks/Views",
      swiftSettings: strict
    ),
    .target(
      name: "LegacyViews",
      dependencies: ["TCACore", "SwiftUI"],
      path: "Checks/LegacyViews",
      // The mode of the code before the migration, in which a slash is an operator.
      swiftSettings: [.swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
