import Foundation
import ReplayServing
@_exported public import TCAReplaying

extension ReplayHost {
  /// Answers the tool that started this process, and exits with the status of the command.
  ///
  /// ```swift
  /// import TCAReplayHost
  ///
  /// @main struct AppReplay: ReplayHost {
  ///   static var features: [ReplayFeature] {
  ///     [ReplayFeature("App") { AppFeature() } initialState: { AppFeature.State() }]
  ///   }
  /// }
  /// ```
  ///
  /// `tca-replay run LOG --host PATH` uses such a host. It builds faster than one with the product `TCAReplay`, because
  /// it contains no commands for people. It can't record, and searches replay whole logs.
  @MainActor
  public static func main() async {
    let status = await ServingTool.main(
      arguments: Array(CommandLine.arguments.dropFirst()),
      features: features.map(\.entry)
    )
    exit(status)
  }
}
