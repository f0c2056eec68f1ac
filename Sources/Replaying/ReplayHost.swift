/// A program that replays an app's features.
///
/// With the product `TCAReplay`, the program has the command line of `tca-replay`. With the product `TCAReplayHost`, it
/// only answers `tca-replay`, which `--host` tells its path.
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
