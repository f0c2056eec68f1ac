import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

private typealias Case<Base: Reducer & Sendable> = MutantCase<Base>

/// Every fault in a feature is detected in a replay of a log that was recorded without it.
@MainActor
@Suite("Mutants")
struct MutantTests {
  private nonisolated static let counters: [Case<Counter>] = [
    Case("another state is written", "diverged at 1: state /count") { base, state, action in
      guard action == .incrementButtonTapped else { return nil }
      state.count += 2
      return Effect.none
    },
    Case("a state is not written", "diverged at 4: state /isTimerRunning") { base, state, action in
      guard action == .timerButtonTapped else { return nil }
      let effect = base._reduce(into: &state, action: action)
      state.isTimerRunning.toggle()
      return effect
    },
    Case("an action is ignored", "diverged at 3: state /count") { _, _, action in
      action == .decrementButtonTapped ? Effect.none : nil
    },
    Case("an effect is not returned", "diverged at 4: effects 4.0") { base, state, action in
      guard action == .timerButtonTapped, !state.isTimerRunning else { return nil }
      _ = base._reduce(into: &state, action: action)
      return Effect.none
    },
    Case("an effect has another operation", "diverged at 4: effects 4.0 operation") {
      base,
      state,
      action in
      guard action == .timerButtonTapped, !state.isTimerRunning else { return nil }
      _ = base._reduce(into: &state, action: action)
      return .send(.timerTicked)
    },
    Case("an effect has another name", "diverged at 4: effects 4.0 name") { base, state, action in
      base._reduce(into: &state, action: action).mapLeaves { $0.name = $0.name.map { $0 + "!" } }
    },
    Case("an effect has another cancellation id", "diverged at 4: effects 4.0 cancelID") {
      base,
      state,
      action in
      base._reduce(into: &state, action: action).rewritten { effect in
        guard case .cancellable(let inner, let id, let cancelInFlight) = effect.operation else {
          return effect
        }
        return Effect(
          operation: .cancellable(
            inner,
            CancelID("other", path: id.path),
            cancelInFlight: cancelInFlight
          )
        )
      }
    },
    Case("an effect does not cancel what is in flight", "diverged at 4: effects 4.0 cancelInFlight")
    { base, state, action in
      base._reduce(into: &state, action: action).rewritten { effect in
        guard case .cancellable(let inner, let id, _) = effect.operation else { return effect }
        return Effect(operation: .cancellable(inner, id, cancelInFlight: false))
      }
    },
    Case("an effect is not canceled", "diverged at 8: effects /effects/0") { base, state, action in
      guard action == .timerButtonTapped, state.isTimerRunning else { return nil }
      state.isTimerRunning = false
      return Effect.none
    },
    Case("the die is not thrown", "diverged at 7: reads random") { _, state, action in
      guard action == .dieButtonTapped else { return nil }
      state.die = 0
      return Effect.none
    },
    Case("the die is thrown twice", "diverged at 7: reads random") { base, state, action in
      guard action == .dieButtonTapped else { return nil }
      _ = base._reduce(into: &state, action: action)
      return base._reduce(into: &state, action: action)
    },
  ]

