public import TCARecorder

/// The settings of a timeline's own recording, and the limits while it shows the past.
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
  /// When the limit is exceeded, the oldest eighth is deleted with its positions.
  public var megabytes: Double? = 16
  /// The maximum age of each branch in memory, in minutes, or `nil` for no limit.
  public var minutes: Double?
  /// The values that are masked in the recording.
  ///
  /// Past states show the placeholders as well.
  public var masks = LogMasks()
  /// The actions that are recorded with their content.
  ///
  /// All other actions are positions without a name.
  public var actions = ActionFilter()
  /// The maximum number of actions from live effects that are held while the timeline shows the past.
  ///
  /// At the limit, the timeline returns to the present and delivers them, so none is lost.
  public var heldActions = 10_000

  /// Creates the default settings.
  public init() {}

  /// A recorder with these settings.
  var recorder: Recorder {
    var configuration = RecorderConfiguration(.memory(megabytes: megabytes, minutes: minutes))
    configuration.masks = masks
    configuration.actions = actions
    return Recorder(configuration)
  }
}
