import Foundation
import SampleFeatures
import SchemaChanges
import Synchronization
import TCARecorder
import TCAReplay

/// An app that records a counter and is killed at a chosen point of its third action: `CrashingApp LOG POINT`.
///
/// With `TCA_REPLAY_TEST_PICTURES`, it is a `PictureHost`. `CrashingApp replay -` is a `HangingHost`, as is
/// `CrashingApp serve` if `TCA_REPLAY_TEST_SERVES` is set.
///
/// Points: `before` the write of the action, `inside` it when half of the line is in the file, `after` it, `reduce` by
/// a signal inside the reducer, `trap` inside the reducer; `ring` by a signal inside the reducer of action 26, with a
/// flight recorder; `limit` sets the maximum size of a file and continues, `files` leaves no file handle for a log;
/// `none`; `masked-N` is a `MaskedApp`. With `TCA_SCHEMA_CHANGE`, it is a `SchemaHost`. With `TCA_SCHEMA_RECORD`, it
/// records the shop to that path.
@main
struct Main {
  @MainActor
  static func main() async throws {
    let arguments = CommandLine.arguments
    if let path = ProcessInfo.processInfo.environment["TCA_SCHEMA_RECORD"] {
      return await Shop.record(to: path)
    }
    if ProcessInfo.processInfo.environment[SchemaChange.variable] != nil {
      return await SchemaHost.main()
    }
    if ProcessInfo.processInfo.environment[PictureHost.variable] != nil {
      await PictureHost.main()
    }
    let serves = ProcessInfo.processInfo.environment["TCA_REPLAY_TEST_SERVES"] != nil
    if ["replay", serves ? "serve" : "replay"].contains(arguments.dropFirst().first) {
      await HangingHost.main()
    }
    guard arguments.count == 3 else { exit(64) }
    let (path, point) = (arguments[1], arguments[2])
    if point.hasPrefix("masked-"), let last = Int(point.dropFirst(7)) {
      return await MaskedApp.run(path, killedAt: last)
    }
    if point == "limit" {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1500, rlim_max: 1500)
      // The limit affects only the log, because standard output is a pipe.
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
    if point == "files" {
      var limit = rlimit(rlim_cur: 3, rlim_max: 3)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    let sink = ["ring", "files"].contains(point) ? nil : try KillingSink(path: path, point: point)
    let destination: LogDestination =
      if let sink {
        LogDestination { sink }
      } else {
        point == "ring" ? .ring(path, megabytes: 0.002) : .file(path)
      }
    let store = Store(initialState: Counter.State()) {
      KilledCounter(point: point).recorded(as: "Counter", to: destination)
    }
    for _ in 1...30 {
      sink?.isThird = store.state.count == 2
      store.send(.incrementButtonTapped)
    }
    print(store.state.count)
  }
}

/// A counter whose reducer ends the process.
private struct KilledCounter: Reducer {
  let point: String

  func reduce(into state: inout Counter.State, action: Counter.Action) -> Effect<Counter.Action> {
    if state.count == 25, point == "ring" { kill(getpid(), SIGKILL) }
    if state.count == 2 {
      switch point {
      case "reduce": kill(getpid(), SIGKILL)
      case "trap": fatalError("the reducer traps")
      default: break
      }
    }
    return Counter()._reduce(into: &state, action: action)
  }
}

/// A file that ends the process before or during a write.
private final class KillingSink: LogSink {
  private let file: FileSink
  private let point: String
  private let third = Mutex(false)

  init(path: String, point: String) throws {
    file = try FileSink(creating: path)
    self.point = point
  }

  var isThird: Bool {
    get { third.withLock { $0 } }
    set { third.withLock { $0 = newValue } }
  }

  func append(_ lines: [UInt8]) throws {
    guard isThird else { return try file.append(lines) }
    switch point {
    case "before": kill(getpid(), SIGKILL)
    case "inside":
      try file.append(Array(lines[..<(lines.count - 20)]))
      kill(getpid(), SIGKILL)
    case "after":
      try file.append(lines)
      kill(getpid(), SIGKILL)
    default: try file.append(lines)
    }
  }
}
