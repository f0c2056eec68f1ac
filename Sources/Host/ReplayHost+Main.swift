import Foundation
import ReplayCommandLine
@_exported public import TCAReplaying

extension ReplayHost {
  /// Runs the command that the process was called with, and exits with its status.
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
  @MainActor
  public static func main() async {
    let status = await CommandLineTool.main(
      arguments: Array(CommandLine.arguments.dropFirst()),
      features: features.map(\.entry)
    )
    exit(status)
  }
}
