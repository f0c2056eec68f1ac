public import TCARecorder

/// The settings of a timeline's own recording, and of what it holds while it is in the past.
///
/// ```swift
/// var configuration = TimelineConfiguration()
/// configuration.megabytes = 4
/// configuration.masks.state = ["/user/email"]
/// let timeline = StoreTimeline(initialState: AppFeature.State(), configuration: configuration) { AppFeature() }
/// ```
public struct TimelineConfiguration: Sendable {
  /// How much of each branch is held in memory, in megabytes; `nil` where `minutes` alone bounds it.
  ///
  /// When there is more, the oldest eighth goes, and with it the positions there.
  public var megabytes: Double? = 16
  /// How much of each branch is held in memory, in minutes; `nil` for any time.
  public var minutes: Double?
  /// The values that are masked in the recording.
  ///
  /// The past shows their placeholders, too.
  public var masks = LogMasks()
  /// The actions that are recorded as such.
  ///
  /// The others are positions without a name.
  public var actions = ActionFilter()
  /// How many actions of live effects are held while the timeline is in the past.
  ///
  /// When there are so many, the timeline returns to the present, which delivers them: none is lost.
  public var heldActions = 10_000

  /// The defaults.
  public init() {}

  /// The recorder of these settings.
  var recorder: Recorder {
    var configuration = RecorderConfiguration(.memory(megabytes: megabytes, minutes: minutes))
    configuration.masks = masks
    configuration.actions = actions
    return Recorder(configuration)
  }
}
