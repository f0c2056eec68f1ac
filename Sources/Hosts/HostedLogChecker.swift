import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A checker that uses a host in its serving mode, or as a filter if the host does not serve.
package final class HostedLogChecker {
  private var server: ServingHostProcess?
  private let filter = PersistentHost()
  /// The paths of hosts that turned out not to serve.
  private var filters: Set<String> = []

  /// A function that makes a checker for use by one thread.
  package static let maker: @Sendable () -> CommandContext.Checker = {
    let checker = HostedLogChecker()
    return { check, options in checker.run(check, options) }
  }

  /// A function that makes a prover of stretches for use by one thread.
  ///
  /// The proofs of a host that has written to standard error are not used, because a replay of the complete log may
  /// write something else.
  package static let prover: @Sendable () -> CommandContext.Prover = {
    let checker = HostedLogChecker()
    return { check, options, abandonment in
      guard !abandonment.isRequested, let server = try? checker.server(for: options) else {
        return nil
      }
      _ = server.drainOutput()
      let proof = server.prove(check, options, until: abandonment)
      return server.drainOutput().isEmpty ? proof : nil
    }
  }

  /// Returns the running host or starts one, or returns `nil` if the host does not serve.
  private func server(for options: ReplayOptions) throws -> ServingHostProcess? {
    try options.checkInterruption()
    if server?.serves(options) != true, !filters.contains(options.host) {
      server = nil
      server = try ServingHostProcess(
        options.host,
        environment: options.environment,
        timeout: options.timeout,
        isPausing: options.pauseBefore != nil,
        until: options.cancellation
      )
      if server == nil { filters.insert(options.host) }
    }
    return server?.serves(options) == true ? server : nil
  }

  private func run(_ check: ReplayCheck, _ options: ReplayOptions) -> CommandContext.CheckOutcome {
    let server: ServingHostProcess?
    do { server = try self.server(for: options) } catch {
      return CommandContext.CheckOutcome(outcome: .failure(error), hostOutput: [])
    }
    guard let server else {
      return CommandContext.CheckOutcome(check, by: { try self.filter.start($0, options) })
    }
    // The discarded lines belong to the previous log.
    _ = server.drainOutput()
    let outcome = Result {
      try server.run(check, options)
    }
    return CommandContext.CheckOutcome(outcome: outcome, hostOutput: server.drainOutput())
  }
}
