import TCACore
import Testing

/// Animations change nothing of what an effect sends.
@MainActor
@Suite struct AnimationTests {
  private enum Action: Equatable, Sendable {
    case start
    case sent(Int)
  }

  @Test func animatedEffectsSendWhatTheySend() async {
    struct Failed: Error {}
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Action> { state, action in
        guard case .sent(let number) = action else {
          return .merge(
            .send(.sent(1), animation: .default),
            .concatenate(
              .run { send in
                await send(.sent(2), animation: .easeIn(duration: 1).delay(1))
                await send(.sent(3), transaction: Transaction(animation: nil))
                throw Failed()
              } catch: { _, send in
                await send(.sent(4))
              },
              .run { await $0(.sent(5)) }
            )
            .animation()
          )
        }
        state.append(number)
        return .none
      }
    }
    let task = store.send(.start, animation: .spring)
    #expect(store.state == [1])
    await task.finish()
    #expect(store.state == [1, 2, 3, 4, 5])
  }

  @Test func aCancelledAnimatedEffectSendsNothing() async {
    let gate = Gate()
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Action> { state, action in
        if case .sent(let number) = action { state.append(number) }
        return action == .start
          ? .run { send in
            await gate.waitUncancellably()
            await send(.sent(1))
          }
          .animation(.linear) : .none
      }
    }
    let task = store.send(.start)
    task.cancel()
    gate.open()
    await task.finish()
    #expect(store.state == [])
  }
}
