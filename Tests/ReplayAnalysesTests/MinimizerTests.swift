import ActionLog
import LogTools
import ReplayTestSupport
import Synchronization
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts

@Suite struct MinimizerTests {
  private func replayer(
    _ lines: [String],
    _ change: CounterEngine.Change = .none
  ) throws -> SubsetReplayer {
    let hosts = HostPool {
      { log, _ in
        InProcessReplay(ReplaySession(events: try log.events()) { _ in CounterEngine(change) })
      }
    }
    return SubsetReplayer(log: try CausalLog(SampleLog.events(lines)), hosts: hosts)
  }

  private func when(_ text: String) throws -> PreservedProperty {
    .condition(Condition(try JSONPath.Expression(parsing: text)))
  }

  @Test func `when Minimizer removes an action, it also removes actions of the effects it started`()
    throws
  {
    let log = try CausalLog(SampleLog.events(SampleLog.lines))
    #expect(log.units.map(\.seq) == [1, 2, 3, 4, 5, 6, 10, 11, 13, 14, 15, 16])
    #expect(
      log.units.map { $0.parent.map { log.units[$0].seq } } == [
        nil, nil, nil, 3, nil, nil, nil, 10, nil, 10, 14, nil,
      ]
    )
    let left = log.without([6], of: log.all)
    #expect(left.sorted().map { log.units[$0].seq } == [1, 2, 3, 4, 5, 6, 13, 16])
  }

  private struct Sent: Sendable {
    /// The action that the reducer sends.
    let returned: JSON?
    /// The actions of this effect in the log of the subset.
    let logged: [JSON]
    let isPossible: Bool
  }

  private static let sent = [
    Sent(returned: ["saved": ["_0": 1]], logged: [["saved": ["_0": 1]]], isPossible: true),
    Sent(returned: ["saved": ["_0": 1]], logged: [["saved": ["_0": 2]]], isPossible: false),
    Sent(returned: ["saved": ["_0": 1]], logged: [["failed": ["_0": 1]]], isPossible: false),
    Sent(returned: ["saved": ["_0": 1]], logged: [], isPossible: true),
    Sent(
      returned: ["saved": ["_0": 1]],
      logged: [["saved": ["_0": 1]], ["saved": ["_0": 1]]],
      isPossible: false
    ),
    // A filter has omitted the action.
    Sent(returned: nil, logged: [["saved": ["_0": 2]]], isPossible: true),
  ]

  @Test(arguments: sent)
  private func `the replays of Minimizer require that a send effect sends its action exactly once`(
    sent: Sent
  ) throws {
    let replayer = try replayer(SampleLog.lines)
    let subset = CausalLog.Subset(units: [0])
    var effect = EffectDescription(.send)
    effect.id = EffectID(seq: 1, index: 0)
    effect.action = sent.returned
    var events: [LogEvent] = [
      .action(LogEvent.Action(seq: 1, at: 0, origin: .view, action: ["save": [:]])),
      .change(LogEvent.Change(seq: 1, patch: JSON.Patch(), effects: [effect])),
    ]
    for (index, action) in sent.logged.enumerated() {
      let origin = LogEvent.Origin.effect(EffectID(seq: 1, index: 0), via: nil)
      events.append(
        .action(LogEvent.Action(seq: index + 2, at: 0, origin: origin, action: action))
      )
    }
    let outcome = EventReplayer.ReplayedEvents(events: events)
    #expect(replayer.isPossible(outcome, subset) == sent.isPossible)
  }

  @Test
  func `Minimizer keeps or removes calls with their effects, and updates their effect ids`()
    throws
  {
    var lines = SampleLog.lines
    let place = try #require(lines.firstIndex { $0.hasPrefix(#"{"kind":"change","seq":3"#) })
    lines.insert(
      #"{"kind":"call","id":"3.0","key":"API.load","arguments":[],"result":1,"at":1,"us":2}"#,
      at: place + 1
    )
    let replayer = try replayer(lines)
    let log = replayer.log
    func calls(without removed: [Int]) throws -> [String] {
      let subset = CausalLog.Subset(units: log.without(removed, of: log.all))
      return try replayer.replay(subset).events.compactMap { event in
        if case .call(let call) = event { "\(call.id) \(call.key)" } else { nil }
      }
    }
    #expect(try calls(without: []) == ["3.0 API.load"])
    #expect(try calls(without: [0, 1]) == ["1.0 API.load"])
    #expect(try calls(without: [2]) == [])
  }

  @Test func `Minimizer renumbers the remaining actions and effect ids`()
    throws
  {
    let replayer = try replayer(SampleLog.lines)
    let log = replayer.log
    let outcome = try replayer.replay(
      CausalLog.Subset(units: log.without([0, 1, 2, 5], of: log.all))
    )
    let actions = outcome.events.compactMap { event in
      if case .action(let action) = event {
        "\(action.seq) \(action.origin.json) \(action.action)"
      } else {
        nil
      }
    }
    #expect(
      actions == [
        #"1 "view" {"load":{}}"#,
        #"2 "view" {"chain":{}}"#,
        #"3 {"effect":"2.0"} {"increment":{}}"#,
        #"4 {"effect":"2.1"} {"done":{}}"#,
        #"5 "view" {"cancel":{}}"#,
        #"6 {"effect":"2.2"} {"increment":{}}"#,
        #"7 {"reentrant":6} {"increment":{}}"#,
        #"8 "parent" {"increment":{}}"#,
      ]
    )
    #expect(outcome.findings == [])
  }

  @Test func `the log of the actions that Minimizer keeps replays as identical`() throws {
    let replayer = try replayer(SampleLog.lines)
    for removed in replayer.log.units.indices {
      let left = replayer.log.without([removed], of: replayer.log.all)
      let outcome = try replayer.replay(CausalLog.Subset(units: left))
      let lines = outcome.events.map { String(decoding: $0.line, as: UTF8.self) }
      #expect(try SampleLog.verdict(lines) == .identical, "without unit \(removed)")
    }
  }

  @Test(arguments: [1, 7, 9, 10, 13, 15])
  func `Minimizer removes each action that the condition does not need`(count wanted: Int) throws {
    let replayer = try replayer(SampleLog.lines)
    let minimizer = Minimizer(replayer: replayer, property: try when("$.state.count == \(wanted)"))
    let result = try minimizer.minimize()
    #expect(result.isMinimal)
    for unit in result.subset.units {
      let left = replayer.log.without([unit], of: result.subset.units)
      let outcome = try replayer.replay(
        CausalLog.Subset(units: left, actions: result.subset.actions)
      )
      #expect(try minimizer.property.sighting(in: outcome, of: result.subset) == nil)
    }
  }

  @Test func `Minimizer simplifies the values of actions`() throws {
    let replayer = try replayer(SampleLog.lines)
    let result = try Minimizer(
      replayer: replayer,
      property: try when("$.state.count >= 3 && $.state.count != 8")
    )
    .minimize()
    #expect(Array(result.subset.actions.values) == [["loaded": ["_0": 3]]])
  }

  @Test func `Minimizer refuses a condition that does not hold in the log`() throws {
    let minimizer = Minimizer(
      replayer: try replayer(SampleLog.lines),
      property: try when("$.state.count > 99")
    )
    #expect(throws: Minimizer.MinimizationObstacle.doesNotHold) { try minimizer.minimize() }
  }

  @Test func `Minimizer ignores the state before the first action`() throws {
    let minimizer = Minimizer(
      replayer: try replayer(SampleLog.lines),
      property: try when("$.seq == 0")
    )
    #expect(throws: Minimizer.MinimizationObstacle.doesNotHold) { try minimizer.minimize() }
  }

  @Test func `Minimizer keeps an action whose replay differs between two hosts`() throws {
    let replayer = try replayer(SampleLog.lines, .readsDate)
    let property = PreservedProperty.difference(to: try self.replayer(SampleLog.lines))
    let result = try Minimizer(replayer: replayer, property: property).minimize()
    #expect(result.subset.units.map { replayer.log.units[$0].seq } == [2])
    #expect(result.isMinimal)
  }

  @Test func `Minimizer returns the smallest result so far when its time is up`() throws {
    let replayer = try replayer(SampleLog.lines)
    let minimizer = Minimizer(
      replayer: replayer,
      property: try when("$.state.count >= 7"),
      isTimeUp: { true }
    )
    let result = try minimizer.minimize()
    #expect(!result.isMinimal)
    #expect(result.subset.units == replayer.log.all)
  }

  @Test func `Minimizer refuses a log if two of its replays differ`() throws {
    let starts = Mutex(0)
    let log = try CausalLog(SampleLog.events(SampleLog.lines))
    let hosts = HostPool {
      { log, _ in
        let isFirst = starts.withLock { starts in
          starts += 1
          return starts == 1
        }
        return InProcessReplay(
          ReplaySession(events: try log.events()) { _ in
            CounterEngine(isFirst ? .none : .countsByTwo)
          }
        )
      }
    }
    let replayer = SubsetReplayer(log: log, hosts: hosts)
    let minimizer = Minimizer(replayer: replayer, property: try when("$.state.count > 0"))
    #expect(throws: Minimizer.MinimizationObstacle.notDeterministic(at: 1)) {
      try minimizer.minimize()
    }
  }

  @Test func `Minimizer gives the same result with any number of hosts`() throws {
    let replayer = try replayer(SampleLog.lines)
    let property = try when("$.state.count == 13")
    let results = try [1, 2, 5].map { jobs in
      try Minimizer(replayer: replayer, property: property, jobs: jobs).minimize().subset
    }
    #expect(Set(results).count == 1)
  }
}
