import Foundation
import Synchronization
import TCARecorder
import TCAReplay

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
  let user = RandomUser(of: name, seed: seed)
  let recorder = Recorder(configuration)
  let others = Occasions()
  await user.use(state) {
    CombineReducers {
      // The app's other reducers
      Reduce<R.State, R.Action> { state, _ in
        if mode == .part, others.isNext() { R.Action.prepare(&state) }
        return .none
      }
      FollowedReducer(base: reducer().recorded(as: name, to: recorder)) { states.append($1) }
    }
  }
  if mode == .plain { try states.write(to: path + ".states") }
}

/// Whether a log shows no difference between two values.
func areAlike<Value>(_ first: Value, _ second: Value) -> Bool {
  LogEncoder(writing: first).releaseBytes() == LogEncoder(writing: second).releaseBytes()
}

extension Clamped: LogValue {
  func encode(to encoder: inout LogEncoder) { encoder.value(wrappedValue) }
  static func decode(from decoder: LogDecoder, over template: Clamped?) throws -> Clamped {
    Clamped(wrappedValue: try decoder.value(Int.self))
  }
}
