import Foundation
import ReplayCommandLine
import ReplayEngine
@_exported public import TCAReplaying

/// A program that replays an app's features: the command line of `tca-replay` for the features of an app.
///
/// ```swift
/// import TCAReplay
///
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
  /// Runs the command that the process was called with, and exits with its status.
  @MainActor
  public static func main() async {
    let status = await CommandLineTool.main(
      arguments: Array(CommandLine.arguments.dropFirst()),
      features: features.map(\.entry)
    )
    exit(status)
  }
}
