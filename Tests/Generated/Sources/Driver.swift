import Foundation
import Observation
import Synchronization
import TCARecorder
import TCAReplay

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

/// How a host records: `record-all FOLDER SEED CONFIGURATION`.
enum RecordingMode: String {
  /// A log of everything, and beside it the state after each action.
  case plain
  /// Some values are masked.
  case masked
  /// Some actions are left out.
  case filtered
  /// A ring with segments of a few kilobytes.
  case ring
  /// The feature is a part of another one, which also changes its state.
  case part
}

/// Every fifth of some events.
final class Occasions: Sendable {
  private let count = Mutex(0)

  func isNext() -> Bool {
    count.withLock { count in
      count += 1
      return count % 5 == 0
    }
  }
}

/// Follows the states of a feature from outside of its recording, as one line of JSON each.
///
/// Unchecked, because stores reduce on the main actor only.
final class StateWriter<State>: @unchecked Sendable {
  private var lines: [UInt8] = []

  func append(_ state: State) {
    lines += LogEncoder(writing: state).releaseBytes()
    lines.append(UInt8(ascii: "\n"))
  }

  func write(to path: String) throws { try Data(lines).write(to: URL(filePath: path)) }
}

/// Records a random user of a feature.
///
/// The values in settings and files are not those of the code, so that a replay has to take them from the log.
@MainActor
func record<R: Reducer>(
  _ name: String,
  _ reducer: @escaping @MainActor @Sendable () -> R,
  _ state: () -> R.State,
  masks: LogMasks,
  excluded: [MaskPath],
  seed: UInt64,
  mode: RecordingMode,
  folder: String
) async throws where R.Action: Acting, R.Action.State == R.State, R.State: ObservableState {
  let clock = TestClock()
  let path = "\(folder)/\(name.lowercased()).jsonl"
  var configuration = RecorderConfiguration(
    mode == .ring ? .ring(path, megabytes: 0.02) : .file(path)
  )
  switch mode {
  case .masked: configuration.masks = masks
  case .filtered: configuration.actions.exclude = excluded
  case .part: configuration.calls = CallFilter()
  case .plain, .ring: break
  }
  let states = StateWriter<R.State>()
  var random = SeededGenerator(state: seed)
  let settings = UserDefaults.inMemory
  settings.set(5, forKey: "visits")
  settings.set(3, forKey: name)
  let files = FileStorage.inMemory
  withDependencies {
    $0.defaultFileStorage = files
  } operation: {
    @Shared(.fileStorage(URL(filePath: "/\(name).json"))) var document: [Int] = []
    $document.withLock { $0 = [7, 8] }
  }
  let recorder = Recorder(configuration)
  let others = Occasions()
  func inApp<Result>(_ operation: () -> Result) -> Result {
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
  let store = inApp {
    var initial = state()
    if Bool.random(using: &random) { R.Action.prepare(&initial) }
    return Store(initialState: initial) {
      // The app's other reducers
      Reduce<R.State, R.Action> { state, _ in
        if mode == .part, others.isNext() { R.Action.prepare(&state) }
        return .none
      }
      FollowedReducer(base: reducer().recorded(as: name, to: recorder), states: states)
    }
  }
  // Views cancel what they started, when they go.
  var tasks: [StoreTask] = []
  for step in 0..<60 {
    if step % 8 == 0, let action = R.Action.reentrantAction {
      withObservationTracking {
        R.Action.observe(store.state)
      } onChange: { [weak store] in
        MainActor.assumeIsolated { _ = store?.send(action) }
      }
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      await clock.advance(by: .milliseconds(Int.random(in: 0...90, using: &random)))
    } else {
      let task = store.send(store.withState { R.Action.random($0, using: &random) })
      if Int.random(in: 0..<6, using: &random) == 0 { tasks.append(task) }
    }
    if Int.random(in: 0..<12, using: &random) == 0 { tasks.popLast()?.cancel() }
    if Int.random(in: 0..<8, using: &random) == 0 {
      inApp { changeSharedValues(of: name, by: Int.random(in: 1...3, using: &random)) }
    }
  }
  // Some sessions end while effects run.
  if Int.random(in: 0..<3, using: &random) > 0 { await clock.run() }
  if mode == .plain { try states.write(to: path + ".states") }
}

/// Changes values that the feature shares with the rest of the app.
func changeSharedValues(of name: String, by number: Int) {
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

/// A reducer whose states are followed from outside.
struct FollowedReducer<Base: Reducer>: Reducer {
  let base: Base
  let states: StateWriter<Base.State>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let effect = base.reduce(into: &state, action: action)
    states.append(state)
    return effect
  }
}
