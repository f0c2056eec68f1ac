import ActionLog

/// Replays the logs of a file, one by one, and reports on each.
struct LogRunner {
  let options: ReplayOptions
  /// The features of the host, when they are known here.
  let features: FeatureCatalog?
  let isExpecting: Bool
  let start: CommandContext.ReplayStarter

  func run(_ entry: LogList.Entry) -> [RunReport] {
    switch entry {
    case .failure(let name, let error): return [RunReport(name: name, outcome: .failure(error))]
    case .file(let path, let name):
      do throws(LogReadError) {
        return try LogSlice.slices(of: path, name: name).map(run)
      } catch {
        return [RunReport(name: name, outcome: .failure(error))]
      }
    }
  }

  private func run(_ log: LogSlice) -> RunReport {
    let expectation = isExpecting ? Expectation(for: log.name) : nil
    var report: RunReport
    do {
      try checkFeature(log)
      var result = try LogCheck(log: log, until: options.until ?? .max).run(try start(log, options))
      if let at = expectation?.trap(cutAt: result.verdict) {
        result.verdict = result.verdict.considering(trapAt: at)
      }
      report = RunReport(name: log.name, outcome: .verdict(result))
    } catch {
      report = RunReport(name: log.name, outcome: .failure(error))
    }
    report.expectation = expectation
    return report
  }

  /// Finds out before a process is started that it could do nothing.
  private func checkFeature(_ log: LogSlice) throws {
    guard let features, case .header(let header) = try log.events()() else { return }
    _ = try features.entry(for: header, named: options.feature)
  }
}
