import ActionLog
import Foundation
import TCAReplay
import Testing

@testable import TCAReplaying

/// Timelines that play on a clock controlled by the test.
@MainActor
struct TimelinePlayTests {
  private let clock = TestClock()

  /// Returns a log of four counts, at 0, 1, 1.5 and 11.5 seconds.
  private func timeline() throws -> StoreTimeline<Planner.State, Planner.Action> {
    let (log, _) = try recordedPlanner([.increment, .increment, .increment, .increment])
    let times = [0, 1_000_000, 1_500_000, 11_500_000]
    var lines: [String] = []
    for line in String(decoding: try log.contents(), as: UTF8.self).split(separator: "\n") {
      guard case .action(var action)? = LogEvent(line: line.utf8) else {
        lines.append(String(line))
        if line.contains(#""kind":"change","seq":3"#) {
          lines.append(#"{"kind":"note","seq":3,"at":1600000,"text":"here"}"#)
        }
        if line.contains(#""kind":"change","seq":2"#) {
          lines.append(
            #"{"kind":"finding","seq":2,"code":"schemaDrift","subject":"/x","message":"the log lacks it"}"#
          )
        }
        continue
      }
      action.at = times[action.seq - 1]
      lines.append(String(decoding: LogEvent.action(action).line, as: UTF8.self))
    }
    return try StoreTimeline(replaying: .lines(lines.joined(separator: "\n")), clock: clock) {
      Planner()
    } initialState: {
      Planner.State()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
  }

  /// Advances the clock once the timeline waits for it.
  private func advance(by duration: Duration) async {
    while clock.sleeperCount < 1 { await Task.yield() }
    await clock.advance(by: duration)
  }

  /// Advances the clock whenever a timeline that plays without pauses waits for it.
  private func finish(_ timeline: StoreTimeline<Planner.State, Planner.Action>) async {
    while timeline.isPlaying { await clock.advance(by: .zero) }
  }

  @Test func `a timeline plays at the recorded pace and shortens long pauses`() async throws {
    let timeline = try timeline()
    timeline.play(longestPause: .seconds(3))
    #expect(timeline.isPlaying)
    await advance(by: .zero)
    #expect(timeline.position == 1)
    await advance(by: .milliseconds(999))
    #expect(timeline.position == 1)
    await advance(by: .milliseconds(1))
    #expect(timeline.position == 2)
    await advance(by: .milliseconds(500))
    #expect(timeline.position == 3)
    await advance(by: .seconds(3))
    #expect(timeline.position == 4)
    while timeline.isPlaying { await Task.yield() }
    #expect(timeline.store.count == 4)
  }

  @Test func `a timeline can play at several times the recorded speed`() async throws {
    let timeline = try timeline()
    timeline.position = 1
    timeline.play(speed: 4)
    await advance(by: .milliseconds(250))
    #expect(timeline.position == 2)
    await advance(by: .milliseconds(125))
    #expect(timeline.position == 3)
    timeline.pause()
    #expect(!timeline.isPlaying)
    await clock.advance(by: .seconds(10))
    #expect(timeline.position == 3)
  }

  @Test func `playback of a timeline stops at a note, a finding or a condition that holds`()
    async throws
  {
    let timeline = try timeline()
    timeline.play(speed: .infinity, stoppingAt: .notes)
    await finish(timeline)
    #expect(timeline.position == 3)
    timeline.position = 0
    timeline.play(speed: .infinity, stoppingAt: .findings)
    await finish(timeline)
    #expect(timeline.position == 2)
    timeline.position = 0
    timeline.play(speed: .infinity) { $0.count == 2 }
    await finish(timeline)
    #expect(timeline.position == 2)
  }

  @Test(arguments: [(Int.max, 4), (.min, 0), (2, 4), (-2, 0)])
  func `a step of any size in a timeline ends at the first or last action`(
    count: Int,
    end: Int
  ) throws {
    let timeline = try timeline()
    timeline.position = 2
    timeline.step(by: count)
    #expect(timeline.position == end)
    #expect(timeline.problem == nil)
  }

  @Test func `a live timeline that plays to its end returns to the present`() async throws {
    let timeline = StoreTimeline(initialState: Planner.State(), clock: clock) {
      Planner()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    for _ in 0..<3 { timeline.store.send(.increment) }
    timeline.play()
    #expect(!timeline.isPlaying)
    timeline.position = 1
    timeline.play(speed: .infinity)
    await finish(timeline)
    #expect(!timeline.isInPast)
    #expect(timeline.position == 3)
  }
}
