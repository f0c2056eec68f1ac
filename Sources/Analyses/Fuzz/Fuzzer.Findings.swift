import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

extension Fuzzer {
  /// Confirms a finding by a replay, minimizes its log, and adds it to the results.
  ///
  /// If the search was interrupted or has failed, the finding is added without a replay. A fault that was already found
  /// is skipped.
  func confirmFinding(_ found: FuzzResponse.ViolatingSequence, _ search: inout State) {
    let kind = found.violation.kind(endingWith: found.events.lastAction?.action)
    guard search.kinds.insert(kind).inserted else { return }
    var finding = FuzzFinding(found, symptom(of: found.violation, in: found.events))
    if search.result.interruption != nil || search.result.failure != nil {
      finding.shortfall = search.result.interruption != nil ? .interruption : .failure
    } else if case .trap(FuzzRequest.Trap.hang) = found.violation {
      finding.shortfall = .hang
      do { try checkHang(found) } catch { return search.conclude(.failed(error)) }
    } else {
      do { try minimize(&finding, found, &search) } catch is Minimizer.MinimizationObstacle {
        search.result.unconfirmed += 1
        return
      } catch {
        search.conclude(.failed(error))
        finding.shortfall = error is Interrupted ? .interruption : .failure
      }
    }
    guard search.symptoms.insert(finding.symptom).inserted else { return }
    search.result.findings.append(finding)
  }

  /// Replays the sequence during which a host stopped responding.
  ///
  /// - Throws: `FuzzingObstacle.silent` if the replay ends within the timeout, or the error of a replay that fails.
  private func checkHang(_ found: FuzzResponse.ViolatingSequence) throws {
    do {
      _ = try EventReplayer(hosts: hosts, options: options).replay(found.events)
    } catch HostFailure.timedOut { return }
    let action = found.events.lastAction.map { Notation().casePath($0.action) }
    throw FuzzingObstacle.silent(options.timeout, action: action)
  }

  private func minimize(
    _ finding: inout FuzzFinding,
    _ found: FuzzResponse.ViolatingSequence,
    _ search: inout State
  ) throws {
    guard let property = property(of: found.violation) else { return }
    let isTrap = if case .trap = found.violation { true } else { false }
    var options = options
    options.keepsStandIns = true
    let outcome = try EventReplayer(hosts: hosts, options: options).replay(found.events)
    var rest = outcome.events.filter { !$0.isEnd || !isTrap }[...]
    let log = try CausalLog { rest.popFirst() }
    let isTimeUp = makeMinimizingLimit()
    let minimizer = Minimizer(
      replayer: SubsetReplayer(log: log, hosts: hosts, options: options),
      property: property,
      jobs: jobs,
      isTimeUp: isTimeUp
    )
    let result = try minimizer.minimize()
    finding.events = result.events
    finding.actions = (result.subset.units.count, log.units.count)
    finding.symptom = symptom(of: found.violation, in: result.events)
    if let signal = result.interruption {
      search.result.interruption = signal
      finding.shortfall = .interruption
    } else if isTimeUp() {
      finding.shortfall = .time
    }
  }

  private func property(of violation: SearchJudge.Violation) -> PreservedProperty? {
    switch violation {
    case .trap: return .trap
    case .fault(let finding): return .finding(finding)
    case .rule(let index):
      let text = "!(\(judge.rules[index].condition.expression.description))"
      return (try? JSONPath.Expression(parsing: text)).map { .condition(Condition($0)) }
    // Overtaking is defined only relative to a recorded order.
    case .overtaken: return nil
    }
  }

  private func symptom(of violation: SearchJudge.Violation, in events: [LogEvent]) -> Symptom {
    let action = events.lastAction.map { Notation().casePath($0.action) } ?? ""
    switch violation {
    case .trap(FuzzRequest.Trap.hang):
      let message = Wording.hangs(options.timeout, action)
      return Symptom(kind: "hangs", action: action, message: message)
    case .trap(let signal): return Symptom(kind: "trapped", detail: signal, action: action)
    case .fault(let finding) where finding.code == .runtimeIssue:
      return Symptom(kind: "issue", place: finding.place ?? "")
    case .fault: return Symptom(kind: "deadEffect", action: action)
    case .rule(let index):
      return Symptom(kind: "violated", message: "violates \(Wording.rule(index, judge))")
    case .overtaken(let place):
      return Symptom(kind: "overtaken", place: Notation().pathText(ofAnyElement: place.anyElement))
    }
  }
}

extension [LogEvent] {
  /// The last action in the events, or `nil` if there is none.
  var lastAction: LogEvent.Action? {
    for case .action(let action) in reversed() { return action }
    return nil
  }
}

extension LogEvent {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}
