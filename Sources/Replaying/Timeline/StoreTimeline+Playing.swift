import ActionLog
import Observation
import ReplayEngine
internal import TCACore

/// The conditions under which a playing timeline stops.
///
/// ```swift
/// timeline.play(stoppingAt: [.notes, .divergences])
/// ```
public struct TimelineStops: OptionSet, Sendable {
  /// The conditions as a bit mask.
  public let rawValue: Int

  /// Creates a set of conditions from a bit mask.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Stops at actions that are followed by a note, which `Recorder.note(_:)` adds.
  public static let notes = TimelineStops(rawValue: 1)
  /// Stops at actions about which the recorder or a replay has a finding.
  public static let findings = TimelineStops(rawValue: 2)
  /// Stops at actions where the replay that `StoreTimeline.compare()` made diverges from the recording.
  public static let divergences = TimelineStops(rawValue: 4)
}

extension StoreTimeline {
  /// Whether the timeline is playing.
  ///
  /// ```swift
  /// button.title = timeline.isPlaying ? "Pause" : "Play"
  /// ```
  public var isPlaying: Bool {
    registrar.access(self, keyPath: \.isPlaying)
    return playing != nil
  }

  /// Moves from action to action at the recorded pace.
  ///
  /// ```swift
  /// timeline.position = 0
  /// timeline.play(speed: 4, stoppingAt: .notes) { state in state.error != nil }
  /// ```
  ///
  /// The timeline of a session returns to the present when it reaches the last action. In the present, the call has no
  /// effect.
  ///
  /// - Parameters:
  ///   - speed: The factor by which the recorded pace is multiplied. Values of zero or less count as 1.
  ///   - longestPause: The maximum time between two actions. Longer pauses are shortened to this time.
  ///   - stops: The conditions under which the timeline stops.
  ///   - condition: A closure that returns whether to stop at a state.
  public func play(
    speed: Double = 1,
    longestPause: Duration = .seconds(2),
    stoppingAt stops: TimelineStops = [],
    where condition: (@MainActor (State) -> Bool)? = nil
  ) {
    pause()
    guard isInPast else { return }
    let speed = speed > 0 ? speed : 1
    playing = Task { [weak self, clock] in
      while let next = self?.next(speed, longestPause) {
        do { try await clock.sleep(for: next.pause) } catch { return }
        guard !Task.isCancelled, let self else { return }
        position = next.seq
        guard isPlaying else { return }
        if position != next.seq || isStop(next.seq, stops) || condition?(store.state) == true {
          break
        }
      }
      self?.playing = nil
    }
  }

  /// Stops playing at the current position.
  ///
  /// ```swift
  /// timeline.pause()
  /// timeline.isPlaying  // false
  /// ```
  public func pause() {
    guard let playing else { return }
    playing.cancel()
    self.playing = nil
  }

  /// Returns the next action and the pause before it, or `nil` after the last action.
  private func next(_ speed: Double, _ longestPause: Duration) -> (seq: Int, pause: Duration)? {
    guard isInPast, let seq = try? branches.seq(after: position),
      let next = try? branches.moment(at: seq)
    else { return nil }
    let now = (try? branches.moment(at: position))?.at ?? 0
    let pause = Double(max(0, (next.at ?? now) - now)) / speed
    // The number is limited before it is converted, because a duration in a damaged log could overflow.
    return (seq, min(longestPause, .microseconds(Int64(min(pause, 1e15)))))
  }

  private func isStop(_ seq: Int, _ stops: TimelineStops) -> Bool {
    if stops.contains(.divergences), seq == divergence?.seq { return true }
    guard !stops.isEmpty, let moment = try? branches.moment(at: seq) else { return false }
    return moment.events.contains { event in
      switch event {
      case .note: stops.contains(.notes)
      case .finding: stops.contains(.findings)
      default: false
      }
    }
  }
}
