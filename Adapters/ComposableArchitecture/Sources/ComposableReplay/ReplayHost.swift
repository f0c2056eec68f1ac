import Foundation
import ReplayCommandLine

/// A program that replays an app's features, with the complete command line of `tca-replay`.
///
/// ```swift
/// import ComposableReplay
/// @main struct AppReplay: ReplayHost {
///   static var features: [ReplayFeature] {
///     [ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() }]
///   }
/// }
/// ```
public protocol ReplayHost {
  /// The features that the host can replay.
  static var features: [ReplayFeature] { get }
}

extension ReplayHost {
  /// Runs the command of the process, and exits with its status.
  @MainActor
  public static func main() async {
    let status = await CommandLineTool.main(
      arguments: Array(CommandLine.arguments.dropFirst()),
      features: features.map(\.entry)
    )
    exit(status)
  }
}
