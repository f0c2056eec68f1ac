import TCACore
import Testing

/// The handling of actions and errors in `.run`.
@MainActor
@Suite struct EffectRunTests {
  struct Failure: Error {}

  @Test func `a run effect starts after the actions that were sent synchronously`() async {
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .merge(.run { send in await send(1) }, .send(2))
      }
    }
    let task = store.send(0)
    #expect(store.state == [0, 2])
    await task.finish()
    #expect(store.state == [0, 2, 1])
  }

  @Test func `a canceled effect sends no actions, even from a detached task`() async {
    let started = Gate()
    let goOn = Gate()
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run { send in
          started.open()
          await goOn.waitUncancellably()
          await send(1)
          // A task that the cancellation does not reach sends no action either.
          await Task.detached { await send(2) }.value
        }
      }
    }
    let task = store.send(0)
    await started.wait()
    task.cancel()
    goOn.open()
    await task.finish()
    #expect(store.state == [0])
  }

  @Test func `an action sent after the effect's operation has returned is delivered and reported`()
    async
  {
    let late = LockIsolated<Send<Int>?>(nil)
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run(
          operation: { send in late.setValue(send) },
          fileID: "App/Feature.swift",
          line: 7
        )
      }
    }
    await store.send(0).finish()
    let issues = recordingIssues { late.value?(7) }
    #expect(store.state == [0, 7])
    #expect(
      issues == [
        """
        An action was sent from the effect at App/Feature.swift:7, whose operation had returned: …

            Action: 7
            Effect of: 0

        It is handled, but nothing can cancel it or wait for it. Keep the operation from returning \
        until all is sent.
        """
      ]
    )
  }

  @Test func `an error thrown by a run effect is passed to its catch closure`() async {
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run { _ in
          throw Failure()
        } catch: { error, send in
          await send(error is Failure ? 1 : 2)
        }
      }
    }
    await store.send(0).finish()
    #expect(store.state == [0, 1])
  }

  @Test func `an uncaught error of a run effect reports an issue`() async {
    let store = Store(initialState: 0) {
      Reduce<Int, Void> { _, _ in
        .run(operation: { _ in throw Failure() }, fileID: "App/Feature.swift", line: 7)
      }
    }
    let collector = IssueCollector()
    await withIssueReporters([collector]) { await store.send(()).finish() }
    #expect(
      collector.messages == [
        """
        The effect at App/Feature.swift:7 threw an error that nothing caught: …

            EffectRunTests.Failure()

        Catch it inside "run", or give "run" a "catch".
        """
      ]
    )
    #expect(collector.places == ["App/Feature.swift:7"])
  }

  @Test(arguments: [true, false])
  func `a canceled run effect reports no error and calls no catch closure`(
    throwsCancellation: Bool
  ) async {
    let started = Gate()
    let handled = LockIsolated(false)
    let store = Store(initialState: 0) {
      Reduce<Int, Void> { _, _ in
        .run { _ in
          started.open()
          await Gate().wait()
          if throwsCancellation { throw CancellationError() }
          throw Failure()
        } catch: { _, _ in
          handled.setValue(true)
        }
      }
    }
    let issues = await recordingIssues {
      let task = store.send(())
      await started.wait()
      task.cancel()
      await task.finish()
    }
    #expect(issues == [])
    #expect(!handled.value)
  }

  @Test func `a run effect that throws CancellationError reports no issue`() async {
    let store = Store(initialState: 0) {
      Reduce<Int, Void> { _, _ in .run { _ in throw CancellationError() } }
    }
    let issues = await recordingIssues { await store.send(()).finish() }
    #expect(issues == [])
  }

  @Test func `a run effect stores its name and its input`() {
    let effect = Effect<Int>.run(name: "search", input: "query") { _ in }
    guard case .run(let run) = effect.operation else {
      Issue.record("not a run")
      return
    }
    #expect(run.leaf.name == "search")
    #expect(run.input as? String == "query")
  }
}
