import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Runs searches in the memory of this process, which is the host.
///
/// The tool requests them through `InMemorySearchClient`.
package final class SearchService: SearchAnswering {
  private let features: FeatureCatalog
  private let page: CrashProgressRecord?
  /// The most recent replayer of subsets, and its first request without the members that select the subset.
  private var subsets: (of: JSON, search: InMemorySubsetReplayer)?
  /// The previous search for an order, whose memory is released when the next one starts.
  ///
  /// Releasing the memory takes time and would delay the response.
  private var ended: Any?

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - features: The features that the host can replay.
  ///   - page: The page shared with the tool, to which searches write the steps that they execute.
  package init(_ features: FeatureCatalog, page: CrashProgressRecord?) {
    self.features = features
    self.page = page
  }

  package func answer(_ request: JSON, report: @escaping (JSON) -> Void) -> JSON {
    guard let log = request["log"].flatMap({ LogSlice($0) }) else {
      return InMemorySearchClient.Obstacle.notServed.json
    }
    do {
      if let exploration = InMemorySearchClient.ExplorationParameters(request) {
        let name = request["feature"]?.string
        return try explore(log, exploration, name) { report($0.json) }.json
      }
      if let fuzzing = FuzzRequest(request) { return try fuzz(fuzzing, report).json }
      if let subset = CausalLog.Subset(request) {
        return try search(in: log, request).outcome(of: subset).json
      }
      return InMemorySearchClient.Obstacle.notServed.json
    } catch let obstacle as InMemorySearchClient.Obstacle {
      return obstacle.json
    } catch {
      // The tool continues with replays, which report the error.
      return InMemorySearchClient.Obstacle.differs.json
    }
  }

  /// The minimum time between two intermediate results.
  private static let interval = Duration.milliseconds(100)

  private func explore(
    _ log: LogSlice,
    _ exploration: InMemorySearchClient.ExplorationParameters,
    _ name: String?,
    _ report: @escaping (SearchResult) -> Void
  ) throws -> SearchResult {
    let threads = try ThreadedLog(try log.events())
    guard case .header(let header)? = threads.head.first else {
      throw InMemorySearchClient.Obstacle.notServed
    }
    let entry = try entry(for: header, name)
    let end = try Self.lastState(of: log)
    ended = nil
    let search = try Self.explore(
      threads,
      endingWith: end,
      entry.makeEngine,
      exploration,
      page,
      report
    )
    ended = search.search
    return search.result
  }

  /// Returns the feature for a log.
  ///
  /// - Throws: `InMemorySearchClient.Obstacle` if the log needs a migration, or `ReplayError` if the host doesn't have
  ///   the feature.
  private func entry(for header: LogEvent.Header, _ name: String?) throws -> FeatureEntry {
    let entry = try features.entry(for: header, named: name)
    guard try MigrationPlan(entry).steps(for: header).isEmpty else {
      throw InMemorySearchClient.Obstacle.differs
    }
    return entry
  }

  /// The steps and values from the logs of the last fuzz request.
  ///
  /// The next request for the same logs reuses them.
  private var corpus: (of: [LogSlice], material: FuzzSeedCorpus)?

  private func material(of logs: [LogSlice]) throws -> FuzzSeedCorpus {
    if let corpus, corpus.of == logs { return corpus.material }
    var material = FuzzSeedCorpus()
    for log in logs { try material.add(try log.events()) }
    corpus = (logs, material)
    return material
  }

  private func fuzz(
    _ request: FuzzRequest,
    _ report: @escaping (JSON) -> Void
  ) throws -> FuzzResponse {
    let material = try material(of: request.logs)
    guard let header = material.header, let checkpoint = material.checkpoint else {
      throw InMemorySearchClient.Obstacle.notServed
    }
    let entry = try entry(for: header, request.feature)
    func batch(
      with engine: any FeatureEngine,
      startingOver obstacle: SnapshotObstacle? = nil
    ) throws -> FuzzResponse {
      let runner = FuzzRunner(
        engine,
        header,
        at: checkpoint,
        judge: request.judge,
        samples: request.samples,
        recordedEffects: material.effects,
        page: page
      )
      var batch = FuzzBatch(request, material, runner, startingOver: obstacle, page: page)
      var next = ContinuousClock.now + Self.interval
      var findings = 0
      return try batch.run { found in
        // A new finding is reported immediately, because the process may end at any step.
        guard found.findings.count > findings || ContinuousClock.now >= next else { return }
        findings = found.findings.count
        next = .now + Self.interval
        report(.object(found.partial))
      }
    }
    var obstacle = request.obstacle
    if obstacle == nil {
      var engine = try entry.makeEngine()
      _ = try engine.load(checkpoint, header: header)
      obstacle = engine.snapshotObstacle
      if obstacle == nil {
        do {
          var answer = FuzzResponse()
          try engine.withContext { answer = try batch(with: engine) }
          return answer
        } catch let found as SnapshotObstacle {
          obstacle = found
        }
      }
    }
    let engine = try RestartingEngine(at: checkpoint, of: header) { try entry.makeEngine() }
    return try batch(with: engine, startingOver: obstacle)
  }

  /// Returns the replayer that tests subsets of a log in memory.
  ///
  /// Consecutive requests that differ only in the subset share a replayer.
  private func search(in log: LogSlice, _ request: JSON) throws -> InMemorySubsetReplayer {
    var object = request.object ?? JSON.Object()
    object["units"] = nil
    object["actions"] = nil
    if let (known, search) = subsets, known == .object(object) { return search }
    let name = request["feature"]?.string
    let condition = try request["when"]?.string
      .map { Condition(try JSONPath.Expression(parsing: $0)) }
    let search = InMemorySubsetReplayer(
      try CausalLog(try log.events()),
      condition: condition,
      isPruning: request["prune"]?.bool ?? false,
      page: page
    ) { [weak self] header in
      guard let self else { throw InMemorySearchClient.Obstacle.notServed }
      return try entry(for: header, name).makeEngine()
    }
    subsets = (.object(object), search)
    return search
  }

  /// Searches the orders of a log.
  ///
  /// - Parameters:
  ///   - threads: The log, divided into threads.
  ///   - end: The last state of the log, or `nil` if it is not known.
  ///   - makeEngine: A closure that creates the engine of the feature.
  ///   - exploration: The parameters of the search.
  ///   - page: The page shared with the tool, to which the search writes the steps that it executes.
  ///   - report: A closure that receives intermediate results.
  /// - Returns: The search with its results.
  /// - Throws: `InMemorySearchClient.Obstacle`, or the error of an engine that can't load the state.
  private static func explore(
    _ threads: ThreadedLog,
    endingWith end: JSON?,
    _ makeEngine: () throws -> any FeatureEngine,
    _ exploration: InMemorySearchClient.ExplorationParameters,
    _ page: CrashProgressRecord? = nil,
    _ report: @escaping (SearchResult) -> Void = { _ in }
  ) throws -> EndedSearch {
    guard threads.head.count == 2, case .header(let header) = threads.head[0],
      case .checkpoint(let checkpoint) = threads.head[1]
    else { throw InMemorySearchClient.Obstacle.differs }
    func loaded() throws -> any FeatureEngine {
      var engine = try makeEngine()
      _ = try engine.load(checkpoint, header: header)
      return engine
    }
    let checked = try loaded()
    if let obstacle = checked.snapshotObstacle {
      throw InMemorySearchClient.Obstacle.feature(obstacle)
    }
    try checked.withContext {
      // Step results are not cached, because the second pass must execute each step again.
      let world = InMemoryStateSpace(
        threads,
        checked,
        at: checkpoint,
        // With this judge, findings don't end the pass.
        judge: SearchJudge().ofRecording,
        page: page,
        memory: InMemoryStateSpace.MemoryLimits(steps: 0)
      )
      try check(world, endingWith: end)
    }
    let engine = try loaded()
    var search = EndedSearch()
    try engine.withContext {
      let judged = InMemoryStateSpace(
        threads,
        engine,
        at: checkpoint,
        judge: exploration.judge,
        page: page
      )
      var limits = SearchLimits(mostTransitions: exploration.mostTransitions)
      var next = ContinuousClock.now + interval
      limits.look = { found in
        let now = ContinuousClock.now
        guard now >= next else { return nil }
        next = now + interval
        report(found)
        return nil
      }
      search = try exploration.strategy.run(
        in: judged,
        threads,
        seed: exploration.seed,
        limits: limits
      )
    }
    return search
  }

  /// Checks that the recorded order has the same results in memory as in the log, and again after restoring a snapshot.
  ///
  /// - Throws: `InMemorySearchClient.Obstacle` if the feature can't be restored, or if results differ.
  private static func check(_ world: InMemoryStateSpace, endingWith end: JSON?) throws {
    func run() throws -> [Digest] {
      var visit = world.start()
      var keys = [visit.key]
      while let step = visit.enabled.first {
        visit = world.visit(step, from: visit.place, delaying: [])
        keys.append(visit.key)
        if let obstacle = world.obstacle { throw InMemorySearchClient.Obstacle.feature(obstacle) }
      }
      return keys
    }
    let first = try run()
    if let end, world.state != end { throw InMemorySearchClient.Obstacle.differs }
    guard try run() == first else { throw InMemorySearchClient.Obstacle.differs }
  }

  /// Returns the last state of a log, or `nil` if the log is masked or ends in the middle of an action.
  private static func lastState(of log: LogSlice) throws -> JSON? {
    let events = try log.events()
    var isOpen = false
    var isMasked = false
    var contexts = ConditionContextReader {
      let event = try events()
      switch event {
      case .header(let header)?: isMasked = header.masked != nil
      case .action?: isOpen = true
      case .change?: isOpen = false
      default: break
      }
      return event
    }
    var state: JSON?
    while let context = try contexts.next() { state = context.state }
    return isOpen || isMasked ? nil : state
  }
}
