import Synchronization

/// Keeps hosts running over the logs that they are given, as many as are needed at the same time.
final class HostPool: Sendable {
  private let idle = Mutex<[HostProcess]>([])

  /// Starts to replay a log, by a host that waits for one or by a new one.
  func start(_ log: LogSlice, _ options: ReplayOptions) throws(HostFailure) -> any RunningReplay {
    let waiting = idle.withLock { hosts in
      hosts.firstIndex { $0.path == options.host && $0.arguments == options.childArguments }
        .map { hosts.remove(at: $0) }
    }
    let host = try waiting ?? HostProcess(options.host, arguments: options.childArguments)
    return try HostReplay(log, on: host, of: self, timeout: options.timeout)
  }

  /// Keeps a host that is through with its log.
  func takeBack(_ host: HostProcess) { idle.withLock { $0.append(host) } }
}
