import ActionLog
import Foundation
import Synchronization
import TestSupport

@testable import ReplayEngine

/// A command line without a process: streams in memory, replays in this process.
@MainActor final class Terminal {
  var change = CounterEngine.Change.none
  /// What the feature's host says of its schema.
  var schemaVersion: Int?
  var migrations: [Migration] = []
  var input = ""
  var makeReplayStarter: (@Sendable () -> CommandContext.ReplayStarter)?
  var environment: [String: String] = [:]
  var hasColor = false
  /// What the clock shows when it is read, time after time; after these it goes on by `tick` seconds.
  var times: [Double] = []
  var tick = 0.0
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Result: Equatable {
    var status: Int32
    var output: String
    var error = ""
  }

  /// Runs a command; paths within the folder are written without it.
  func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  /// Runs a command.
  func run(_ arguments: [String]) async throws -> Result {
    let change = self.change
    let entry = FeatureEntry(
      name: "Counter",
      stateType: "CounterState",
      schemaVersion: schemaVersion,
      migrations: migrations,
      makeEngine: { CounterEngine(change) },
      record: { request in
        try SampleLog.text.write(toFile: request.path, atomically: false, encoding: .utf8)
        var summary = RecordSummary(path: request.path, actions: 0)
        let nextStep = try request.steps.makeReader()
        while try nextStep() != nil { summary.actions += 1 }
        return summary
      }
    )
    let features = FeatureCatalog([
      entry,
      FeatureEntry(name: "Todos", stateType: "TodosState") { CounterEngine() },
    ])
    let spool = folder.path + "/standard-input"
    try input.write(toFile: spool, atomically: true, encoding: .utf8)
    let output = MemorySink()
    let error = MemorySink()
    var context = CommandContext(
      program: CommandLineTool.Program(name: "tca-replay", version: "1.2.3", executable: "self"),
      features: features,
      console: Console(
        input: try FileHandle(forReadingFrom: URL(fileURLWithPath: spool)),
        output: output,
        error: error
      )
    )
    context.environment = environment
    context.folder = folder.path
    context.console.hasColor = hasColor
    let clock = Clock(times: times, tick: tick)
    context.now = { clock.read() }
    context.processors = 1
    context.makeReplayStarter =
      makeReplayStarter ?? {
        { log, options in
          InProcessReplay(
            ReplaySession(
              until: options.until ?? .max,
              isResyncing: options.isContinuing,
              ignored: options.comparison.ignored,
              isPruning: options.isPruning,
              events: try log.events(),
              makeEngine: { try features.entry(for: $0, named: options.feature).makeEngine() }
            )
          )
        }
      }
    let paths = arguments.map { folder.contains($0) ? "\(folder.path)/\($0)" : $0 }
    let status = await CommandLineTool.run(paths, in: &context)
    return Result(
      status: status.rawValue,
      output: output.text.replacing(folder.path + "/", with: "")
        .replacing(folder.path.dropFirst().replacing("/", with: ".") + ".", with: ""),
      error: error.text.replacing(folder.path + "/", with: "")
    )
  }
}

/// A clock that goes on when somebody looks at it.
private final class Clock: Sendable {
  private let times: Mutex<[Double]>
  private let tick: Double

  init(times: [Double], tick: Double) {
    self.times = Mutex(times.isEmpty ? [0] : times)
    self.tick = tick
  }

  func read() -> Double {
    times.withLock { times in
      let now = times[0]
      if times.count > 1 { times.removeFirst() } else { times[0] += tick }
      return now
    }
  }
}
