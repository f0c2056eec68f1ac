import ActionLog
import Observation
import ReplayEngine
internal import TCACore

/// The places at which a timeline that plays comes to a stop.
///
/// ```swift
/// timeline.play(stoppingAt: [.notes, .divergences])
/// ```
public struct TimelineStops: OptionSet, Sendable {
  /// The places as bits.
  public let rawValue: Int

  /// Places of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Actions with a note after them: `Recorder.note(_:)`.
  public static let notes = TimelineStops(rawValue: 1)
  /// Actions that a recorder or a replay has found something about.
  public static let findings = TimelineStops(rawValue: 2)
  /// Actions at which the code of now does something else than the recorded one: see `StoreTimeline.compare()`.
  public static let divergences = TimelineStops(rawValue: 4)
}

extension StoreTimeline {
  /// Whether the timeline plays.
  ///
  /// ```swift
  /// button.title = timeline.isPlaying ? "Pause" : "Play"
  /// ```
  public var isPlaying: Bool {
    registrar.access(self, keyPath: \.isPlaying)
    return playing != nil
  }

  /// Moves from action to action at the pace at which they were recorded.
  ///
  /// ```swift
  /// timeline.position = 0
  /// timeline.play(speed: 4, stoppingAt: .notes) { state in state.error != nil }
  /// ```
  ///
  /// A session that reaches its last action is in the present again. In the present there is nothing to play.
  ///
  /// - Parameters:
  ///   - speed: How many times as fast as recorded. Anything that is not above zero counts as 1.
  ///   - longestPause: The longest time between two actions; longer ones are cut to it.
  ///   - stops: The places at which it comes to a stop.
  ///   - condition: Stops at the first state for which it holds.
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

  /// Stops playing.
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

  /// The next action, and the time until it.
  private func next(_ speed: Double, _ longestPause: Duration) -> (seq: Int, pause: Duration)? {
    guard isInPast, let seq = try? branches.seq(after: position),
      let next = try? branches.moment(at: seq)
    else { return nil }
    let now = (try? branches.moment(at: position))?.at ?? 0
    let pause = Double(max(0, (next.at ?? now) - now)) / speed
    // Bounded as a number, because a duration of a damaged log could overflow.
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
