import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts
import Synchronization

/// Tests subsets of a log in the memory of hosts, with one host for each thread.
///
/// Most subsets lack the property, and a test in memory finds this out faster than a replay. A subset that might have
/// the property is then replayed from the start.
final class InMemorySubsetTester: Sendable {
  /// A host that no thread uses at the moment.
  ///
  /// A thread removes the host from the list of idle hosts before it uses the host. The compiler can't verify this.
  private struct IdleHost: @unchecked Sendable {
    let host: any SearchHost
  }

  private let makeHost: CommandContext.SearchHostMaker
  private let options: ReplayOptions
  private let log: LogSlice
  private let condition: Condition?
  private let idle = Mutex<[IdleHost]>([])
  private let isDisabled = Atomic(false)

  /// The result of testing a subset in a host's memory.
  enum HostReply: Equatable {
    case outcome(InMemorySubsetReplayer.SubsetOutcome)
    /// The feature's code ended the host process.
    case trapped
    /// The subset could not be tested in memory, so it must be replayed.
    case unknown
  }

  init(
    makeHost: @escaping CommandContext.SearchHostMaker,
    options: ReplayOptions,
    log: LogSlice,
    condition: Condition?
  ) {
    self.makeHost = makeHost
    self.options = options
    self.log = log
    self.condition = condition
  }

  /// Tests a subset in an idle host, or in a new host if all are in use.
  ///
  /// - Throws: `HostFailure`, `Interrupted`.
  func reply(for subset: CausalLog.Subset) throws -> HostReply {
    guard !isDisabled.load(ordering: .relaxed) else { return .unknown }
    var taken = idle.withLock { $0.popLast() }
    if taken == nil { taken = try makeHost(options).map { IdleHost(host: $0) } }
    guard let taken else {
      isDisabled.store(true, ordering: .relaxed)
      return .unknown
    }
    let ending = try taken.host.search(request(for: subset)) { _ in true }
    idle.withLock { $0.append(taken) }
    switch ending {
    case .answered(let json):
      if let outcome = InMemorySubsetReplayer.SubsetOutcome(json) { return .outcome(outcome) }
      isDisabled.store(true, ordering: .relaxed)
      return .unknown
    case .trapped: return .trapped
    case nil: return .unknown
    }
  }

  private func request(for subset: CausalLog.Subset) -> JSON {
    var object: JSON.Object = [
      "kind": "subset", "log": log.json, "prune": .bool(options.isPruning),
      "units": .array(
        Self.ranges(subset.units).map {
          [.number(JSON.Number($0.lowerBound)), .number(JSON.Number($0.upperBound))]
        }
      ),
      "actions": .array(
        subset.actions.sorted { $0.key < $1.key }
          .map { [.number(JSON.Number($0.key)), $0.value] }
      ),
    ]
    object["feature"] = options.feature.map(JSON.string)
    object["when"] = condition.map { .string($0.expression.description) }
    return .object(object)
  }

  private static func ranges(_ units: Set<Int>) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for unit in units.sorted() {
      if let last = ranges.last, last.upperBound == unit - 1 {
        ranges[ranges.count - 1] = last.lowerBound...unit
      } else {
        ranges.append(unit...unit)
      }
    }
    return ranges
  }
}

extension CausalLog.Subset {
  /// Reads the subset in a request, or returns `nil` if the request contains no valid subset.
  init?(_ json: JSON) {
    guard let units = json["units"]?.array, let actions = json["actions"]?.array else { return nil }
    self.init(units: [])
    for range in units {
      guard let bounds = range.array?.compactMap(\.int), bounds.count == 2, bounds[0] <= bounds[1]
      else { return nil }
      self.units.formUnion(bounds[0]...bounds[1])
    }
    for action in actions {
      guard let pair = action.array, pair.count == 2, let unit = pair[0].int else { return nil }
      self.actions[unit] = pair[1]
    }
  }
}

extension InMemorySubsetReplayer.SubsetOutcome {
  var json: JSON {
    ["sighted": .bool(isSighted), "findings": .array(findings.map(\.json))]
  }

  init?(_ json: JSON) {
    guard let isSighted = json["sighted"]?.bool, let findings = json["findings"]?.array else {
      return nil
    }
    self.init(
      isSighted: isSighted,
      findings: Set(findings.compactMap { EventReplayer.OrderIndependentFinding($0) })
    )
  }
}