  @Test("A replay finds each fault of a mutated counter", arguments: counters)
  private func counter(mutant: Case<Counter>) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Counter(),
      initialState: Counter.State(),
      steps: [
        .send(.incrementButtonTapped), .send(.incrementButtonTapped),
        .send(.decrementButtonTapped), .send(.timerButtonTapped), .tick(2),
        .send(.dieButtonTapped), .send(.timerButtonTapped), .send(.resetButtonTapped),
      ],
      to: path
    )
    #expect(try verdict(of: path, replayedWith: Counter()) { Counter.State() } == .identical)
    let found = try verdict(
      of: path,
      replayedWith: Mutant(base: Counter(), fault: mutant.fault)
    ) { Counter.State() }
    #expect(found.summary == mutant.verdict)
  }

  private nonisolated static let lists: [Case<Todos>] = [
    Case("reads in another order", "diverged at 1: reads date") { _, state, action in
      guard case .addButtonTapped = action else { return nil }
      @Dependency(\.date.now) var now
      @Dependency(\.uuid) var uuid
      let date = now
      state.todos.insert(Todos.Todo(id: uuid(), addedAt: date), at: 0)
      return Effect.none
    },
    Case("a read is left out", "diverged at 1: reads date") { _, state, action in
      guard case .addButtonTapped = action else { return nil }
      @Dependency(\.uuid) var uuid
      let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
      state.todos.insert(Todos.Todo(id: uuid(), addedAt: date), at: 0)
      return Effect.none
    },
    Case("a row is put elsewhere", "diverged at 3: state /todos/1") { base, state, action in
      guard case .addButtonTapped = action else { return nil }
      let effect = base._reduce(into: &state, action: action)
      state.todos.append(state.todos.removeFirst())
      return effect
    },
    Case("an effect captures something else", "diverged at 2: effects 2.0 input") {
      base,
      state,
      action in
      guard case .titleChanged = action else { return nil }
      return base._reduce(into: &state, action: action).rewritten { effect in
        guard case .run(let run) = effect.operation else { return effect }
        return .run(
          name: run.leaf.name,
          input: [Todos.Todo](),
          operation: run.operation
        )
      }
    },
    Case("another action is sent", "diverged at 5: effects 5.0 action") { base, state, action in
      guard case .clearCompletedButtonTapped = action else { return nil }
      return base._reduce(into: &state, action: action).rewritten { effect in
        guard case .send = effect.operation else { return effect }
        return .send(.filterPicked(.active))
      }
    },
    Case("no action is sent", "diverged at 5: effects 5.0") { base, state, action in
      guard case .clearCompletedButtonTapped = action else { return nil }
      return base._reduce(into: &state, action: action).rewritten { effect in
        guard case .send = effect.operation else { return effect }
        return Effect.none
      }
    },
    Case("effects run one after the other", "diverged at 5: effects 5.0 operation") {
      base,
      state,
      action in
      guard case .clearCompletedButtonTapped = action else { return nil }
      return base._reduce(into: &state, action: action).rewritten { effect in
        guard case .merge(let effects) = effect.operation else { return effect }
        return Effect(operation: .concatenate(effects))
      }
    },
  ]

  @Test("A replay finds each fault of a mutated list", arguments: lists)
  private func todos(mutant: Case<Todos>) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Todos(),
      initialState: Todos.State(),
      steps: [
        .send(.addButtonTapped), .send(.titleChanged(id: UUID(0), "a")), .send(.addButtonTapped),
        .send(.doneToggled(id: UUID(0))), .send(.clearCompletedButtonTapped),
        .advance(.milliseconds(30)),
      ],
      to: path
    )
    #expect(try verdict(of: path, replayedWith: Todos()) { Todos.State() } == .identical)
    let found = try verdict(
      of: path,
      replayedWith: Mutant(base: Todos(), fault: mutant.fault)
    ) { Todos.State() }
    #expect(found.summary == mutant.verdict)
  }

  private nonisolated static let searches: [Case<Search>] = [
    Case("another action is sent", "diverged at 3: effects 3.0 action") { _, _, action in
      guard case .queryChanged("") = action else { return nil }
      return .send(.queryChanged("x"))
    },
    Case("what was found is not kept", "diverged at 2: state /results/1") { base, state, action in
      guard case .answered = action else { return nil }
      let effect = base._reduce(into: &state, action: action)
      state.results = []
      return effect
    },
    Case("the search goes on", "diverged at 4: effects /effects/0") { _, state, action in
      guard case .clearButtonTapped = action else { return nil }
      state = Search.State()
      return Effect.none
    },
  ]

  @Test("A replay finds each fault of a mutated search", arguments: searches)
  private func search(mutant: Case<Search>) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Search(),
      initialState: Search.State(),
      steps: [.send(.queryChanged("Os")), .wake(.milliseconds(20)), .send(.queryChanged(""))],
      to: path
    )
    #expect(try verdict(of: path, replayedWith: Search()) { Search.State() } == .identical)
    let found = try verdict(
      of: path,
      replayedWith: Mutant(base: Search(), fault: mutant.fault)
    ) { Search.State() }
    #expect(found.summary == mutant.verdict)
  }
}
