import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import SampleFeatures
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

private typealias Case<Base: Reducer & Sendable> = MutantCase<Base>

/// A fault in one of the larger sample apps is detected in a replay of the app's sample log.
@MainActor
@Suite("Mutants of apps")
struct AppMutantTests {
  /// Returns the result of replaying a sample log with a faulty app.
  private func found<Base: Reducer & Sendable>(
    in log: String,
    _ mutant: Case<Base>,
    _ base: Base,
    initialState: @escaping @Sendable () -> Base.State
  ) throws -> String where Base.State: Sendable, Base.Action: Sendable {
    let folder = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try verdict(
      of: folder.path + "/SampleLogs/" + log,
      replayedWith: Mutant(base: base, fault: mutant.fault),
      initialState: initialState
    ).summary
  }

  private nonisolated static let signUps: [Case<SignUp>] = [
    Case("nothing is changed", "identical") { _, _, _ in nil },
    Case("a name keeps its capitals", "diverged at 2: state /draft/name") { base, state, action in
      guard case .path(.element(_, .account(.nameChanged(let name)))) = action else { return nil }
      let effect = base._reduce(into: &state, action: action)
      state.$draft.withLock { $0.name = name }
      return effect
    },
    Case("each step has a draft of its own", "diverged at 2: state /draft/name") {
      base,
      state,
      action in
      guard case .startButtonTapped = action else { return nil }
      state.path.append(.account(AccountStep.State(draft: Shared(value: state.draft))))
      return Effect.none
    },
    Case("an earlier check goes on", "diverged at 2: effects 2.0 cancelInFlight") {
      base,
      state,
      action in
      base._reduce(into: &state, action: action).rewritten { effect in
        guard case .cancellable(let inner, let id, _) = effect.operation else { return effect }
        return Effect(operation: .cancellable(inner, id, cancelInFlight: false))
      }
    },
    Case(
      "the wait and what comes after it begin together",
      "diverged at 47: effects /effects/0/effects/0/effects/0 operation"
    ) { base, state, action in
      base._reduce(into: &state, action: action).rewritten { effect in
        guard case .concatenate(let effects) = effect.operation else { return effect }
        return Effect(operation: .merge(effects))
      }
    },
    Case(
      "a step that is complete is not left",
      "diverged at 20: reads shared.appStorage(wantsNewsletter)"
    ) { _, _, action in
      guard case .path(.element(_, .profile(.delegate(.completed)))) = action else { return nil }
      return Effect.none
    },
    Case("the draft outlives the sign-up", "diverged at 72: state /draft/name") {
      base,
      state,
      action in
      guard case .path(.element(_, .review(.delegate(.joined(let member))))) = action else {
        return nil
      }
      state.member = member
      state.path = StackState()
      return Effect.none
    },
    Case("a full draft is left without a question", "diverged at 68: state /path/3") {
      _,
      state,
      action in
      guard case .closeButtonTapped = action else { return nil }
      state.path.removeAll()
      return Effect.none
    },
  ]

  @Test("A replay finds each fault of a mutated sign-up", arguments: signUps)
  private func signUp(mutant: Case<SignUp>) throws {
    let found = try found(in: "signup.jsonl", mutant, SignUp()) { SignUp.State() }
    #expect(found == mutant.verdict)
  }

