import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// The folders, limits and features that the server was started with.
struct AssistantSetup: Sendable {
  let program: Program
  let folders: LogFolders
  /// Bytes that an answer may have.
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
  /// Bytes of a picture in an answer.
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

  /// A screen as PNG, and many times a screen as SVG.
  static let usualPictureBytes = 262_144

  /// The environment of a command that works for a call: without streams, and without a folder for indexes.
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

  /// Drops what is written.
  private final class NullSink: ByteSink {
    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {}
  }
}

/// The logs that a lane has open, which no other thread touches.
final class WorkDesk {
  let setup: AssistantSetup
  let logs: OpenLogs

  init(_ setup: AssistantSetup) {
    self.setup = setup
    logs = OpenLogs(setup.folders)
  }
}
