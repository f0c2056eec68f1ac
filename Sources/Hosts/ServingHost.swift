import ActionLog
import ReplayCommands
import ReplayEngine

/// A serving host that searches and draws.
///
/// If the host traps, the next request starts a new process.
package final class ServingHost: SearchHost, PictureHost {
  private let options: ReplayOptions
  private var server: ServingHostProcess?

  private init(_ options: ReplayOptions) { self.options = options }

  /// A function that makes a searching host for use by one thread, or returns `nil` if the host does not serve.
  package static let searching: CommandContext.SearchHostMaker = { options in
    let host = ServingHost(options)
    return try host.start() ? host : nil
  }

  /// A function that makes a drawing host for use by one thread, whose process starts with the first picture.
  package static let drawing: CommandContext.PictureHostMaker = { ServingHost($0) }

  private func start() throws -> Bool {
    if server?.serves(options) == true { return true }
    try options.checkInterruption()
    server = nil
    server = try ServingHostProcess(
      options.host,
      environment: options.environment,
      timeout: options.timeout,
      until: options.cancellation
    )
    return server != nil
  }

  package func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding? {
    guard try start(), let server else { throw HostFailure.noAnswer }
    _ = server.drainOutput()
    return try server.search(request, options, report)
  }

  package var openSteps: [Int]? { server?.openSteps }

  package func picture(_ request: PictureRequest, of log: LogSlice) throws -> PictureOutcome {
    guard try start(), let server else { throw PictureError.notServing(options.host) }
    _ = server.drainOutput()
    return try server.picture(request, of: log, options)
  }
}
