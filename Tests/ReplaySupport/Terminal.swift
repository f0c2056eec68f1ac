import ActionLog
import Foundation
import ReplayCommandLine
import ReplayCommands
import ReplayEngine
import Synchronization
import TestSupport
import Testing

/// A command line without a process: streams in memory, and replays in this process.
@MainActor package final class Terminal {
  package var change = CounterEngine.Change.none
  /// The schema version that the feature's host reports.
  package var schemaVersion: Int?
  package var migrations: [Migration] = []
  package var input = ""
  package var makeReplayStarter: (@Sendable () -> CommandContext.ReplayStarter)?
  package var makeChecker: (@Sendable () -> CommandContext.Checker)?
  package var makeProver: (@Sendable () -> CommandContext.Prover)?
  /// The minimum length in bytes of the ranges that are replayed or read in parallel; `nil` if logs are not divided.
  package var leastStretch: Int?
  /// The number of ranges that were proved to be identical.
  package let proved = ProofCount()
  package var environment: [String: String] = [:]
  package var hasColor = false
  /// The columns of results and diagnostics; `nil` if they do not go to a terminal.
  package var width: Int?
  /// The successive times of the clock.
  ///
  /// After these, it advances by `tick` seconds.
  package var times: [Double] = []
  package var tick = 0.0
  /// Closures that run while a command waits for changed files.
  ///
  /// After the last one, the command is interrupted.
  package var pauses: [@Sendable () throws -> Void] = []
  package let folder: TemporaryFolder

  package init() throws { folder = try TemporaryFolder() }

  package struct Result: Equatable {
    package var status: Int32
    package var output: String
    package var error: String

    package init(status: Int32, output: String, error: String = "") {
      self.status = status
      self.output = output
      self.error = error
    }
  }

  /// Runs a command.
  ///
  /// Paths in the folder are printed without it.
  package func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  /// Runs a command.
  package func run(_ arguments: [String]) async throws -> Result {
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
      program: Program(name: "tca-replay", version: "1.2.3", executable: "self"),
      features: features,
      console: Console(
        input: try FileHandle(forReadingFrom: URL(fileURLWithPath: spool)),
        output: output,
        error: error
      ),
      environment: environment,
      makeReplayStarter: makeReplayStarter ?? { features.inProcessStarter },
      makeChecker: makeChecker
    )
    context.folder = folder.path
    context.console.hasColor = hasColor
    context.console.width = width
    context.console.errorWidth = width
    let clock = Clock(times: times, tick: tick)
    context.now = { clock.read() }
    context.processors = 1
    if let leastStretch {
      context.leastStretch = leastStretch
      context.processors = 2
      let proved = proved
      context.makeProver =
        makeProver ?? {
          { check, options, _ in
            let proof = try? check.prove {
              try features.entry(for: $0, named: options.feature).makeEngine()
            }
            if proof != nil { proved.add() }
            return proof
          }
        }
    }
    let interruption = context.interruption
    let pauses = Mutex(ArraySlice(pauses))
    context.pause = { _ in
      guard let pause = pauses.withLock({ $0.popFirst() }) else {
        _ = interruption.request(by: SIGINT)
        return
      }
      do { try pause() } catch { Issue.record(error) }
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

/// The number of ranges that were proved to be identical.
package final class ProofCount: Sendable {
  private let count = Mutex(0)

  package var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}

/// A clock that advances with each reading.
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

extension RecordRequest.Step {
  /// Returns the steps of a file of actions called `f`.
  package static func all(in text: String) throws(CommandError) -> [Self] {
    var reader = ActionScript.Reader(name: "f")
    var steps: [Self] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let step = try reader.step(String(line)) { steps.append(step) }
    }
    return steps
  }
}

/// A sink in memory.
package final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []

  package init() {}

  package func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    self.bytes += bytes
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
