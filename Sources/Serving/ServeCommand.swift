import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// `serve`: checks logs, searches in memory, and draws pictures for the tool that started this process.
///
/// The command is not intended for people.
package enum ServeCommand: Command {
  package static let syntax = CommandSyntax(
    name: ServeProtocol.command,
    summary: "check logs, search and draw for the tool that started this process",
    operands: [],
    options: []
  )

  package static func run(
    _ arguments: ParsedArguments,
    in context: inout CommandContext
  ) async throws -> ExitStatus {
    // Streams are reserved before any app code runs, because the app's output must not get into the answers.
    context.console.reserveStreams()
    ParentMonitor.watch(context.console, environment: context.environment)
    let progress = SharedMemoryPage.inherited(environment: context.environment)
    let output = context.console.output
    func say(_ answer: ServeProtocol.Reply, to number: Int) throws {
      try output.write(answer.line(to: number))
    }
    let searches = context.makeSearchService?(context.features, progress)
    var lines = LineReader(context.console.input, path: Wording.standardInput, longest: .max)
    while let line = try lines.next(line: 0) {
      guard let json = try? JSON(parsing: line.bytes) else { return .usage }
      if ServeProtocol.isGreeting(json) {
        try say(.hello(version: ServeProtocol.version), to: 0)
        continue
      }
      if let search = ServeProtocol.SearchRequest(json) {
        var failure: (any Error)?
        let answer = searches?.answer(search.request) { found in
          do { try say(.searching(found), to: search.number) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
        try say(.searched(answer ?? .null), to: search.number)
        continue
      }
      if let picture = ServeProtocol.DrawRequest(json) {
        try say(self.picture(picture.request, context.features), to: picture.number)
        continue
      }
      guard let request = ServeProtocol.CheckRequest(json) else { return .usage }
      var failure: (any Error)?
      // If an answer can't be written, the command ends.
      func report(_ answer: ServeProtocol.Reply) {
        do { try say(answer, to: request.number) } catch { failure = failure ?? error }
      }
      let pause = request.pauseBefore.map { context.pause(before: $0) }
      report(check(request, context.features, progress, pause, report))
      context.complain(ifStillDue: pause)
      if let failure { throw failure }
    }
    // The searches are never released, because the system frees their memory at exit faster than object by object.
    if let searches { _ = Unmanaged.passRetained(searches as AnyObject) }
    return .same
  }

  /// Draws the state that a request names.
  private static func picture(
    _ request: PictureRequest,
    _ features: FeatureCatalog
  ) -> ServeProtocol.Reply {
    do {
      let entry = try features.entry(for: request.header, named: request.feature)
      let plan = try MigrationPlan(entry)
      guard try plan.steps(for: request.header).isEmpty else {
        return .failure(
          .needsMigration(found: request.header.schemaVersion ?? 1, version: plan.version)
        )
      }
      guard let draw = entry.picture else { return .failure(.noPictures(entry.name)) }
      let checkpoint = LogEvent.Checkpoint(seq: request.seq, state: request.state)
      do {
        let picture = try draw(checkpoint, request.header)
        return .picture(PictureOutcome.picture(picture).checked(limit: request.limits.bytes))
      } catch let error as LogDecodingError {
        return .picture(.note(.undecodable("\(error)")))
      } catch {
        return .picture(.note(.failed(String("\(error)".prefix(longestMessage)))))
      }
    } catch {
      return .failure(.noFeature("\(error)"))
    }
  }

  /// The maximum number of characters that a note contains from an error message.
  private static let longestMessage = 1000

  private static func check(
    _ request: ServeProtocol.CheckRequest,
    _ features: FeatureCatalog,
    _ progress: CrashProgressRecord?,
    _ pause: ReplayPause?,
    _ report: @escaping (ServeProtocol.Reply) -> Void
  ) -> ServeProtocol.Reply {
    let check = ReplayCheck(
      log: request.log,
      until: request.until,
      options: request.options,
      isContinuing: request.isContinuing
    )
    do {
      if case .header(let header) = try check.log.events()() {
        let plan = try MigrationPlan(features.entry(for: header, named: request.feature))
        guard try plan.steps(for: header).isEmpty else {
          return .failure(
            .needsMigration(found: header.schemaVersion ?? 1, version: plan.version)
          )
        }
      }
      if request.log.stretch != nil {
        return .proof(
          try check.prove(progress: progress) {
            try features.entry(for: $0, named: request.feature).makeEngine()
          }
        )
      }
      let result = try check.compare(progress: progress, pause: pause) { differences, notes in
        if !differences.isEmpty { report(.differences(differences)) }
        if !notes.isEmpty { report(.notes(notes)) }
      } makeEngine: {
        try features.entry(for: $0, named: request.feature).makeEngine()
      }
      return .end(result)
    } catch is LogReadError {
      return .failure(.unreadable)
    } catch ReplayError.noCheckpoint(let kind) {
      return .failure(.noCheckpoint(kind: kind))
    } catch {
      return .failure(.noFeature("\(error)"))
    }
  }
}