  private nonisolated static let recorders: [Case<Memos>] = [
    Case("nothing is changed", "identical") { _, _, _ in nil },
    Case("the user is not asked", "diverged at 1: reads uuid") { base, state, action in
      guard case .recordButtonTapped = action, state.panel == nil else { return nil }
      return base._reduce(into: &state, action: .permissionResponse(true))
    },
    Case("the date is read before the id", "diverged at 2: reads date") { base, state, action in
      guard case .permissionResponse(true) = action else { return nil }
      @Dependency(\.date.now) var now
      @Dependency(\.uuid) var uuid
      let date = now
      state.panel = .recording(Recording.State(id: uuid(), date: date))
      return .send(.panel(.recording(.task)))
    },
    Case("a memo is put at the bottom", "diverged at 33: state /memos/1") {
      base,
      state,
      action in
      guard case .panel(.recording(.delegate(.finished))) = action, !state.memos.isEmpty else {
        return nil
      }
      let effect = base._reduce(into: &state, action: action)
      state.memos.append(state.memos.removeFirst())
      return effect
    },
    Case("what was played goes on", "diverged at 49: effects 49.0") { _, _, action in
      guard case .memos(.element(_, .delegate(.plays))) = action else { return nil }
      return Effect.none
    },
    Case("a setting is not kept", "diverged at 70: state /confirmsDeletion") {
      base,
      state,
      action in
      guard
        case .destination(.presented(.delete(.confirmedAlways(let id)))) = action
      else { return nil }
      return base._reduce(
        into: &state,
        action: .destination(.presented(.delete(.confirmed(id))))
      )
    },
    Case("a memo that comes back can be deleted once more", "diverged at 64: effects /effects/0") {
      base,
      state,
      action in
      guard case .undoButtonTapped = action, let deletion = state.deletion else { return nil }
      state.deletion = nil
      state.memos.insert(MemoRow.State(memo: deletion.memo), at: deletion.index)
      return Effect.none
    },
  ]

  @Test("A replay finds each fault of a mutated memo recorder", arguments: recorders)
  private func memos(mutant: Case<Memos>) throws {
    let found = try found(in: "memos.jsonl", mutant, Memos()) { Memos.State() }
    #expect(found == mutant.verdict)
  }

  private nonisolated static let boards: [Case<Board>] = [
    Case("nothing is changed", "identical") { _, _, _ in nil },
    Case("a full column takes a card", "diverged at 27: state /columns/1/cards/2") {
      _,
      state,
      action in
      guard case .columns(.element(let id, .delegate(.full))) = action else { return nil }
      state.columns[id: id]?.cards.append(CardRow.State(card: Card(id: id, title: "Paint")))
      return Effect.none
    },
    Case("work does not go on where a card is dragged to", "diverged at 11: effects 11.0 operation")
    { base, state, action in
      guard case .drag(.moved) = action else { return nil }
      return base._reduce(into: &state, action: action).rewritten { effect in
        guard case .send = effect.operation else { return effect }
        return Effect.none
      }
    },
    Case(
      "the work in the former column goes on",
      "diverged at 11: effects /effects/0/effects/0 operation"
    ) { base, state, action in
      guard case .drag(.moved) = action else { return nil }
      return base._reduce(into: &state, action: action).rewritten { effect in
        guard case .cancel = effect.operation else { return effect }
        return Effect.none
      }
    },
    Case("a drag is no step", "diverged at 17: state /history/past/2") { _, state, action in
      guard case .drag(.ended) = action else { return nil }
      state.drag = nil
      return Effect.none
    },
    Case("what was undone is forgotten", "diverged at 30: state /history/future/0") {
      base,
      state,
      action in
      guard case .history(.undo) = action else { return nil }
      let effect = base._reduce(into: &state, action: action)
      state.history = BoardHistory(past: state.history.past)
      return effect
    },
    Case("the board is saved after each key", "diverged at 4: effects 4.0 cancelInFlight") {
      base,
      state,
      action in
      base._reduce(into: &state, action: action).rewritten { effect in
        guard case .cancellable(let inner, let id, true) = effect.operation else { return effect }
        return Effect(operation: .cancellable(inner, id, cancelInFlight: false))
      }
    },
    Case("a card that is deleted stays", "diverged at 60: state /columns/2/cards/0") {
      _,
      _,
      action in
      guard case .columns(.element(_, .remove)) = action else { return nil }
      return Effect.none
    },
  ]

  @Test("A replay finds each fault of a mutated board", arguments: boards)
  private func board(mutant: Case<Board>) throws {
    let found = try found(in: "board.jsonl", mutant, Board()) { Board.State() }
    #expect(found == mutant.verdict)
  }
}
