import ActionLog
import ReplayCommands
import ReplayEngine

/// Searches and draws in hosts of this version; a trap ends one, and the next request has a new one.
package final class ServingHost: SearchHost, PictureHost {
  private let options: ReplayOptions
  private var server: HostServer?

  private init(_ options: ReplayOptions) { self.options = options }

  /// Makes a host that searches, for one thread; `nil` for a host that does not serve.
  package static let searching: CommandContext.SearchHostMaker = { options in
    let host = ServingHost(options)
    return try host.start() ? host : nil
  }

  /// Makes a host that draws, for one thread; it is started by the first picture.
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
