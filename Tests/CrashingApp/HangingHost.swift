import Foundation
import SampleFeatures
import TCAReplay

/// A host whose counter reports its actions, and hangs in an action when it has counted to two.
///
/// `TCA_REPLAY_TEST_SIGN` names a file to which it writes before it hangs. Without the variable, it traps instead.
struct HangingHost: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("Counter") {
        HangingCounter()
      } initialState: {
        Counter.State()
      }
    ]
  }
}

private struct HangingCounter: Reducer {
  func reduce(into state: inout Counter.State, action: Counter.Action) -> Effect<Counter.Action> {
    print("the counter is at \(state.count)")
    if state.count == 2 { stop() }
    return Counter()._reduce(into: &state, action: action)
  }

  private func stop() {
    guard let sign = ProcessInfo.processInfo.environment["TCA_REPLAY_TEST_SIGN"] else {
      fatalError("the counter cannot count further")
    }
    let handle = FileHandle(forWritingAtPath: sign)
    handle?.write(Data("x".utf8))
    while true { sleep(1) }
  }
}
