import ComposableArchitecture
import ComposableReplay
import Foundation
import ReplayEngine
import SampleApp
import Testing

/// The app with a fault.
private struct Mutant: Reducer {
  typealias Fault =
    @Sendable (inout Meetings.State, Meetings.Action, Effect<Meetings.Action>) ->
    Effect<Meetings.Action>

  let fault: Fault

  func reduce(
    into state: inout Meetings.State,
    action: Meetings.Action
  ) -> Effect<Meetings.Action> {
    let effect = Meetings()._reduce(into: &state, action: action)
    return fault(&state, action, effect)
  }
}

/// A fault, and the verdict on its replay.
private struct Row: Sendable, CustomTestStringConvertible {
  let name: String
  /// The prefix of the verdict.
  ///
  /// A fault that is not detected, as the README explains, gives an identical verdict.
  let verdict: String
  let fault: Mutant.Fault

  var testDescription: String { name }
}

@Suite("Mutants of an app")
@MainActor
struct MutantTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private nonisolated static let rows: [Row] = [
    Row(name: "another state", verdict: "diverged at action 8: state die") {
      state,
      action,
      effect in
      if case .rollTapped = action { state.die += 1 }
      return effect
    },
    Row(name: "a missing effect", verdict: "diverged at action 13: effects 13.0") {
      _,
      action,
      effect in
      if case .tipRequested = action { return .none }
      return effect
    },
    Row(name: "one effect more", verdict: "diverged at action 8: effects 8.0") {
      _,
      action,
      effect in
      if case .rollTapped = action { return .run { _ in } }
      return effect
    },
    Row(name: "a renamed effect", verdict: "diverged at action 13: effects 13.0/name") {
      _,
      action,
      effect in
      if case .tipRequested = action { return .run(name: "other") { _ in } }
      return effect
    },
    Row(name: "a missing cancellation", verdict: "diverged at action 19: effects 19.0") {
      _,
      action,
      effect in
      if case .path(.element(_, .detail(.pauseTapped))) = action { return .none }
      return effect
    },
    Row(name: "one random number more", verdict: "diverged at action 8: reads random") {
      _,
      action,
      effect in
      @Dependency(\.withRandomNumberGenerator) var random
      if case .rollTapped = action { _ = random { $0.next() } }
      return effect
    },
    Row(name: "one number more in a range", verdict: "diverged at action 8: reads random") {
      _,
      action,
      effect in
      @Dependency(\.withRandomNumberGenerator) var random
      if case .rollTapped = action { _ = random { Int.random(in: 1...6, using: &$0) } }
      return effect
    },
    Row(name: "a screen more on the stack", verdict: "diverged at action 15: state path[") {
      state,
      action,
      effect in
      if case .meetingTapped = action, let top = state.path.last { state.path.append(top) }
      return effect
    },
    Row(name: "another action in .send", verdict: "identical, through action ") {
      _,
      action,
      effect in
      if case .chainTapped(left: 3) = action { return .send(.rollTapped) }
      return effect
    },
    Row(name: "another id in .cancel", verdict: "identical, through action ") {
      _,
      action,
      effect in
      if case .path(.element(_, .detail(.pauseTapped))) = action { return .cancel(id: "other") }
      return effect
    },
    Row(name: "a missing part of a merge", verdict: "identical, through action ") {
      _,
      action,
      effect in
      if case .path(.element(_, .detail(.alert(.presented(.stopConfirmed))))) = action {
        return .cancel(id: "timer")
      }
      return effect
    },
  ]

  @Test("A replay notices what the table promises", arguments: rows)
  private func mutant(_ row: Row) async throws {
    let log = try await folder.record { try await RecordAndReplayTests.useApp($0) }
    let fault = row.fault
    let replay = try replay(log) { Mutant(fault: fault) }
    #expect(replay.text.hasPrefix("\(log.path): \(row.verdict)"), "\(replay.text)")
    #expect(replay.notCompared.filter { $0.part == .effects }.count == 4)
  }
}
