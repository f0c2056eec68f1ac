import Foundation
import Observation
import TCACore

struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A random user of a feature, with settings, files and a clock of its own.
///
/// The values in settings and files are not those of the code, so that a replay has to take them from the log.
@MainActor
struct RandomUser {
  let name: String
  let seed: UInt64
  let clock = TestClock()
  private let settings = UserDefaults.inMemory
  private let files = FileStorage.inMemory

  init(of name: String, seed: UInt64) {
    self.name = name
    self.seed = seed
    settings.set(5, forKey: "visits")
    settings.set(3, forKey: name)
    withDependencies {
      $0.defaultFileStorage = files
    } operation: {
      @Shared(.fileStorage(URL(filePath: "/\(name).json"))) var document: [Int] = []
      $document.withLock { $0 = [7, 8] }
    }
  }

  /// Acts in a feature, until its effects have ended.
  ///
  /// - Parameters:
  ///   - state: A closure that returns the initial state.
  ///   - reducer: A closure that returns the feature.
  ///   - willAct: A closure that receives the store before each step.
  func use<R: Reducer>(
    _ state: () -> R.State,
    _ reducer: () -> R,
    willAct: (Store<R.State, R.Action>) async -> Void = { _ in }
  ) async where R.Action: Acting, R.Action.State == R.State, R.State: ObservableState {
    var random = SeededGenerator(state: seed)
    let store = inApp {
      var initial = state()
      if Bool.random(using: &random) { R.Action.prepare(&initial) }
      return Store(initialState: initial) { reducer() }
    }
    // Views cancel what they started, when they go.
    var tasks: [StoreTask] = []
    for step in 0..<60 {
      await willAct(store)
      if step % 8 == 0, let action = R.Action.reentrantAction {
        withObservationTracking {
          R.Action.observe(store.state)
        } onChange: { [weak store] in
          MainActor.assumeIsolated { _ = store?.send(action) }
        }
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        await clock.advance(by: .microseconds(Int.random(in: 0...90_000, using: &random)))
      } else {
        let task = store.send(store.withState { R.Action.random($0, using: &random) })
        if Int.random(in: 0..<6, using: &random) == 0 { tasks.append(task) }
      }
      if R.Action.cancelsTasks, Int.random(in: 0..<12, using: &random) == 0 {
        tasks.popLast()?.cancel()
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        inApp { changeSharedValues(by: Int.random(in: 1...3, using: &random)) }
      }
    }
    await willAct(store)
    // Some sessions end while effects run.
    if Int.random(in: 0..<3, using: &random) > 0 { await clock.run() }
    await willAct(store)
  }

  private func inApp<Result>(_ operation: () -> Result) -> Result {
    withDependencies {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.date = .init { Date(timeIntervalSinceReferenceDate: 700_000_000.25) }
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(SeededGenerator(state: seed))
      $0.defaultAppStorage = settings
      $0.defaultFileStorage = files
    } operation: {
      operation()
    }
  }

  /// Changes values that the feature shares with the rest of the app.
  private func changeSharedValues(by number: Int) {
    @Shared(.inMemory(name)) var total = 0
    @Shared(.appStorage(name)) var setting = 1
    @Shared(.fileStorage(URL(filePath: "/\(name).json"))) var document: [Int] = [1]
    @Shared(.inMemory("profile of \(name)")) var profile = Profile()
    switch number {
    case 1: $total.withLock { $0 += number }
    case 2:
      $setting.withLock { $0 += number }
      $document.withLock { $0.insert(number, at: 0) }
    default: $profile.withLock { $0.tags.append(Item(id: $0.tags.count + 1, title: $0.name)) }
    }
  }
}

/// A reducer whose actions and states are followed from outside.
struct FollowedReducer<Base: Reducer>: Reducer {
  let base: Base
  let didReduce: (Base.Action, Base.State) -> Void

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let effect = base.reduce(into: &state, action: action)
    didReduce(action, state)
    return effect
  }
}
