public import TCARecorder

/// The settings for a timeline's own recording, and the limits that apply while the timeline shows the past.
///
/// ```swift
/// var configuration = TimelineConfiguration()
/// configuration.megabytes = 4
/// configuration.masks.state = ["/user/email"]
/// let timeline = StoreTimeline(initialState: AppFeature.State(), configuration: configuration) { AppFeature() }
/// ```
public struct TimelineConfiguration: Sendable {
  /// The maximum size of each branch in memory, in megabytes, or `nil` if only `minutes` limits it.
  ///
  /// When a branch exceeds the limit, its oldest eighth is deleted, and the timeline loses the positions in it.
  public var megabytes: Double? = 16
  /// The maximum age of each branch in memory, in minutes, or `nil` for no limit.
  public var minutes: Double?
  /// The masks for the recording.
  ///
  /// In past states, the app shows the substitutes that replace masked values.
  public var masks = LogMasks()
  /// The filter that determines which actions are recorded with their content.
  ///
  /// All other actions are positions without a name.
  public var actions = ActionFilter()
  /// The maximum number of actions from live effects that are held while the timeline shows the past.
  ///
  /// At the limit, the timeline returns to the present and delivers the held actions, so that no action is lost.
  public var heldActions = 10_000

  /// Creates a configuration with the default settings.
  public init() {}

  /// A recorder that applies these settings.
  var recorder: Recorder {
    var configuration = RecorderConfiguration(.memory(megabytes: megabytes, minutes: minutes))
    configuration.masks = masks
    configuration.actions = actions
    return Recorder(configuration)
  }
}
