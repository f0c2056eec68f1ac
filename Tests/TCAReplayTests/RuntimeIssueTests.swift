import ActionLog
import Foundation
import LogTools
import ReplayTestSupport
import TCAReplay
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts
@testable import TCAReplaying

/// A feature that reports an issue when a closed item is used.
@Reducer
struct Cupboard: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var isOpen = false
    var plates = 0
  }

  enum Action: Sendable {
    case open
    case wipe
    case put
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open: state.isOpen = true
      case .wipe: break
      case .put:
        if !state.isOpen {
          reportIssue("It is closed.", fileID: "App/Cupboard.swift", line: 7)
          reportIssue("It is closed.", fileID: "App/Cupboard.swift", line: 7)
        }
        state.plates += 1
      }
      return .none
    }
  }
}

@Suite struct RuntimeIssueTests {
  private static let head = [
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"C","feature":"Cupboard","stateType":"Cupboard.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0.1.0","environment":{},"segment":1}"#,
    #"{"kind":"checkpoint","seq":0,"state":{"isOpen":false,"plates":0},"effects":[]}"#,
  ]

  private static func events(_ lines: [String]) -> LogComparison.Events {
    var reader = LogReader(bytes: Array((head + lines).joined(separator: "\n").utf8) + [0x0A])
    return { try reader.next()?.event }
  }

  private static func session(_ events: @escaping LogComparison.Events) -> ReplaySession {
    let feature = ReplayFeature("Cupboard") {
      Cupboard()
    } initialState: {
      Cupboard.State()
    }
    return ReplaySession(events: events) { _ in try feature.entry.makeEngine() }
  }

  @Test func `a runtime issue in a replay is a finding but not a difference`() throws {
    let lines = [
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"put":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/plates","value":1}]}"#,
      #"{"kind":"end","seq":1,"reason":"closed"}"#,
    ]
    var session = Self.session(Self.events(lines))
    var comparison = LogComparison(
      recorded: Self.events(lines),
      replayed: { try session.next() },
      options: LogComparison.Options(isStrict: true)
    )
    let result = try comparison.run()
    #expect(result.differences == [])
    #expect(
      result.notes == [
        LogEvent.Finding(
          seq: 1,
          code: .runtimeIssue,
          subject: "App/Cupboard.swift:7",
          message: "It is closed."
        )
      ]
    )
    #expect(Verdict(result, signal: nil) == .identical)
  }

  @Test func `minimize keeps an action if the replay without it has an additional runtime issue`()
    throws
  {
    let lines = [
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"wipe":{}}}"#,
      #"{"kind":"change","seq":1,"patch":[]}"#,
      #"{"kind":"action","seq":2,"at":1,"origin":"view","action":{"open":{}}}"#,
      #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/isOpen","value":true}]}"#,
      #"{"kind":"action","seq":3,"at":1,"origin":"view","action":{"put":{}}}"#,
      #"{"kind":"change","seq":3,"patch":[{"op":"replace","path":"/plates","value":1}]}"#,
      #"{"kind":"end","seq":3,"reason":"closed"}"#,
    ]
    let replayer = SubsetReplayer(
      log: try CausalLog(Self.events(lines)),
      hosts: HostPool { { log, _ in InProcessReplay(Self.session(try log.events())) } }
    )
    let condition = Condition(try JSONPath.Expression(parsing: "$.state.plates == 1"))
    let result = try Minimizer(replayer: replayer, property: .condition(condition)).minimize()
    #expect(result.subset.units.map { replayer.log.units[$0].seq }.sorted() == [2, 3])
    #expect(result.isMinimal)
  }
}
