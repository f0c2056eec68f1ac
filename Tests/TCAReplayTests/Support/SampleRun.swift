import ActionLog
import Foundation
import SampleFeatures
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCAReplay
@testable import TCAReplaying

/// A step in a run of a sample feature.
enum SampleStep<Action: Sendable>: Sendable {
  case send(Action)
  /// An action that depends on the state, for example on the id of a row.
  case sendFrom(@Sendable (JSON) -> Action?)
  case advance(Duration)
  /// Advances the clock second by second.
  ///
  /// Each time, it waits until the only effect sleeps.
  case tick(Int)
  /// Advances the clock once.
  ///
  /// It first waits for the given number of sleeping effects and for the results of the last action.
  case wake(Duration, sleepers: Int = 1)
  /// Waits until all effects of the last action that do not depend on the clock have ended.
  case settle
}

/// Records a run on a clock that the steps advance.
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

/// Returns the result of replaying a log with a reducer.
///
/// A replay that continues after a divergence must have the same first result.
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

/// Returns the steps of a random run: mostly actions that fit the state, and advances of the clock.
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
