import ActionLog
import ReplayCommands
import ReplayEngine

/// A host of this version that searches and draws.
///
/// After a trap, the next request starts a new process.
package final class ServingHost: SearchHost, PictureHost {
  private let options: ReplayOptions
  private var server: HostServer?

  private init(_ options: ReplayOptions) { self.options = options }

  /// Makes a searching host for one thread.
  ///
  /// Returns `nil` for a host that does not serve.
  package static let searching: CommandContext.SearchHostMaker = { options in
    let host = ServingHost(options)
    return try host.start() ? host : nil
  }

  /// Makes a drawing host for one thread.
  ///
  /// The first picture starts its process.
  package static let drawing: CommandContext.PictureHostMaker = { ServingHost($0) }

  private func start() throws -> Bool {
    if server?.serves(options) == true { return true }
    try options.checkInterruption()
    server = nil
    server = try HostServer(
      options.host,
      environment: options.environment,
      timeout: options.timeout,
      until: options.cancellation
    )
    return server != nil
  }

  package func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding? {
    guard try start(), let server else { throw HostFailure.noAnswer }
    _ = server.takeOutput()
    return try server.search(request, options, report)
  }

  package var openSteps: [Int]? { server?.openSteps }

  package func picture(_ request: PictureRequest, of log: LogSlice) throws -> PictureOutcome {
    guard try start(), let server else { throw PictureError.notServing(options.host) }
    _ = server.takeOutput()
    return try server.picture(request, of: log, options)
  }
}
