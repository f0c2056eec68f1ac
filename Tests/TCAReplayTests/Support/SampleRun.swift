import ActionLog
import Foundation
import SampleFeatures
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCAReplay
@testable import TCAReplaying

/// One thing that happens in a run of a sample feature.
enum SampleStep<Action: Sendable>: Sendable {
  case send(Action)
  /// An action that depends on the state, such as on the id of a row.
  case sendFrom(@Sendable (JSON) -> Action?)
  case advance(Duration)
  /// Time goes by second by second, once the only effect sleeps, and again and again.
  case tick(Int)
  /// Time goes by once, when this many effects sleep, and what the last action started has come to its end.
  case wake(Duration, sleepers: Int = 1)
  /// Everything that the last action started, and that ends without the clock, has ended.
  case settle
}

/// Records a run on a clock that the steps move.
@MainActor
func record<R: Reducer>(
  _ reducer: R,
  initialState: R.State,
  steps: [SampleStep<R.Action>],
  to path: String
) async {
  let clock = TestClock()
  let store = Store(initialState: initialState) {
    reducer.recorded(to: .file(path))
  } withDependencies: {
    $0.continuousClock = clock
    $0.uuid = .incrementing
    $0.date = .constant(Date(timeIntervalSinceReferenceDate: 800_000_000))
    $0.withRandomNumberGenerator = WithRandomNumberGenerator(SplitMix64(seed: 9))
  }
  var task: StoreTask?
  for step in steps {
    switch step {
    case .send(let action): task = store.send(action)
    case .settle: await task?.finish()
    case .wake(let duration, let sleepers):
      while clock.sleeperCount < sleepers { await Task.yield() }
      await clock.advance(by: duration)
      await task?.finish()
    case .sendFrom(let make):
      if let action = make(JSON(logging: store.withState { $0 })) { store.send(action) }
    case .advance(let duration): await clock.advance(by: duration)
    case .tick(let seconds):
      for _ in 0..<seconds {
        while clock.sleeperCount < 1 { await Task.yield() }
        await clock.advance(by: .seconds(1))
      }
      while clock.sleeperCount < 1 { await Task.yield() }
    }
  }
}

/// What a replay of a log with a reducer shows; one that goes on behind a divergence shows the same first.
func verdict<R: Reducer & Sendable>(
  of path: String,
  replayedWith reducer: R,
  initialState: @escaping @Sendable () -> R.State
) throws -> Verdict where R.State: Sendable, R.Action: Sendable {
  let log = try #require(try LogSlice.slices(of: path, name: path).first)
  return try ReplayCheck(log: log).firstFinding { _ in
    ReducerEngine(reducer: { reducer }, initialState: initialState)
  }.verdict
}

/// The steps of a random run: mostly actions that fit, and time that goes by.
func randomSteps<Action: Sendable>(
  _ count: Int,
  seed: UInt64,
  _ action: @escaping @Sendable (JSON, inout SplitMix64) -> Action?
) -> [SampleStep<Action>] {
  var random = SplitMix64(seed: seed)
  return (0..<count).map { _ in
    if Int.random(in: 0..<3, using: &random) == 0 {
      return .advance(.milliseconds(Int.random(in: 0...1500, using: &random)))
    }
    let own = SplitMix64(seed: random.next())
    return .sendFrom { state in
      var random = own
      return action(state, &random)
    }
  }
}
