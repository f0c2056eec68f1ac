import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayTestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts

@Suite struct ExploreTests {
  private func explorer(
    _ invariant: String,
    _ lines: [String] = SampleLog.lines
  ) throws -> Explorer {
    let hosts = HostPool {
      { log, _ in
        InProcessReplay(ReplaySession(events: try log.events()) { _ in CounterEngine() })
      }
    }
    return Explorer(
      log: try ThreadedLog(SampleLog.events(lines)),
      replayer: EventReplayer(hosts: hosts),
      judge: try judge(invariant)
    )
  }

  private func judge(_ invariant: String) throws -> SearchJudge {
    SearchJudge(
      [SearchJudge.Rule(condition: Condition(try JSONPath.Expression(parsing: invariant)))],
      countsFaults: false
    )
  }

  private func lines(_ events: [LogEvent]) -> [String] {
    events.map { event in
      guard case .action(let action) = event else {
        return String(decoding: event.line, as: UTF8.self)
      }
      return String(decoding: LogEvent.action(action.unmarked).line, as: UTF8.self)
    }
  }

  @Test
  func `ThreadedLog assigns the user's steps to one thread and each effect's steps to another`()
    throws
  {
    let log = try ThreadedLog(SampleLog.events(SampleLog.lines))
    let effect = { (seq: Int, index: Int) in
      ThreadedLog.Thread.effect(EffectID(seq: seq, index: index))
    }
    #expect(
      log.steps.map(\.thread) == [
        .user, .user, .user, effect(3, 0), .user, effect(3, 0), .user, .user, effect(10, 0),
        effect(10, 0), .user, effect(5, 0), effect(10, 2), .user, effect(10, 2), .user,
      ]
    )
    #expect(
      log.steps.map { $0.action?.seq } == [
        1, 2, 3, 4, 5, nil, 6, 10, 11, nil, 13, nil, 14, nil, nil, 16,
      ]
    )
  }

  /// A host that is interrupted during its search.
  private final class InterruptedHost: SearchHost {
    func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding? {
      _ = report(SearchResult(transitions: 1234, states: 567).json)
      throw Interrupted(signal: SIGINT)
    }
  }

  @Test func `an interrupted search in memory reports the number of transitions and states`() throws
  {
    var explorer = try explorer("$.state.count >= 0")
    explorer.memory = InMemorySearchClient(
      makeHost: { _ in InterruptedHost() },
      options: ReplayOptions(),
      log: LogSlice(path: "", name: "", start: 0, firstLine: 1, end: nil)
    )
    let result = try explorer.explore()
    #expect(result.interruption == SIGINT)
    #expect(result.transitions == 1234)
    #expect(result.places == 567)
  }

  @Test func `Explorer's replay of the recorded order reaches the end of the log`() throws {
    let explorer = try explorer("$.state.count >= 0")
    let attempt = try explorer.interleavings.attempt(
      explorer.log.interleaving(),
      judge: explorer.judge.ofRecording
    )
    #expect(attempt.interleaving.order == Array(explorer.log.steps.indices))
    #expect(attempt.trace.ending == .complete)
    #expect(attempt.trace.nodes.count == explorer.log.steps.count + 1)
  }

  @Test func `Explorer completes a search of a condition that holds in every order`() throws {
    let result = try explorer("$.state.count >= 0 && $.state.count < 20").explore()
    #expect(result.violation == nil)
    #expect(result.isComplete)
    #expect(result.replays < 1000)
  }

  @Test func `Explorer covers every order of two effects`() throws {
    // Two effects with three relevant outputs each: 20 orders.
    var lines = Array(SampleLog.lines.prefix(2))
    lines += [
      #"{"kind":"action","seq":1,"origin":"view","action":{"chain":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[],"effects":[{"op":"concatenate","effects":[{"id":"1.0","op":"run"},{"id":"1.1","op":"send","action":{"done":{}}},{"id":"1.2","op":"run"}]}]}"#,
      #"{"kind":"action","seq":2,"origin":"view","action":{"load":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[],"effects":[{"id":"2.0","op":"run","name":"load","cancelID":{"type":"CancelID","value":"load"},"cancelInFlight":true,"input":1,"priority":"high"}]}"#,
    ]
    var state = 0
    for seq in 3...8 {
      let isLoad = seq % 2 == 0
      let effect = isLoad ? "2.0" : "1.0"
      let action = isLoad ? #"{"loaded":{"_0":\#(seq * 10)}}"# : #"{"increment":{}}"#
      state = isLoad ? seq * 10 : state + 1
      lines += [
        #"{"kind":"action","seq":\#(seq),"origin":{"effect":"\#(effect)"},"action":\#(action)}"#,
        #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"/count","value":\#(state)}]}"#,
      ]
    }
    lines.append(#"{"kind":"end","seq":8,"reason":"closed"}"#)
    // All final counts of the possible orders, computed by the number of increments after the last load.
    let counts = Set((0...3).map { 80 + $0 })
    for count in counts {
      let result = try explorer("$.seq < 8 || $.state.count != \(count)", lines).explore()
      #expect(result.violation != nil, "\(count)")
    }
    let all = counts.map { "$.state.count == \($0)" }.joined(separator: " || ")
    let result = try explorer("$.seq < 8 || \(all)", lines).explore()
    #expect(result.violation == nil)
    #expect(result.isComplete)
    // Fewer than the orders of the two effects and the second action of the view.
    #expect(result.replays <= 40)
  }

  @Test func `Explorer drops the actions of an effect that an earlier action cancels`() throws {
    // The burst counts from 1 only if action 4 is lost.
    let explorer = try explorer("$.state.count != 3")
    let result = try explorer.explore()
    let violation = try #require(result.violation)
    let actions = violation.order.compactMap { explorer.log.steps[$0].action?.seq }
    #expect(!actions.contains(4))
    #expect(actions.contains(5))
    #expect(try SampleLog.verdict(lines(violation.events)) == .identical)
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func `Explorer gives the same result for the same seed`(seed: UInt64) throws {
    var explorer = try explorer("$.state.count != 3")
    explorer.seed = seed
    let first = try explorer.explore()
    let second = try explorer.explore()
    #expect(first.violation?.order == second.violation?.order)
    #expect(first.replays == second.replays)
  }

  @Test func `a budget of transitions or time ends the search of Explorer`() throws {
    var explorer = try explorer("$.state.count >= 0")
    explorer.mostTransitions = 20
    let few = try explorer.explore()
    #expect(few.transitions == 20)
    #expect(few.limit == .transitions)
    #expect(!few.isComplete)
    explorer.mostTransitions = .max
    explorer.isTimeUp = { true }
    #expect(try explorer.explore().limit == .budget)
  }

  @Test func `Explorer reports a violation in the recorded order without a further search`() throws
  {
    let explorer = try explorer("$.state.count != 7")
    let result = try explorer.explore()
    let violation = try #require(result.violation)
    #expect(violation.seq == 4)
    #expect(result.replays == 2)
  }

  @Test func `Explorer refuses a log whose replay diverges`() throws {
    let hosts = HostPool {
      { log, _ in
        InProcessReplay(
          ReplaySession(events: try log.events()) { _ in CounterEngine(.countsByTwo) }
        )
      }
    }
    let explorer = Explorer(
      log: try ThreadedLog(SampleLog.events(SampleLog.lines)),
      replayer: EventReplayer(hosts: hosts),
      judge: try judge("$.state.count >= 0")
    )
    #expect(throws: Explorer.ExplorationObstacle.isNotReproduced(at: 1)) { try explorer.explore() }
  }

  @Test(arguments: [
    #"{"kind":"external","seq":2,"at":0,"patch":[]}"#,
    #"{"kind":"excluded","seq":3,"at":0,"origin":"view","patch":[]}"#,
  ])
  func `Explorer refuses a log with external or excluded changes`(
    line: String
  ) throws {
    var lines = SampleLog.lines
    lines.insert(line, at: 5)
    let explorer = Explorer(
      log: try ThreadedLog(SampleLog.events(lines)),
      replayer: EventReplayer(hosts: HostPool { { _, _ in throw CancellationError() } }),
      judge: try judge("$.state.count >= 0")
    )
    let seq = line.contains("external") ? 2 : 3
    #expect(throws: Explorer.ExplorationObstacle.changedFromOutside(at: seq)) {
      try explorer.explore()
    }
    #expect(
      Wording.describe(.changedFromOutside(at: seq), "a.jsonl")
        == "after action \(seq) of a.jsonl something other than a recorded action changes the state, and the change fits only there,"
        + " so the log has no other orders; record the whole feature, without filters, to explore it"
    )
  }
}
