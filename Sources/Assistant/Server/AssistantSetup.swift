import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The folders, limits and features that the server was started with.
struct AssistantSetup: Sendable {
  let program: Program
  let folders: LogFolders
  /// The budget of an answer in bytes.
  let budget: Int
  let options: ReplayOptions
  let now: @Sendable () -> Double
  private let features: FeatureCatalog
  private let environment: [String: String]
  private let processors: Int
  private let makeReplayStarter: @Sendable () -> CommandContext.ReplayStarter
  private let makeChecker: @Sendable () -> CommandContext.Checker
  private let makeSearchHost: CommandContext.SearchHostMaker
  private let makePictureHost: CommandContext.PictureHostMaker
  /// The maximum size of a picture in bytes.
  let pictureBytes: Int

  init(
    _ context: CommandContext,
    folders: LogFolders,
    budget: Int,
    pictureBytes: Int = usualPictureBytes,
    options: ReplayOptions
  ) {
    self.pictureBytes = pictureBytes
    (self.folders, self.budget, self.options) = (folders, budget, options)
    (program, features, environment) = (context.program, context.features, context.environment)
    (now, processors) = (context.now, context.processors)
    (makeReplayStarter, makeChecker) = (context.makeReplayStarter, context.makeChecker)
    makeSearchHost = context.makeSearchHost
    makePictureHost = context.makePictureHost
  }

  /// The default size limit of a picture in bytes.
  ///
  /// It is enough for a screen as PNG, or many screens as SVG.
  static let usualPictureBytes = 262_144

  /// Returns the environment of a command that works for a call.
  ///
  /// It has no streams and no folder for indexes.
  func context(_ interruption: Interruption) -> CommandContext {
    let nowhere = NullSink()
    var context = CommandContext(
      program: program,
      features: features,
      console: Console(input: .nullDevice, output: nowhere, error: nowhere),
      environment: environment,
      interruption: interruption,
      now: now,
      processors: processors,
      makeReplayStarter: makeReplayStarter,
      makeChecker: { [makeChecker] in makeChecker() }
    )
    context.makeSearchHost = makeSearchHost
    context.makePictureHost = makePictureHost
    return context
  }

  /// A sink that discards its input.
  private final class NullSink: ByteSink {
    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {}
  }
}

/// The open logs of a lane.
///
/// Only the thread of the lane uses them.
final class WorkerContext {
  let setup: AssistantSetup
  let logs: OpenLogs

  init(_ setup: AssistantSetup) {
    self.setup = setup
    logs = OpenLogs(setup.folders)
  }
}
